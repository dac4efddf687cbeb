import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Username } from './fields.ts'
import { hasNoLooseMarks, hasOneScript, hasUsernameCharacters } from './username-rules.ts'

const check = (rule: (text: string) => boolean, right: string[], wrong: string[]) => {
  for (const text of right) assert.ok(rule(text), JSON.stringify(text))
  for (const text of wrong) assert.ok(!rule(text), JSON.stringify(text))
}

test('a username holds letters, marks, digits and @ . + - _, and nothing that cannot be seen', () => {
  check(
    hasUsernameCharacters,
    ['', 'ada', 'a@b.c+d-e_f9', '\u0633\u0627\u0631\u0627', 'n\u0303', '\u0663'],
    ['a b', 'a!', 'a/b', 'a\n', '\u00B2', '\u2167', 'a\u200Db', 'a\u00ADb', 'a\u3164', '\u{1F600}', 'a\uFE0F'],
  )
})

test('its letters are of one script, or of those that are written together', () => {
  check(
    hasOneScript,
    ['', 'ada1', '\u0430\u0434\u0430', '\u6F22\u3072\u30AB', '\u6F22\uD55C', '\u6F22\u3105', '12.3'],
    ['\u0430da', 'ad\u03B1', '\u3072\uD55C', '\u3105\u3072', '\u6F22a', '\u05D0\u0627', '\uD800\uDF30'],
  )
})

test('its digits are of one kind', () => {
  check(
    hasOneScript,
    ['a0', 'a09', 'a9', '\u0627\u0660\u0669', '\u0627\u06F0\u06F9', '\u06279', '\u0915\u0966\u096F'],
    ['\u06270\u0660', '\u0627\u0669\u06F9', '\u0627\u0660\u06F0', '\u09159\u0966', '\u09150\u096F'],
  )
})

test('a mark stands on a letter that may carry one, not twice, and not around it', () => {
  check(
    hasNoLooseMarks,
    ['', '\u00E9', '\u0915\u093F', '\u0E01\u0E31\u0E49', '\u05D0\u05B0\u05C1', '\u05D0\u05B0\u05B1\u05B2\u05B3'],
    [
      'x\u0301',
      '\u03B1\u0325',
      '\u0430\u0325',
      '\u0301a',
      '1\u0301',
      '.\u0301',
      '-\u0301',
      '\u05D0\u05B0\u05B0',
      '\u05D0\u20DD',
      '\u05D0\u05B0\u05B1\u05B2\u05B3\u05B4',
    ],
  )
})

test('only the first fault of a username is said', () => {
  const say = (text: string) => Username.safeParse(text).error?.issues.map(({ message }) => message)
  assert.deepEqual(say('a \u0430'), ['username_characters'])
  assert.deepEqual(say('\u0430dx\u0301'), ['username_one_script'])
  assert.deepEqual(say('x\u0301x'), ['username_marks'])
  assert.equal(Username.parse('\uFF21da'), 'Ada')
})
