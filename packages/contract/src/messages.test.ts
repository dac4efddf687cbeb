import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMessageKey, sayEnglish, sayIssue, splitEnglish } from './messages.ts'

test('places of a sentence are filled in; one without a value stays as it is', () => {
  assert.equal(sayEnglish('file_too_large', { max: 25 }), 'This file is too large. At most 25 MB are accepted.')
  assert.equal(sayEnglish('mail_greeting', { name: '{name}' }), 'Hello {name},')
  assert.equal(sayEnglish('mail_greeting'), 'Hello {name},')
  assert.equal(sayEnglish('mail_greeting', { other: 'x' }), 'Hello {name},')
})

test('what was filled in is told apart from the words around it', () => {
  assert.deepEqual(splitEnglish('mail_greeting', { name: '<b>' }), [
    { text: 'Hello ', isValue: false },
    { text: '<b>', isValue: true },
    { text: ',', isValue: false },
  ])
  assert.deepEqual(splitEnglish('mail_greeting')[1], { text: '{name}', isValue: false })
  assert.deepEqual(splitEnglish('not_found'), [{ text: sayEnglish('not_found'), isValue: false }])
})

test('a key is one of the catalogue that has one form', () => {
  for (const key of ['invalid', 'not_found']) assert.ok(isMessageKey(key))
  for (const text of ['', '$schema', 'toString', '__proto__', 'Invalid', 'content_pages', 'no_such_key'])
    assert.ok(!isMessageKey(text), text)
  assert.equal(sayIssue('not_found'), sayEnglish('not_found'))
  assert.equal(sayIssue('content_pages'), sayEnglish('invalid'))
})
