import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { compareBytes, fromHex } from './bytes.ts'
import { writeElement, writeOctets, writeOid, writeSequence } from './der.ts'
import { issueCertificate, pin } from './testing/certificates.ts'
import { editElement } from './testing/edit-element.ts'
import { authority, request, revision0, signer } from './testing/sealed-example.ts'
import { sealRevision0, writeAttribute, type SealRequest } from './testing/sign-seal.ts'
import { openSeal, verifySeal } from './verify-seal.ts'

/** As the policy of an instance has it: the authority comes along, and only its key is known to be right. */
const pins = [pin(signer)]
const verify = (changes: Partial<SealRequest>) =>
  verifySeal(sealRevision0(revision0, { ...request, holeBytes: 4000, ...changes }), { pins })

const NULL = fromHex('0500')
/** Child numbers in a container: its set of hash functions, its certificates and its one signer. */
const [HASHES, CERTIFICATES, SIGNER] = [
  [1, 0, 1],
  [1, 0, 3],
  [1, 0, 4, 0],
] as const

/** The same name and key, with other words inside, as anybody can write it. */
const forged = editElement(authority.certificate, [0], (fields) =>
  fields.with(1, writeElement(2, new TextEncoder().encode('Pay 1,000,000'))),
)

const name = (one: Uint8Array) => writeSequence(writeOctets(createHash('sha256').update(one).digest()))
/** A seal that names these certificates. RFC 5035 section 3. */
const naming = (...named: Uint8Array[]): Partial<SealRequest> => ({
  chooseAttributes: ({ contentType, messageDigest }) => [
    contentType,
    messageDigest,
    writeAttribute('1.2.840.113549.1.9.16.2.47', writeSequence(writeSequence(...named.map(name)))),
  ],
})
const carrying = (...certificates: Uint8Array<ArrayBuffer>[]): Partial<SealRequest> => ({
  editContainer: (cms) => editElement(cms, CERTIFICATES, () => certificates.toSorted(compareBytes)),
})

test('an authority above the pinned certificate that was exchanged for one of other words is refused', async () => {
  await verify({})
  await assert.rejects(verify(carrying(signer.certificate, forged)), { name: 'ProofError', code: 'x509' })
})

test('above the pinned certificate only an authority that signed itself is carried', async () => {
  const root = issueCertificate({ name: 'Root', isAuthority: true })
  const middle = issueCertificate({ name: 'Middle', isAuthority: true, issuer: root })
  const leaf = issueCertificate({ name: 'Leaf', issuer: middle, serial: 2 })
  const seal = sealRevision0(revision0, { ...request, signer: leaf, chain: [middle] })
  await assert.rejects(verifySeal(seal, { pins: [pin(leaf)] }), { name: 'ProofError', code: 'x509' })
})

test('a seal that names all its certificates is refused without one of them, or with another', async () => {
  const both = naming(signer.certificate, authority.certificate)
  await verify(both)
  const twin = issueCertificate({ name: authority.name, isAuthority: true, key: authority.key, serial: 7 }).certificate
  await verify(carrying(signer.certificate, twin))
  const refused = { name: 'ProofError', code: 'cms' }
  for (const carried of [[signer.certificate], [signer.certificate, twin], [signer.certificate, forged]])
    await assert.rejects(verify({ ...both, ...carrying(...carried) }), refused)
  await assert.rejects(verify(naming(signer.certificate, twin)), refused)
  await assert.rejects(verify(naming(authority.certificate, signer.certificate)), refused, 'the signer’s stands first')
  await assert.rejects(verify(naming(signer.certificate, ...Array(50).fill(authority.certificate))), refused)
})

test('an algorithm has one form: NULL for RSA, and nothing for all else', async () => {
  const rsa = issueCertificate({ name: 'RSA', kind: 'RSA' })
  const sha256 = writeOid('2.16.840.1.101.3.4.2.1')
  const sealByRsa = (changes: Partial<SealRequest>) =>
    openSeal(sealRevision0(revision0, { ...request, signer: rsa, chain: [], holeBytes: 4000, ...changes }))
  await sealByRsa({})
  const bare: Partial<SealRequest> = { editContainer: (cms) => editElement(cms, [...SIGNER, 4], ([oid]) => [oid!]) }
  await assert.rejects(sealByRsa(bare), { code: 'der' })
  const withNull = (cms: Uint8Array<ArrayBuffer>) =>
    editElement(
      editElement(cms, [...SIGNER, 2], () => [sha256, NULL]),
      [...HASHES, 0],
      () => [sha256, NULL],
    )
  await assert.rejects(verify({ editContainer: withNull }), { code: 'der' })
  const signature: Partial<SealRequest> = {
    editContainer: (cms) => editElement(cms, [...SIGNER, 4], ([ecdsa]) => [ecdsa!, NULL]),
  }
  await assert.rejects(verify(signature), { code: 'der' })
})
