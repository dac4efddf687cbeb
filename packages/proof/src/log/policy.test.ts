import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeLogKey } from '../testing/log-keys.ts'
import { testLogVectors } from '../testing/log-vectors.ts'
import { parseVerifierKey, SIGNATURE_TYPE, type CheckedSignature } from './note.ts'
import { isQuorumMet, parsePolicy } from './policy.ts'

const log = makeLogKey('example.com/log').verifierKey
const key = (name: string) => makeLogKey(`example.net/${name}`, SIGNATURE_TYPE.cosignature).verifierKey
const witnesses = (...names: string[]) => names.map((name) => `witness ${name} ${key(name)}\n`).join('')

/** Signatures by these witnesses, as `openNote` would give them. */
function signBy(names: readonly string[]): CheckedSignature[] {
  return names.map((name) => {
    const parsed = parseVerifierKey(key(name))
    return { name: parsed.name, keyId: parsed.keyId, signature: new Uint8Array(), key: parsed, time: 1 }
  })
}

testLogVectors('the policies of another implementation are read', ({ policy_files }) => {
  for (const text of policy_files.accept) {
    const policy = parsePolicy(text)
    assert.deepEqual([...policy.witnesses.keys()], ['w1', 'w2'])
    assert.deepEqual(policy.groups.get('g1'), { threshold: 2, members: ['w1', 'w2'] })
    assert.equal(policy.quorum, 'g1')
    assert.equal(policy.witnesses.get('w2')!.url, 'https://example.com/witness/')
    assert.equal(policy.witnesses.get('w2')!.key.type, SIGNATURE_TYPE.cosignature)
  }
})

test('a quorum of groups of witnesses is met by those that it asks for, and by no others', () => {
  const policy = parsePolicy(
    `log ${log}\n${witnesses('X1', 'X2', 'X3')}group X 2 X1 X2 X3\n` +
      `${witnesses('Y1', 'Y2', 'Y3')}group Y any Y1 Y2 Y3\ngroup both all X Y\nquorum both\n`,
  )
  for (const names of [
    ['X1', 'X3', 'Y2'],
    ['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3'],
  ]) {
    assert.ok(isQuorumMet(policy, signBy(names)), names.join())
  }
  for (const names of [
    [],
    ['X1', 'X2', 'X3'],
    ['X1', 'Y1', 'Y2'],
    ['Y1', 'Y2', 'Y3'],
    ['X1', 'X1', 'Y1'],
    ['Z1', 'Z2', 'Z3'],
  ]) {
    assert.ok(!isQuorumMet(policy, signBy(names)), names.join())
  }
})

test('a single witness can be the quorum, and none needs nobody', () => {
  assert.ok(isQuorumMet(parsePolicy('quorum none\n'), []))
  const policy = parsePolicy(`${witnesses('w1', 'w2')}quorum w1\n`)
  assert.ok(isQuorumMet(policy, signBy(['w1'])))
  assert.ok(!isQuorumMet(policy, signBy(['w2'])))
})

test('a signature by another key under the name of a witness counts for nothing', () => {
  const policy = parsePolicy(`${witnesses('w1')}quorum w1\n`)
  const [signature] = signBy(['w1'])
  const other = { ...signature!, key: { ...signature!.key, publicKey: new Uint8Array(32) } }
  assert.ok(!isQuorumMet(policy, [other]))
})

test('blanks, comments and empty lines change nothing', () => {
  const policy = parsePolicy(
    `\n# comment\n \t log\t ${log}   https://example.com/log#1 # why\n\n  quorum none # nobody\n`,
  )
  assert.deepEqual(
    policy.logs.map(({ key: { name }, url }) => [name, url]),
    [['example.com/log', 'https://example.com/log#1']],
  )
})

test('thirty-two logs, witnesses and groups are read', () => {
  const names = Array.from({ length: 32 }, (_, i) => `w${i}`)
  const logs = names.map((name) => `log ${makeLogKey(`log.example/${name}`).verifierKey}\n`).join('')
  const groups = names.map((name) => `group g-${name} all ${name}\n`).join('')
  const policy = parsePolicy(`${logs}${witnesses(...names)}${groups}quorum g-w31\n`)
  assert.deepEqual([policy.logs.length, policy.witnesses.size, policy.groups.size], [32, 32, 32])
})

test('a policy of any other form is refused', () => {
  const two = witnesses('w1', 'w2')
  const texts = [
    '',
    'quorum none',
    '\n',
    `log ${log}\n`,
    'quorum\n',
    'quorum w1\n',
    'quorum none none\n',
    'quorum none\nquorum none\n',
    `quorum w1\n${two}`,
    `${two}quorum g\ngroup g any w1\n`,
    `log\nquorum none\n`,
    `log ${log} url more\nquorum none\n`,
    `log ${log}\nlog ${log}\nquorum none\n`,
    `log ${key('w1')}\nquorum none\n`,
    `witness w1\nquorum none\n`,
    `witness none ${key('w1')}\nquorum none\n`,
    `witness w1 ${key('w1')} url more\nquorum none\n`,
    `${witnesses('w1')}${witnesses('w1')}quorum w1\n`,
    `${witnesses('w1')}witness w2 ${key('w1')}\nquorum w1\n`,
    `log ${log}\nwitness w1 ${log}\nquorum w1\n`,
    `${two}group g all\nquorum g\n`,
    `${two}group g\nquorum none\n`,
    `${two}group g 0 w1\nquorum g\n`,
    `${two}group g 3 w1 w2\nquorum g\n`,
    `${two}group g 01 w1 w2\nquorum g\n`,
    `${two}group g 1.0 w1 w2\nquorum g\n`,
    `${two}group g -1 w1 w2\nquorum g\n`,
    `${two}group g some w1 w2\nquorum g\n`,
    `${two}group g any w1 w1\nquorum g\n`,
    `${two}group g any w1 none\nquorum g\n`,
    `${two}group g any g\nquorum g\n`,
    `${two}group g any w3\nquorum g\n`,
    `${two}group g any w1\ngroup h any w1\nquorum h\n`,
    `${two}group w1 any w2\nquorum w1\n`,
    `${two}group none any w2\nquorum none\n`,
    'Quorum none\n',
    'quorum none\r\n',
    'quorum\u00a0none\n',
    'quorum none\n\0',
    'quorum none # \x7f\n',
    'quorum none # \ud800\n',
    `${'#\n'.repeat(1001)}quorum none\n`,
    `#${'x'.repeat(100_000)}\nquorum none\n`,
  ]
  for (const text of texts) {
    assert.throws(() => parsePolicy(text), { name: 'ProofError', code: /log_policy|log_note/ }, JSON.stringify(text))
  }
})
