import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { fromHex, toHex } from './bytes.ts'
import { readOid, readOnlyElement, readTime, writeElement, writeOid, writeSequence } from './der.ts'
import { checkSignature } from './signature-algorithms.ts'
import { issueCertificate } from './testing/certificates.ts'
import { readCertificate } from './x509.ts'

test('elements are written with the shortest length and read back', () => {
  for (const length of [0, 1, 127, 128, 255, 256, 65_535, 65_536]) {
    const element = readOnlyElement(writeElement(0x04, new Uint8Array(length)))
    assert.equal(element.contents.length, length)
  }
})

test('what is no DER is refused', () => {
  const faults = [
    '',
    '04',
    '0401',
    '048100',
    '04817f' + '00'.repeat(127),
    '04820080' + '00'.repeat(128),
    '0480',
    '04850000000001',
  ]
  faults.push('1f0100', '040000', '04ff')
  for (const hex of faults) assert.throws(() => readOnlyElement(fromHex(hex)), { name: 'ProofError', code: 'der' }, hex)
})

test('object identifiers read back, and only in their one form', () => {
  for (const oid of ['1.2.840.113549.1.7.2', '2.5.29.19', '2.16.840.1.101.3.4.2.1', '0.4.0.1862']) {
    assert.equal(readOid(readOnlyElement(writeOid(oid))), oid)
  }
  for (const hex of ['0600', '060180', '06022a80', '06032a8001', '060b2affffffffffffffffff7f', '04012a']) {
    assert.throws(() => readOid(readOnlyElement(fromHex(hex))), { code: 'der' }, hex)
  }
})

test('times are whole seconds in UTC that exist', () => {
  const read = (tag: number, text: string) =>
    readTime(readOnlyElement(writeElement(tag, new TextEncoder().encode(text))))
  assert.equal(read(0x17, '491231235959Z'), Date.UTC(2049, 11, 31, 23, 59, 59))
  assert.equal(read(0x17, '500101000000Z'), Date.UTC(1950, 0, 1))
  assert.equal(read(0x18, '20240229120000Z'), Date.UTC(2024, 1, 29, 12))
  for (const text of [
    '20230229120000Z',
    '20231301000000Z',
    '20230101000000',
    '20230101000000+0100',
    '20230101000000.5Z',
  ]) {
    assert.throws(() => read(0x18, text), { code: 'der' }, text)
  }
  assert.throws(() => read(0x04, '20240229120000Z'), { code: 'der' })
})

test('an ECDSA value is read in its shortest form only', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKey = readOnlyElement(new Uint8Array(createPublicKey(privateKey).export({ type: 'spki', format: 'der' })))
  const signed = new Uint8Array(100)
  const check = (signature: Uint8Array<ArrayBuffer>) =>
    checkSignature({ algorithm: '1.2.840.10045.4.3.2', hash: null, publicKey, signature, signed })
  // 20 signatures: both numbers with and without a leading zero
  for (let i = 0; i < 20; i++) {
    const { r, s } = splitSignature(sign('sha256', signed, { key: privateKey, dsaEncoding: 'ieee-p1363' }))
    const shortest = (number: Uint8Array) =>
      writeElement(0x02, ...(number[0]! >= 0x80 ? [Uint8Array.of(0)] : []), number)
    if (r[0] === 0 || s[0] === 0) continue
    assert.equal(await check(writeSequence(shortest(r), shortest(s))), true)
    const padded = writeElement(0x02, Uint8Array.of(0, 0), r)
    const other = r[0]! >= 0x80 ? writeElement(0x02, r) : writeElement(0x02, Uint8Array.of(0), r)
    await assert.rejects(check(writeSequence(padded, shortest(s))), { code: 'signature' })
    await assert.rejects(check(writeSequence(other, shortest(s))), { code: 'signature' })
  }
})

function splitSignature(raw: Uint8Array): { r: Uint8Array; s: Uint8Array } {
  return { r: raw.subarray(0, 32), s: raw.subarray(32) }
}

test('a certificate cannot be changed outside its signature', () => {
  const { certificate } = issueCertificate({ name: 'Any' })
  assert.ok(readCertificate(certificate).validFrom < readCertificate(certificate).validTo)
  const hex = toHex(certificate)
  const algorithm = '06082a8648ce3d040302'
  const at = hex.lastIndexOf(algorithm)
  const otherAlgorithm = fromHex(`${hex.slice(0, at)}06082a8648ce3d040303${hex.slice(at + algorithm.length)}`)
  assert.throws(() => readCertificate(otherAlgorithm), { code: 'x509' })
  const unusedBits = certificate.slice()
  unusedBits[at / 2 + algorithm.length / 2 + 2] = 1
  assert.throws(() => readCertificate(unusedBits), { code: 'x509' })
})
