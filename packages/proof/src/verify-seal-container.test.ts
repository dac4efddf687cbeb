import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { fromHex } from './bytes.ts'
import { context, writeElement, writeInteger, writeOctets, writeOid, writeSequence, writeSet } from './der.ts'
import { editElement } from './testing/edit-element.ts'
import { authority, pins, request, revision0, signer, testAttacks, type Attack } from './testing/sealed-example.ts'
import { sealRevision0, type SealRequest, writeAttribute, writeAttributes } from './testing/sign-seal.ts'
import { verifySeal } from './verify-seal.ts'

const hash = new Uint8Array(32)
const attributesOf = (digest: Uint8Array) => writeAttributes(digest, signer.certificate)

const seal = (changes: Partial<SealRequest>) => sealRevision0(revision0, { ...request, ...changes })

/** Signature containers of a wrong shape; those that sign nothing true are refused before or at the digest. */
const containers: Attack[] = [
  ['no signing certificate attribute', 'cms', () => sealTrue((parts) => [parts.contentType, parts.messageDigest])],
  [
    'the hash of another certificate',
    'cms',
    () =>
      sealTrue((parts) => [
        parts.contentType,
        parts.messageDigest,
        writeAttributes(hash, authority.certificate).signingCertificate,
      ]),
  ],
  ['no message digest', 'cms', () => sealTrue((parts) => [parts.contentType, parts.signingCertificate])],
  [
    'a message digest of other bytes',
    'digest',
    () => sealTrue((parts) => [parts.contentType, attributesOf(hash).messageDigest, parts.signingCertificate]),
  ],
  [
    'two message digests',
    'cms',
    () => sealTrue((parts) => [...Object.values(parts), attributesOf(hash).messageDigest]),
  ],
  ['no content type', 'der', () => sealTrue((parts) => [parts.messageDigest, parts.signingCertificate])],
  [
    'another content type',
    'cms',
    () =>
      sealTrue((parts) => [
        writeAttribute('1.2.840.113549.1.9.3', fromHex('06092a864886f70d010702')),
        parts.messageDigest,
        parts.signingCertificate,
      ]),
  ],
  [
    'an unsigned attribute',
    'cms',
    () => seal({ cms: { unsigned: writeElement(context(1), writeAttribute('1.2.3.4', writeInteger(1))) } }),
  ],
  [
    'a time stamp',
    'timestamp',
    () =>
      seal({
        cms: { unsigned: writeElement(context(1), writeAttribute('1.2.840.113549.1.9.16.2.14', writeSequence())) },
      }),
  ],
  ['an empty set of unsigned attributes', 'cms', () => seal({ cms: { unsigned: writeElement(context(1)) } })],
  ['a signature over other attributes', 'signature', () => seal({ cms: { toSign: writeSet() } })],
  ['an empty signature', 'der', () => seal({ cms: { signature: new Uint8Array() } })],
  ['a signature of two zeros', 'signature', () => seal({ cms: { signature: fromHex('3006020100020100') } })],
  [
    'a signature with a number too long',
    'signature',
    () => seal({ cms: { signature: writeSequence(writeElement(2, new Uint8Array(40).fill(1)), writeInteger(1)) } }),
  ],
  [
    'a signature of three numbers',
    'signature',
    () => seal({ cms: { signature: writeSequence(writeInteger(1), writeInteger(1), writeInteger(1)) } }),
  ],
]

/** Seals with the true digest and a choice of attributes, all of them signed. */
function sealTrue(choose: (parts: ReturnType<typeof writeAttributes>) => Uint8Array[]): Uint8Array<ArrayBuffer> {
  return seal({ chooseAttributes: choose })
}

testAttacks('a signature container of a wrong shape is refused', containers)

test('more certificates than any path has are refused before each is compared with every name', async () => {
  const carry = (count: number) =>
    seal({ holeBytes: 65_536, cms: { certificates: Array<Uint8Array<ArrayBuffer>>(count).fill(signer.certificate) } })
  await assert.rejects(
    verifySeal(carry(16), { pins }),
    ({ code, message }) => code !== 'cms' || !/too many/.test(message),
  )
  await assert.rejects(verifySeal(carry(17), { pins }), { code: 'cms', message: /too many certificates/ })
})

