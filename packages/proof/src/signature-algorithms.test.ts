import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { readOnlyElement, TAG, writeElement, writeSequence } from './der.ts'
import { checkSignature, nameHash } from './signature-algorithms.ts'

const signed = new Uint8Array(100)
const ecKey = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const p256 = ecKey('P-256')

function check(key: KeyObject, algorithm: string, signature: Uint8Array, hash: string | null = null): Promise<boolean> {
  const spki = new Uint8Array(createPublicKey(key).export({ type: 'spki', format: 'der' }))
  return checkSignature({
    algorithm,
    hash,
    publicKey: readOnlyElement(spki),
    signature: new Uint8Array(signature),
    signed,
  })
}

/** RFC 5754 section 3, RFC 5758 section 3.2. */
const ALGORITHMS: [oid: string, key: KeyObject, hash: string][] = [
  ['1.2.840.113549.1.1.11', rsa, 'sha256'],
  ['1.2.840.113549.1.1.12', rsa, 'sha384'],
  ['1.2.840.113549.1.1.13', rsa, 'sha512'],
  ['1.2.840.10045.4.3.2', p256, 'sha256'],
  ['1.2.840.10045.4.3.3', ecKey('P-384'), 'sha384'],
  ['1.2.840.10045.4.3.4', p256, 'sha512'],
]

test('each known algorithm takes its own hash function and no other, whatever the container names', async () => {
  for (const [oid, key, hash] of ALGORITHMS)
    for (const used of ['sha256', 'sha384', 'sha512'])
      assert.equal(await check(key, oid, sign(used, signed, key), 'SHA-256'), used === hash, `${oid} ${used}`)
})

test('RSA that names no hash function takes that of the container, and none without it', async () => {
  const oid = '1.2.840.113549.1.1.1'
  assert.equal(await check(rsa, oid, sign('sha384', signed, rsa), 'SHA-384'), true)
  assert.equal(await check(rsa, oid, sign('sha384', signed, rsa), 'SHA-256'), false)
  await assert.rejects(check(rsa, oid, sign('sha384', signed, rsa)), { name: 'ProofError', code: 'cms_alg' })
})

test('unknown algorithms, hash functions and curves are refused as such', async () => {
  const refused = { name: 'ProofError', code: 'cms_alg' }
  for (const oid of ['1.2.840.113549.1.1.5', '1.2.840.113549.1.1.10', '1.2.840.10045.4.1', 'constructor'])
    await assert.rejects(check(rsa, oid, new Uint8Array(256)), refused)
  for (const curve of ['secp256k1', 'P-521'])
    await assert.rejects(check(ecKey(curve), '1.2.840.10045.4.3.2', new Uint8Array(8)), refused)
  for (const oid of ['1.3.14.3.2.26', '1.2.840.113549.2.5', '']) assert.throws(() => nameHash(oid), refused)
  assert.deepEqual(
    ['1', '2', '3'].map((last) => nameHash(`2.16.840.1.101.3.4.2.${last}`)),
    ['SHA-256', 'SHA-384', 'SHA-512'],
  )
})

test('the two numbers of an ECDSA value have their shortest form and fit the curve', async () => {
  const value = (first: number[], tag: number = TAG.integer) =>
    writeSequence(writeElement(tag, Uint8Array.from(first)), writeElement(TAG.integer, Uint8Array.of(1)))
  const checkEc = (signature: Uint8Array) => check(p256, '1.2.840.10045.4.3.2', signature)
  const full = Array.from({ length: 31 }, () => 0xff)
  for (const first of [[1], [0x7f], [0, 0x80], [0, 0xff], [1, 0], [0x7f, ...full], [0, 0x80, ...full]])
    assert.equal(await checkEc(value(first)), false, String(first))
  const refused = { name: 'ProofError', code: 'signature' }
  for (const first of [
    [],
    [0],
    [0, 0],
    [0x80],
    [0xff],
    [0, 1],
    [0, 0x7f],
    [0, 0, 0x80],
    [1, 0, ...full],
    [0, 0x80, 0, ...full],
  ])
    await assert.rejects(checkEc(value(first)), refused, String(first))
  for (const count of [0, 1, 3]) {
    const numbers = Array.from({ length: count }, () => writeElement(TAG.integer, Uint8Array.of(1)))
    await assert.rejects(checkEc(writeSequence(...numbers)), refused)
  }
  await assert.rejects(checkEc(value([1], TAG.octetString)), { code: 'der' })
  await assert.rejects(checkEc(new Uint8Array([...value([1]), 0])), { code: 'der' })
})

test('a broken key is malformed; what WebCrypto lacks or fails at is thrown as it is', async (t) => {
  const oid = '1.2.840.113549.1.1.11'
  const broken = { algorithm: oid, hash: null, publicKey: readOnlyElement(writeSequence()), signature: signed, signed }
  await assert.rejects(checkSignature(broken), { name: 'ProofError', code: 'malformed' })
  const fresh = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  for (const name of ['OperationError', 'NotSupportedError']) {
    // A key that was imported before is kept: checking with it fails, and importing another.
    for (const [method, key] of [
      ['verify', rsa],
      ['importKey', fresh],
    ] as const) {
      const { mock } = t.mock.method(crypto.subtle, method, () => Promise.reject(new DOMException('no', name)))
      await assert.rejects(check(key, oid, signed), { name }, method)
      mock.restore()
    }
  }
})
