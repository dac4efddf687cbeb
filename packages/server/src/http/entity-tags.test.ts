import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesTag, namesTagStrongly } from './entity-tags.ts'

test('If-None-Match compares weakly: with each of a list, weak ones too, or with a star (RFC 9110, 13.1.2)', () => {
  for (const tag of ['"a"', 'W/"a"']) {
    for (const header of ['"a"', 'W/"a"', '"b", "a"', '"b","a"', 'W/"b" , W/"a"', ',, "a",', '*', ' * '])
      assert.equal(namesTag(header, tag), true, header)
    // A comma may stand in a tag, and so may a star: neither ends it.
    for (const header of ['"b"', 'a', '"A"', '"ab"', '"b,*,c"', '"b, c"', '', '"a'])
      assert.equal(namesTag(header, tag), false, header)
    assert.equal(namesTag(undefined, tag), false)
  }
})

test('If-Match compares strongly: no weak tag is that of the same bytes (RFC 9110, 13.1.1)', () => {
  for (const header of ['"a"', '"b", "a"', '*']) assert.equal(namesTagStrongly(header, '"a"'), true, header)
  for (const header of ['W/"a"', '"b", W/"a"', '"b"', '']) assert.equal(namesTagStrongly(header, '"a"'), false, header)
  assert.equal(namesTagStrongly('W/"a"', 'W/"a"'), false)
})