/** Where parts stand in the container: child numbers from the outside in. */
const AT = { info: [], data: [1, 0], hashes: [1, 0, 1], content: [1, 0, 2], signers: [1, 0, 4], signer: [1, 0, 4, 0] }
const SIGNER_ID = [...AT.signer, 1]
const SHA512 = writeSequence(writeOid('2.16.840.1.101.3.4.2.3'))
const ANY = writeInteger(1)

type Edit = Parameters<typeof editElement>[2]
const CHANGES: [name: string, code: string, path: readonly number[], edit: Edit][] = [
  ['another content type', 'cms', AT.info, ([, ...rest]) => [writeOid('1.2.840.113549.1.7.3'), ...rest]],
  ['no content', 'der', AT.info, ([type]) => [type!]],
  ['two contents', 'cms', AT.info, (parts) => [...parts, ANY]],
  ['something after the signed data', 'der', [1], ([data]) => [data!, ANY]],
  ['another version', 'cms', AT.data, ([, ...rest]) => [writeInteger(3), ...rest]],
  ['no hash function', 'cms', AT.hashes, () => []],
  ['another hash function than the signer has', 'cms', AT.hashes, () => [SHA512]],
  ['two hash functions', 'cms', AT.hashes, ([one]) => [one!, SHA512]],
  ['content of another type', 'cms', AT.content, () => [writeOid('1.2.3.4')]],
  ['content inside', 'cms', AT.content, ([type]) => [type!, writeElement(context(0), writeOctets(hash))]],
  ['no certificates', 'der', AT.data, (parts) => parts.toSpliced(3, 1)],
  ['certificates under another tag', 'der', AT.data, (parts) => parts.with(3, writeElement(context(2)))],
  ['an empty set of certificates', 'cms', AT.data, (parts) => parts.with(3, writeElement(context(0)))],
  ['a revocation list', 'der', AT.data, (parts) => parts.toSpliced(4, 0, writeElement(context(1)))],
  ['no signers', 'der', AT.data, (parts) => parts.slice(0, 4)],
  ['an empty set of signers', 'der', AT.signers, () => []],
  ['two signers', 'cms', AT.signers, ([one]) => [one!, one!]],
  ['something after the signers', 'cms', AT.data, (parts) => [...parts, ANY]],
  ['another version of the signer', 'cms', AT.signer, ([, ...rest]) => [writeInteger(3), ...rest]],
  ['a signer named by a key', 'der', AT.signer, (parts) => parts.with(1, writeElement(context(0), ANY))],
  ['a signer without a serial number', 'der', SIGNER_ID, ([issuer]) => [issuer!]],
  ['a signer of no name', 'der', SIGNER_ID, () => []],
  ['a signer of three names', 'cms', SIGNER_ID, (parts) => [...parts, ANY]],
  ['another serial number', 'cms', SIGNER_ID, ([issuer]) => [issuer!, writeInteger(99)]],
  ['another issuer', 'cms', SIGNER_ID, ([, serial]) => [writeSequence(), serial!]],
  ['an unknown hash function', 'cms_alg', [...AT.signer, 2], () => [writeOid('1.3.14.3.2.26')]],
  ['a hash function with parameters', 'der', [...AT.signer, 2], ([oid]) => [oid!, ANY]],
  ['a hash function with parameters of no length', 'der', [...AT.signer, 2], ([oid]) => [oid!, writeSequence()]],
  ['a hash function with filled NULL', 'der', [...AT.signer, 2], ([oid]) => [oid!, fromHex('050100')]],
  ['a hash function with two NULL', 'der', [...AT.signer, 2], ([oid]) => [oid!, fromHex('0500'), fromHex('0500')]],
  ['a hash function with NULL for the signer alone', 'der', [...AT.signer, 2], ([oid]) => [oid!, fromHex('0500')]],
  ['no signed attributes', 'der', AT.signer, (parts) => parts.toSpliced(3, 1)],
  ['no signature algorithm', 'der', AT.signer, (parts) => parts.toSpliced(4, 1)],
  ['an unknown signature algorithm', 'cms_alg', [...AT.signer, 4], () => [writeOid('1.2.840.10045.4.1')]],
  ['no signature', 'der', AT.signer, (parts) => parts.slice(0, 5)],
  ['a signature that is no octets', 'der', AT.signer, (parts) => parts.with(5, ANY)],
  ['unsigned attributes under another tag', 'der', AT.signer, (parts) => [...parts, writeSet()]],
]

