import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { formatCanonicalJson, type JsonValue } from './canonical-json.ts'
import { formatInstancePolicy, isPlainName, parseInstancePolicy, type InstancePolicySource } from './instance-policy.ts'
import { SIGNATURE_TYPE } from './log/note.ts'
import { makeLogKey } from './testing/log-keys.ts'
import { makePaperKey } from './testing/paper-example.ts'
import { writeUtf8 } from './utf8.ts'

const log = makeLogKey('example.com/log')
const witness = makeLogKey('example.net/w1', SIGNATURE_TYPE.cosignature)
const SOURCE: InstancePolicySource = {
  organisation: 'دانشگاه نمونه',
  logPolicy: `log ${log.verifierKey}\nwitness w1 ${witness.verifierKey}\nquorum w1\n`,
  independentWitnesses: ['example.net/w1'],
  pins: ['a1'.repeat(32)],
  statusUrl: 'https://example.com/log/status/',
}
/** What prints as nothing or ends a line, and what has the rest of it read in another order. */
const HIDDEN =
  '\u0000\n\r\u007f\u0085\u00ad\u034f\u061c\u115f\u17b4\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066\u2069\u2800\u3164\ufe0f\ufeff\ufff9\u{e0041}'.match(
    /./gsu,
  )!

test('a policy file is read as it was written, with the fingerprint of its bytes', () => {
  for (const source of [SOURCE, { ...SOURCE, statusUrl: null, independentWitnesses: [] }]) {
    const bytes = formatInstancePolicy(source)
    const { log: parsed, fingerprint, ...rest } = parseInstancePolicy(bytes)
    assert.deepEqual(rest, { ...source, paperKeys: [] })
    assert.equal(parsed.quorum, 'w1')
    assert.equal(fingerprint, createHash('sha256').update(bytes).digest('hex'))
  }
})

test('a policy file with one member missing, added or wrong is refused', () => {
  const members = JSON.parse(Buffer.from(formatInstancePolicy(SOURCE)).toString()) as Record<string, unknown>
  const parse = (changed: Record<string, unknown>) =>
    parseInstancePolicy(
      writeUtf8(JSON.stringify(Object.fromEntries(Object.entries(changed).sort(([a], [b]) => (a < b ? -1 : 1))))),
    )
  parse(members)
  for (const name of Object.keys(members)) {
    const { [name]: _left, ...others } = members
    assert.throws(() => parse(others), { name: 'ProofError', code: 'instance_policy' }, name)
  }
  const wrong: Record<string, unknown>[] = [
    { more: 1 },
    { v: '1' },
    { organisation: '' },
    { organisation: 1 },
    { organisation: 'x'.repeat(256) },
    { logPolicy: null },
    { pins: [] },
    { pins: ['A1'.repeat(32)] },
    { pins: ['a1'.repeat(31)] },
    { pins: 'a1'.repeat(32) },
    { independentWitnesses: ['w1'] },
    { independentWitnesses: ['example.com/log'] },
    { independentWitnesses: 'example.net/w1' },
    { statusUrl: '' },
    { statusUrl: 'javascript:alert(1)' },
    { statusUrl: 'file:///etc' },
    { statusUrl: 'https://' },
    { statusUrl: 1 },
  ]
  for (const changes of wrong) {
    const what = JSON.stringify(changes)
    assert.throws(() => parse({ ...members, ...changes }), { name: 'ProofError', code: 'instance_policy' }, what)
  }
  assert.throws(() => parse({ ...members, v: 3, more: 1 }), { code: 'newer' })
  assert.throws(() => parse({ ...members, logPolicy: 'quorum w1\n' }), { code: 'log_policy' })
})

test('15.26 a policy whose organisation has a character that shows nothing, or turns the line around, is refused', () => {
  const members = JSON.parse(Buffer.from(formatInstancePolicy(SOURCE)).toString()) as Record<string, JsonValue>
  for (const sign of HIDDEN) {
    for (const organisation of [
      `Example University${sign}`,
      `${sign}Example University`,
      `Exam${sign}ple University`,
    ]) {
      const told = `U+${sign.codePointAt(0)!.toString(16)} in ${JSON.stringify(organisation)}`
      assert.equal(isPlainName(organisation), false, told)
      const bytes = writeUtf8(formatCanonicalJson({ ...members, organisation })!)
      assert.throws(() => parseInstancePolicy(bytes), { name: 'ProofError', code: 'instance_policy' }, told)
      assert.throws(() => formatInstancePolicy({ ...SOURCE, organisation }), { code: 'instance_policy' }, told)
    }
  }
  // With the joiner that Persian and Hindi words are written with, but only there.
  for (const organisation of ['Registro Civil “Norte” Nº 3', 'کتاب\u200cخانه', 'क्\u200dष', '公証役場', 'O’Neill & Søn'])
    assert.equal(isPlainName(organisation), true, organisation)
  for (const organisation of ['Uni\u200cversity', '\u200cکتاب', 'کتاب \u200c', 'کتاب\u200c\u200cخانه'])
    assert.equal(isPlainName(organisation), false, organisation)
})

test('a policy file that could be written otherwise is refused', () => {
  const text = Buffer.from(formatInstancePolicy(SOURCE)).toString()
  for (const other of [
    '',
    `${text}\n`,
    ` ${text}`,
    text.replace(',', ', '),
    `[${text}]`,
    `\ufeff${text}`,
    ' '.repeat(300_000),
  ]) {
    assert.throws(() => parseInstancePolicy(writeUtf8(other)), { name: 'ProofError', code: 'instance_policy' })
  }
  assert.throws(() => parseInstancePolicy(Uint8Array.of(0xff)), { code: 'instance_policy' })
  assert.throws(() => formatInstancePolicy({ ...SOURCE, organisation: '\ud800' }), { code: 'instance_policy' })
})

test('16.6 a policy file names the keys for paper in its second version, and one without them reads as before', () => {
  const [one, other] = [makePaperKey('one').text, makePaperKey('other').text]
  const bytes = formatInstancePolicy({ ...SOURCE, paperKeys: [one, other] })
  assert.deepEqual(parseInstancePolicy(bytes).paperKeys, [one, other])
  const members = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>
  assert.equal(members['v'], 2)
  const parse = (changes: Record<string, unknown>) =>
    parseInstancePolicy(writeUtf8(formatCanonicalJson({ ...members, ...changes } as JsonValue)!))
  for (const paperKeys of [[], ['x'], [`${one}A`], [one.slice(1)], one, [1], Array(17).fill(one), null])
    assert.throws(
      () => parse({ paperKeys }),
      { name: 'ProofError', code: 'instance_policy' },
      JSON.stringify(paperKeys),
    )
  assert.throws(() => parse({ v: 1 }), { code: 'instance_policy' })
  assert.equal(
    (JSON.parse(Buffer.from(formatInstancePolicy({ ...SOURCE, paperKeys: [] })).toString()) as { v: 1 }).v,
    1,
  )
})
