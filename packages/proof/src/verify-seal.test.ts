import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLatin1, writeLatin1 } from './bytes.ts'
import { writeElement } from './der.ts'
import { issueCertificate, pin } from './testing/certificates.ts'
import { editElement } from './testing/edit-element.ts'
import { sealRevision0 } from './testing/sign-seal.ts'
import { makeRevision0, sha256Hex } from './testing/write-revision0.ts'
import { verifySeal } from './verify-seal.ts'

const authority = issueCertificate({ name: 'Test authority', isAuthority: true })
const signer = issueCertificate({ name: 'Test signer', issuer: authority })
const request = { signer, chain: [authority] }
const pins = [pin(authority)]
const PROOF = writeLatin1('c2sp.org/tlog-proof@v1\nexample\n')

for (const kind of ['table', 'stream'] as const) {
  for (const proof of [null, PROOF]) {
    test(`an honest seal ${proof ? 'with' : 'without'} a proof is accepted (cross-reference ${kind})`, async () => {
      const revision0 = makeRevision0(undefined, kind)
      const verdict = await verifySeal(sealRevision0(revision0, { ...request, proof }), { pins })
      assert.deepEqual(verdict, {
        revision0Size: revision0.length,
        revision0Sha256: sha256Hex(revision0),
        proof,
        signer: pin(signer),
        claimedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
      })
    })
  }
}

test('keys of each supported kind seal, alone or under an authority, at each length of path', async () => {
  for (const kind of ['P-256', 'P-384', 'RSA'] as const) {
    const root = issueCertificate({ name: 'Root', isAuthority: true, kind })
    const middle = issueCertificate({ name: 'Middle', isAuthority: true, issuer: root, kind })
    const leaf = issueCertificate({ name: 'Leaf', issuer: middle, kind })
    const revision0 = makeRevision0()
    const seal = sealRevision0(revision0, { signer: leaf, chain: [middle, root], holeBytes: 6000 })
    assert.equal((await verifySeal(seal, { pins: [pin(root)] })).signer, pin(leaf))
    const withoutRoot = sealRevision0(revision0, { signer: leaf, chain: [middle], holeBytes: 6000 })
    assert.equal((await verifySeal(withoutRoot, { pins: [pin(middle)] })).signer, pin(leaf))
    const alone = sealRevision0(revision0, { signer: leaf, chain: [], holeBytes: 6000 })
    assert.equal((await verifySeal(alone, { pins: [pin(leaf)] })).signer, pin(leaf))
    await assert.rejects(verifySeal(alone, { pins: [pin(root)] }), { code: 'x509_trust' })
  }
})

test('a file that nobody pinned is refused, also with an empty list of pins', async () => {
  const sealed = sealRevision0(makeRevision0(), request)
  await assert.rejects(verifySeal(sealed, { pins: [] }), { code: 'x509_trust' })
  await assert.rejects(verifySeal(sealed, { pins: ['00'.repeat(32), pin(authority).toUpperCase()] }), {
    code: 'x509_trust',
  })
})

test('a signature that fills the greatest room there may be is accepted', async () => {
  const sealed = sealRevision0(makeRevision0(), { ...request, holeBytes: 65_536 })
  assert.equal((await verifySeal(sealed, { pins })).signer, pin(signer))
})

test('a file whose signature has no end is refused', async () => {
  const text = readLatin1(sealRevision0(makeRevision0(), request))
  const start = text.lastIndexOf('/Contents<')
  const endless = writeLatin1(text.slice(0, start) + text.slice(start).replaceAll('>', '0'))
  await assert.rejects(verifySeal(endless, { pins }), { name: 'ProofError', code: 'seal' })
})

test('a key that no program can read is refused as malformed', async () => {
  // a point that is not on its curve
  const certificate = editElement(signer.certificate, [0, 6], ([algorithm]) => [
    algorithm!,
    writeElement(3, Uint8Array.of(0, 4), new Uint8Array(64).fill(1)),
  ])
  const broken = sealRevision0(makeRevision0(), { ...request, signer: { ...signer, certificate } })
  await assert.rejects(verifySeal(broken, { pins }), { name: 'ProofError', code: 'malformed' })
})

test('revision 0 alone is unsealed', async () => {
  await assert.rejects(verifySeal(makeRevision0(), { pins }), { name: 'ProofError', code: 'unsealed' })
})

test('one changed bit in any byte of a sealed file is refused', async () => {
  for (const proof of [null, PROOF]) {
    const sealed = sealRevision0(makeRevision0(), { ...request, proof, holeBytes: 1000 })
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice()
      changed[at]! ^= 1 << (at % 8)
      await assert.rejects(verifySeal(changed, { pins }), { name: 'ProofError' }, `byte ${at}`)
    }
  }
})

test('one changed bit in any byte of the signature container is refused, at every bit', async () => {
  const sealed = sealRevision0(makeRevision0(), { ...request, holeBytes: 1000 })
  const start = readLatin1(sealed).lastIndexOf('/Contents<') + '/Contents<'.length
  for (let at = 0; at < 2000; at += 2) {
    const byte = Number.parseInt(readLatin1(sealed, start + at, start + at + 2), 16)
    const bit = 1 << ((at / 2) % 8)
    const changed = sealed.slice()
    changed.set(writeLatin1((byte ^ bit).toString(16).padStart(2, '0')), start + at)
    await assert.rejects(verifySeal(changed, { pins }), { name: 'ProofError' }, `byte ${at / 2} of /Contents`)
  }
})

test('a sealed file cut anywhere is refused', async () => {
  const sealed = sealRevision0(makeRevision0(), { ...request, holeBytes: 1000 })
  for (let length = 0; length < sealed.length; length += 3) {
    await assert.rejects(verifySeal(sealed.slice(0, length), { pins }), { name: 'ProofError' })
  }
  await assert.rejects(verifySeal(sealed.slice(0, -1), { pins }), { code: 'seal' })
})