testAttacks(
  'what the signature does not cover is refused in any form but one',
  CHANGES.map(([name, code, path, edit]): Attack => [
    name,
    code,
    () => sealRevision0(revision0, { ...request, editContainer: (cms) => editElement(cms, path, edit) }),
  ]),
)

/** Signed by the genuine key, and still not taken. */
const signedFaults: Attack[] = [
  ['an attribute of three parts', 'cms', () => sealTrue((parts) => [...known(parts), addPart('1.2.3.4', ANY)])],
  ['an attribute of two values', 'der', () => sealTrue((parts) => [...known(parts), ofValues(ANY, ANY)])],
  ['an attribute without value', 'der', () => sealTrue((parts) => [...known(parts), ofValues()])],
  [
    'a message digest that is no octets',
    'der',
    () =>
      sealTrue((parts) => [
        parts.contentType,
        writeAttribute('1.2.840.113549.1.9.4', writeSequence()),
        parts.signingCertificate,
      ]),
  ],
  [
    'a signing certificate by an unknown hash',
    'cms_alg',
    () => sealNaming(writeSequence(writeOid('1.3.14.3.2.26')), hash),
  ],
  ['a signing certificate by half its hash', 'cms', () => sealNaming(undefined, signerHash('SHA-256').slice(0, 16))],
  ['a signing certificate without hash', 'cms', () => sealNaming(undefined, undefined)],
]
const known = (parts: ReturnType<typeof writeAttributes>) => Object.values(parts)
const addPart = (oid: string, part: Uint8Array) => writeSequence(writeOid(oid), writeSet(part), part)
const ofValues = (...values: Uint8Array[]) => writeSequence(writeOid('1.2.3.4'), writeSet(...values))
const signerHash = (name: string) =>
  new Uint8Array(createHash(name.replace('-', '')).update(signer.certificate).digest())

/** Seals with a signing certificate attribute of its own. RFC 5035 section 3. */
function sealNaming(algorithm: Uint8Array | undefined, claimed: Uint8Array | undefined): Uint8Array<ArrayBuffer> {
  const parts = [...(algorithm ? [algorithm] : []), ...(claimed ? [writeOctets(claimed)] : [])]
  const named = writeSequence(writeSequence(writeSequence(...parts)))
  return sealTrue((others) => [
    others.contentType,
    others.messageDigest,
    writeAttribute('1.2.840.113549.1.9.16.2.47', named),
  ])
}

testAttacks('signed attributes of a wrong shape are refused', signedFaults)

test('the signing certificate may be named by each known hash function', async () => {
  for (const [name, oid] of [
    ['SHA-256', '2.16.840.1.101.3.4.2.1'],
    ['SHA-384', '2.16.840.1.101.3.4.2.2'],
    ['SHA-512', '2.16.840.1.101.3.4.2.3'],
  ] as const)
    await verifySeal(sealNaming(writeSequence(writeOid(oid)), signerHash(name)), { pins })
})

test('signed attributes that nobody knows are left alone', async () => {
  await verifySeal(
    sealTrue((parts) => [...known(parts), ofValues(ANY)]),
    { pins },
  )
})

test('signed attributes chosen one by one give a file that is accepted when none is missing', async () => {
  await verifySeal(
    sealTrue((parts) => Object.values(parts)),
    { pins },
  )
})
