import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCanonicalJson, isTextList, parseCanonicalJson, readMembers, type JsonValue } from './canonical-json.ts'

test('the names and strings of RFC 8785 are ordered and escaped as it has them', () => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  assert.equal(
    formatCanonicalJson(value),
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
      '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  )
  const literals = { string: '\u20ac$\u000f\nA\'B"\\\\"/', literals: [null, true, false], numbers: [333, 0, -7] }
  assert.equal(
    formatCanonicalJson(literals),
    '{"literals":[null,true,false],"numbers":[333,0,-7],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

test('text in its one form is read, and any other is not', () => {
  for (const text of ['{}', '[]', '{"a":[1,{"b":null}],"c":"é"}', '"x"', '9007199254740991', '{"__proto__":1}']) {
    assert.notEqual(parseCanonicalJson(text), undefined, text)
  }
  const others = [
    '',
    ' {}',
    '{ }',
    '{"b":1,"a":1}',
    '{"a":1,"a":1}',
    '[1.0]',
    '[1.5]',
    '[1e3]',
    '[-0]',
    '[01]',
    '["\\u0041"]',
  ]
  for (const text of [
    ...others,
    '["\\/"]',
    '["\\ud800"]',
    '[9007199254740992]',
    '{}\n',
    '\ufeff{}',
    'undefined',
    'NaN',
  ]) {
    assert.equal(parseCanonicalJson(text), undefined, text)
  }
})

test('what no JSON in its one form can say is not written', () => {
  const values: JsonValue[] = [
    0.5,
    Number.NaN,
    Infinity,
    2 ** 53,
    '\ud800',
    ['\ud800'],
    { '\ud800': 1 },
    { a: 0.5 },
    [[0.5]],
  ]
  for (const value of values) assert.equal(formatCanonicalJson(value), undefined)
})

test('nesting ends at eight levels, and a million levels fill no stack', () => {
  const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  assert.ok(parseCanonicalJson(nest(8)))
  assert.equal(parseCanonicalJson(nest(9)), undefined)
  assert.equal(parseCanonicalJson(nest(1_000_000)), undefined)
})

test('members are those of objects, and lists of text hold nothing else', () => {
  assert.deepEqual(readMembers({ a: 1 }), { a: 1 })
  for (const value of [undefined, null, 1, 'a', [1]]) assert.equal(readMembers(value), undefined)
  assert.ok(isTextList([]) && isTextList(['a']))
  for (const value of [undefined, null, 'a', [1], ['a', null], {}]) assert.ok(!isTextList(value))
})
