import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { areEqual, fromHex, toHex } from './bytes.ts'
import {
  context,
  readChildren,
  readElement,
  readOid,
  readOnlyChild,
  readOnlyElement,
  readTime,
  TAG,
  writeElement,
  writeOid,
  writeSequence,
} from './der.ts'
import { checkSignature } from './signature-algorithms.ts'
import { issueCertificate } from './testing/certificates.ts'
import { readCertificate } from './x509.ts'

test('tags have the numbers of X.690', () => {
  const { boolean, integer, bitString, octetString, oid, utcTime, generalizedTime, sequence, set } = TAG
  assert.deepEqual([boolean, integer, bitString, octetString, TAG.null, oid], [1, 2, 3, 4, 5, 6])
  assert.deepEqual([utcTime, generalizedTime, sequence, set], [0x17, 0x18, 0x30, 0x31])
  assert.deepEqual([context(0), context(3)], [0xa0, 0xa3])
})

test('elements are written with the shortest length and read back', () => {
  for (const [length, header] of [
    [0, '0400'],
    [1, '0401'],
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [65_535, '0482ffff'],
    [65_536, '0483010000'],
    [16_777_216, '048401000000'],
  ] as const) {
    const contents = new Uint8Array(length)
    contents.fill(7, -1)
    const element = readOnlyElement(writeElement(0x04, contents.subarray(0, 1), contents.subarray(1)))
    assert.equal(toHex(element.whole.subarray(0, header.length / 2)), header)
    assert.ok(areEqual(element.contents, contents))
  }
})

test('the elements inside one are read in order, and only as far as it goes', () => {
  const outer = readElement(fromHex('ff3006020101040102ff'), 1)
  assert.deepEqual(
    readChildren(outer).map(({ tag, contents }) => [tag, ...contents]),
    [
      [2, 1],
      [4, 2],
    ],
  )
  assert.equal(toHex(outer.whole), '3006020101040102')
  assert.deepEqual(readChildren(outer, TAG.sequence).length, 2)
  assert.throws(() => readChildren(outer, TAG.set), { code: 'der' })
  assert.throws(() => readChildren(undefined), { code: 'der' })
  assert.throws(() => readChildren(readOnlyElement(fromHex('3003020201'))), { code: 'der' })
  assert.throws(() => readOnlyChild(outer), { code: 'der' })
  assert.throws(() => readOnlyChild(readOnlyElement(fromHex('3000'))), { code: 'der' })
  assert.equal(readOnlyChild(readOnlyElement(fromHex('3003020101')), TAG.sequence).tag, TAG.integer)
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
    '0480' + '00'.repeat(128),
    '0485000000000100',
    '04850000000001',
    '04ff' + 'ff'.repeat(127),
    '04ff' + '00'.repeat(126) + '0100',
    '04850100000000',
    '048400000100' + '00'.repeat(256),
    '0481',
    '048201',
    '0482',
  ]
  faults.push('1f0100', '3f0100', '040000', '04ff', '04ff01')
  for (const hex of faults) assert.throws(() => readOnlyElement(fromHex(hex)), { name: 'ProofError', code: 'der' }, hex)
})

test('object identifiers read back, and only in their one form', () => {
  for (const [oid, hex] of [
    ['1.2.840.113549.1.7.2', '06092a864886f70d010702'],
    ['2.5.29.19', '0603551d13'],
    ['2.16.840.1.101.3.4.2.1', '0609608648016503040201'],
    ['0.4.0.1862', '060404008e46'],
    ['0.0', '060100'],
    ['0.39.127', '0602277f'],
    ['1.0.128', '0603288100'],
    ['1.39', '06014f'],
    ['2.0', '060150'],
    ['2.47.16383.16384', '06067fff7f818000'],
    ['2.48', '06028100'],
    ['2.999.0', '0603883700'],
    ['1.2.9007199254740991', '06092a8fffffffffffff7f'],
  ] as const) {
    assert.equal(toHex(writeOid(oid)), hex)
    assert.equal(readOid(readOnlyElement(fromHex(hex))), oid)
  }
  for (const hex of [
    '0600',
    '060180',
    '06018001',
    '06022a80',
    '06022aff',
    '06032a8001',
    '06042a018001',
    '06092a9080808080808000',
    '060b2affffffffffffffffff7f',
    '04012a',
  ]) {
    assert.throws(() => readOid(readOnlyElement(fromHex(hex))), { code: 'der' }, hex)
  }
})

test('times are whole seconds in UTC that exist', () => {
  const read = (tag: number, text: string) =>
    readTime(readOnlyElement(writeElement(tag, new TextEncoder().encode(text))))
  assert.equal(read(0x17, '491231235959Z'), Date.UTC(2049, 11, 31, 23, 59, 59))
  assert.equal(read(0x17, '500101000000Z'), Date.UTC(1950, 0, 1))
  assert.equal(read(0x17, '000101000000Z'), Date.UTC(2000, 0, 1))
  assert.equal(read(0x18, '20240229120000Z'), Date.UTC(2024, 1, 29, 12))
  assert.equal(read(0x18, '99991231235959Z'), Date.UTC(9999, 11, 31, 23, 59, 59))
  for (const text of [
    '20230229120000Z',
    '20231301000000Z',
    '20230101000000',
    '20230101000000+0100',
    '20230101000000.5Z',
    '20230001000000Z',
    '20230100000000Z',
    '20230101240000Z',
    '20230101006000Z',
    '20230101000060Z',
    '202301010000Z',
    '20230101000000Z\n',
    'x20230101000000Z',
    '',
  ]) {
    assert.throws(() => read(0x18, text), { code: 'der' }, text)
  }
  for (const text of ['20240229120000Z', '2402291200Z', '240230120000Z', '240229120000'])
    assert.throws(() => read(0x17, text), { code: 'der' }, text)
  assert.throws(() => read(0x04, '20240229120000Z'), { code: 'der' })
  assert.throws(() => readTime(undefined), { code: 'der' })
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
