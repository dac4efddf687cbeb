import { test } from 'node:test'
import { fromHex } from './bytes.ts'
import { context, writeElement, writeInteger, writeSequence, writeSet } from './der.ts'
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

test('signed attributes chosen one by one give a file that is accepted when none is missing', async () => {
  await verifySeal(
    sealTrue((parts) => Object.values(parts)),
    { pins },
  )
})
