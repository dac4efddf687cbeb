import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_SECONDS } from '../seconds.ts'
import { writeUtf8 } from '../utf8.ts'
import { computeExpiryDay, formatStatement, parseStatement, SECONDS_PER_DAY, type Statement } from './statements.ts'

const HASH = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'
const TIME = 1_764_028_800

const STATEMENTS: [Statement, text: string][] = [
  [
    { kind: 'genesis', origin: 'proofs.example.org/log', time: TIME },
    `{"k":"genesis","o":"proofs.example.org/log","t":1764028800,"v":1}`,
  ],
  [
    { kind: 'key', operation: 'add', use: 'doc', fingerprint: HASH, time: TIME },
    `{"k":"key","op":"add","t":1764028800,"use":"doc","v":1,"x5t":"${HASH}"}`,
  ],
  [
    { kind: 'key', operation: 'revoke', use: 'log', fingerprint: HASH, size: 7, time: TIME },
    `{"k":"key","op":"revoke","size":7,"t":1764028800,"use":"log","v":1,"x5t":"${HASH}"}`,
  ],
  [
    { kind: 'approve', commitment: HASH, expiryDay: 20_782, time: TIME },
    `{"c":"${HASH}","k":"approve","t":1764028800,"v":1,"x":20782}`,
  ],
  [{ kind: 'approve', commitment: HASH, time: TIME }, `{"c":"${HASH}","k":"approve","t":1764028800,"v":1}`],
  [
    { kind: 'revoke', commitment: HASH, ref: 2, time: TIME },
    `{"c":"${HASH}","k":"revoke","ref":2,"t":1764028800,"v":1}`,
  ],
  [
    { kind: 'reinstate', commitment: HASH, ref: 2, time: TIME },
    `{"c":"${HASH}","k":"reinstate","ref":2,"t":1764028800,"v":1}`,
  ],
  [
    { kind: 'amend', commitment: HASH, ref: 2, expiryDay: 21_000, time: TIME },
    `{"c":"${HASH}","k":"amend","ref":2,"t":1764028800,"v":1,"x":21000}`,
  ],
  [
    { kind: 'status', hash: HASH, size: 70_000, page: 0, time: TIME },
    `{"h":"${HASH}","k":"status","n":70000,"p":0,"t":1764028800,"v":1}`,
  ],
]

test('every kind of entry is written in its one form and read back', () => {
  for (const [statement, text] of STATEMENTS) {
    assert.equal(Buffer.from(formatStatement(statement)).toString(), text)
    assert.deepEqual(parseStatement(writeUtf8(text)), statement)
  }
})

test('an approval takes a hundred bytes', () => {
  assert.equal(formatStatement(STATEMENTS[3]![0]).length, 96)
})

const WRONG_VALUES = [null, true, -1, 0.5, 2 ** 53, '', [], {}, '\u0000', 'x'.repeat(300)]
/** An origin can be any of these. */
const WRONG_TEXTS = ['A', `${HASH}A`, HASH.replace('FU', 'FV')]

test('an entry in which one member is missing, added, or of another kind is refused', () => {
  for (const [, text] of STATEMENTS) {
    const members = JSON.parse(text) as Record<string, unknown>
    const write = (changed: object) =>
      writeUtf8(JSON.stringify(Object.fromEntries(Object.entries(changed).sort(([a], [b]) => (a < b ? -1 : 1)))))
    for (const name of Object.keys(members)) {
      const { [name]: _left, ...others } = members
      if (!(name === 'x'))
        assert.throws(() => parseStatement(write(others)), { code: 'log_statement' }, `${text} -${name}`)
      for (const value of name === 'o' ? WRONG_VALUES : [...WRONG_VALUES, ...WRONG_TEXTS]) {
        assert.throws(
          () => parseStatement(write({ ...members, [name]: value })),
          { name: 'ProofError', code: 'log_statement' },
          `${text} ${name} = ${JSON.stringify(value)}`,
        )
      }
    }
    for (const name of ['a', 'z', '__proto__', 'size']) {
      if (name in members && name !== '__proto__') continue
      const added = text.replace('{', `{${JSON.stringify(name)}:1,`)
      const sorted = writeUtf8(
        `{${added
          .slice(1, -1)
          .split(/,(?=")/)
          .sort()
          .join(',')}}`,
      )
      assert.throws(() => parseStatement(sorted), { code: 'log_statement' }, added)
    }
  }
})

test('a time or a day that no date can tell is refused', () => {
  const write = (t: number, x: number) => writeUtf8(`{"c":"${HASH}","k":"approve","t":${t},"v":1,"x":${x}}`)
  assert.ok(parseStatement(write(MAX_SECONDS, MAX_SECONDS / SECONDS_PER_DAY)))
  for (const entry of [write(MAX_SECONDS + 1, 1), write(1, MAX_SECONDS / SECONDS_PER_DAY + 1)])
    assert.throws(() => parseStatement(entry), { code: 'log_statement' })
})

test('an entry that could be written otherwise is refused', () => {
  for (const [, text] of STATEMENTS) {
    const others = [` ${text}`, `${text}\n`, text.replace(',', ', '), text.replace('"k"', '"\\u006b"'), `\ufeff${text}`]
    for (const other of [...others, text.replace('1764028800', '1764028800.0'), text.replace('"v":1', '"v":1,"v":1')]) {
      assert.throws(() => parseStatement(writeUtf8(other)), { name: 'ProofError', code: 'log_statement' }, other)
    }
  }
  for (const text of ['', '[]', 'null', '1', '{}', '{"k":"other","t":1,"v":1}', '{"k":"toString","t":1,"v":1}']) {
    assert.throws(() => parseStatement(writeUtf8(text)), { code: 'log_statement' }, text)
  }
  assert.throws(() => parseStatement(Uint8Array.of(0xff, 0xfe)), { code: 'log_statement' })
})

test('an entry longer than a bundle can hold is refused', () => {
  const text = `{"k":"genesis","o":"${'o'.repeat(66_000)}","t":1,"v":1}`
  assert.throws(() => parseStatement(writeUtf8(text)), { name: 'ProofError', code: 'log_statement' })
})

test('a statement that could not be read again is not written', () => {
  const wrong: Statement[] = [
    { kind: 'approve', commitment: 'short', time: TIME },
    { kind: 'approve', commitment: HASH, time: 0.5 },
    { kind: 'approve', commitment: HASH, time: TIME, expiryDay: -1 },
    { kind: 'genesis', origin: 'two\nlines', time: TIME },
    { kind: 'genesis', origin: '\ud800', time: TIME },
    { kind: 'key', operation: 'revoke', use: 'log', fingerprint: HASH, time: TIME },
    { kind: 'key', operation: 'add', use: 'log', fingerprint: HASH, size: 1, time: TIME },
    { kind: 'revoke', commitment: HASH, ref: 2 ** 53, time: TIME },
  ]
  for (const statement of wrong) {
    assert.throws(() => formatStatement(statement), { name: 'ProofError', code: 'log_statement' })
  }
})

test('the day of an expiry is rounded up', () => {
  assert.deepEqual([0, 1, 86_399, 86_400, 86_401].map(computeExpiryDay), [0, 1, 1, 1, 2])
})
