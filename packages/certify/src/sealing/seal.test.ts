import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { verifySeal } from '@proofdesk/proof/verify-seal'
import type { Signer } from './cms-maker.ts'
import { ensureIssuingKeys, type IssuingKeys, loadSigningKey } from './issuing-keys.ts'
import { sealRevision0 } from './seal.ts'
import { makeJpeg, makePdf, needJudge, runJudge } from '../testing.ts'
import { makeSignedPdf } from '../testing/odd-pdfs.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import type { BuiltRevision } from '../types.ts'

// A seal holds only while its certificates do, and those are made now. PDF dates have whole seconds.
const SIGNED_AT = Math.floor(Date.now() / 1000) * 1000

let workshop: Workshop
let keys: IssuingKeys
let signer: Signer
let revision: BuiltRevision & { path: string }
let sealed: Buffer<ArrayBuffer>

before(async () => {
  workshop = await openWorkshop()
  const dir = join(workshop.folder, 'keys')
  keys = await ensureIssuingKeys({ dir, organisation: 'دفتر اسناد Müller' })
  const { key, leaf, ca } = await loadSigningKey(dir)
  signer = { key, certificate: leaf.raw, chain: [ca.raw] }
  const documents = [
    await workshop.addOriginal(makePdf({ pages: 2 }), 'PDF'),
    await workshop.addOriginal(await makeJpeg({ orientation: 6 }), 'JPEG'),
    await workshop.addOriginal(makeSignedPdf(), 'PDF'),
  ]
  revision = await workshop.certify(documents)
  const seal = await sealRevision0({ ...revision, signedAt: SIGNED_AT, proof: null }, signer)
  sealed = Buffer.concat([await readFile(revision.path), seal.update])
  assert.equal(createHash('sha256').update(sealed).digest('hex'), seal.sha256)
})
after(() => workshop.close())

/** What pdfsig says, with the issuing CA as the only one that is trusted. */
async function askPdfsig(bytes: Uint8Array): Promise<string> {
  trusted ??= makeTrustStore()
  const nss = await trusted
  const path = join(workshop.folder, 'judged.pdf')
  await writeFile(path, bytes)
  return (await runJudge('pdfsig', '-nssdir', nss, path)).text
}

let trusted: Promise<string> | undefined

async function makeTrustStore(): Promise<string> {
  const folder = join(workshop.folder, 'nss')
  await mkdir(folder)
  await runJudge('certutil', '-N', '-d', `sql:${folder}`, '--empty-password')
  await runJudge('certutil', '-A', '-d', `sql:${folder}`, '-n', 'ca', '-t', 'CT,C,C', '-i', keys.caPath)
  return `sql:${folder}`
}

test('Our verifier accepts the seal and tells signer, size and time', async () => {
  assert.deepEqual(await verifySeal(sealed, { pins: [keys.caFingerprint] }), {
    revision0Size: revision.sizeBytes,
    revision0Sha256: revision.sha256,
    proof: null,
    signer: keys.leafFingerprint,
    claimedAt: SIGNED_AT,
  })
})

test('The seal is appended: revision 0 stays byte for byte', async () => {
  assert.ok(sealed.subarray(0, revision.sizeBytes).equals(await readFile(revision.path)))
  assert.ok(sealed.length - revision.sizeBytes < 20_000)
})

test('qpdf finds nothing wrong in the sealed file', async (t) => {
  if (!needJudge(t, 'qpdf')) return
  const path = join(workshop.folder, 'sealed.pdf')
  await writeFile(path, sealed)
  const { code, text } = await runJudge('qpdf', '--check', path)
  assert.equal(code, 0, text)
})

test('pdfsig calls the signature valid, its certificate trusted, and the total document signed', async (t) => {
  if (!needJudge(t, 'pdfsig', 'certutil')) return
  const text = await askPdfsig(sealed)
  assert.match(text, /Signature is Valid/)
  assert.match(text, /Certificate is Trusted/)
  assert.match(text, /Total document signed/)
  assert.match(text, /ETSI\.CAdES\.detached/)
  assert.equal(text.split('Signature #').length - 1, 1, 'one signature, none of the originals’')
})

test('openssl verifies the signature over exactly the bytes that /ByteRange names', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const [, first, gapStart, gapEnd, rest] = /\/ByteRange\[(\d+) (\d+) (\d+) (\d+)\]/
    .exec(sealed.toString('latin1'))!
    .map(Number)
  assert.equal(first, 0)
  assert.equal(gapEnd! + rest!, sealed.length)
  const hex = sealed.subarray(gapStart! + 1, gapEnd! - 1).toString('latin1')
  const cms = join(workshop.folder, 'cms.der')
  const content = join(workshop.folder, 'content')
  await writeFile(cms, Buffer.from(hex, 'hex'))
  await writeFile(content, Buffer.concat([sealed.subarray(0, gapStart), sealed.subarray(gapEnd)]))
  const args = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', cms, '-content', content, '-out', '/dev/null']
  // With -cades it looks for each certificate of the path among those that the signature names.
  for (const more of [[], ['-cades']]) {
    const { code, text } = await runJudge('openssl', ...args, '-CAfile', keys.caPath, '-purpose', 'any', ...more)
    assert.equal(code, 0, text)
  }
  const printed = await runJudge('openssl', 'cms', '-cmsout', '-print', '-noout', '-inform', 'DER', '-in', cms)
  assert.ok(!printed.text.includes('signingTime'), 'PAdES forbids a signing time here')
  assert.match(printed.text, /signing-?certificate-?v2/i)
})

test('Pitfall 8: no change is allowed afterwards (DocMDP, P 1)', () => {
  const update = sealed.subarray(revision.sizeBytes).toString('latin1')
  assert.match(update, /\/TransformMethod\/DocMDP\/TransformParams<<\/Type\/TransformParams\/P 1/)
})

test('One flipped bit anywhere is detected by our verifier', async () => {
  const step = Math.max(1, Math.floor(sealed.length / 120))
  for (let at = 3; at < sealed.length; at += step) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1 << (at % 8)
    await assert.rejects(verifySeal(changed, { pins: [keys.caFingerprint] }), { name: 'ProofError' }, `byte ${at}`)
  }
})

test('One flipped bit outside the signature’s own bytes is detected by pdfsig', async (t) => {
  if (!needJudge(t, 'pdfsig', 'certutil')) return
  const [, , gapStart, gapEnd] = /\/ByteRange\[(\d+) (\d+) (\d+) (\d+)\]/.exec(sealed.toString('latin1'))!.map(Number)
  const places = Array.from({ length: 16 }, (_, i) => 20 + Math.floor((i * (gapStart! - 40)) / 16))
  for (const at of [...places, gapEnd! + 12]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    assert.doesNotMatch(await askPdfsig(changed), /Signature is Valid/, `byte ${at}`)
  }
})

test('A revision 0 that is not the one that was approved is not sealed', async () => {
  const path = join(workshop.folder, 'changed.pdf')
  const bytes = await readFile(revision.path)
  bytes[bytes.length - 200]! ^= 1
  await writeFile(path, bytes)
  await assert.rejects(sealRevision0({ ...revision, path, signedAt: SIGNED_AT, proof: null }, signer), {
    code: 'revision_changed',
  })
  const longer = Buffer.concat([await readFile(revision.path), Buffer.from('\n')])
  await writeFile(path, longer)
  const sha256 = createHash('sha256').update(longer).digest('hex')
  await assert.rejects(sealRevision0({ ...revision, path, sha256, signedAt: SIGNED_AT, proof: null }, signer), {
    code: 'revision_changed',
  })
  await assert.rejects(sealRevision0({ ...revision, path: `${path}.gone`, signedAt: SIGNED_AT, proof: null }, signer), {
    code: 'seal_failed',
  })
})

test('A certified PDF can itself be an original: its pages come over, its seal and attachments do not', async (t) => {
  if (!needJudge(t, 'pdfsig', 'certutil', 'pdfdetach')) return
  const original = await workshop.addOriginal(sealed, 'PDF')
  const built = await workshop.certify([original], { proofId: 'AAAA-AAAA-AAAA-AAAA-A' })
  const seal = await sealRevision0({ ...built, signedAt: SIGNED_AT, proof: null }, signer)
  const file = Buffer.concat([await readFile(built.path), seal.update])
  assert.equal(built.pages, 1 + revision.pages)
  await verifySeal(file, { pins: [keys.caFingerprint] })
  const text = await askPdfsig(file)
  assert.match(text, /Signature is Valid/)
  assert.equal(text.split('Signature #').length - 1, 1)
  await writeFile(built.path, file)
  assert.match((await runJudge('pdfdetach', '-list', built.path)).text, /^2 embedded files/)
})

test('Sealing may be repeated: another file each time, as valid as the first', async () => {
  const again = await sealRevision0({ ...revision, signedAt: SIGNED_AT, proof: null }, signer)
  const file = Buffer.concat([await readFile(revision.path), again.update])
  assert.ok(!file.equals(sealed))
  await verifySeal(file, { pins: [keys.caFingerprint] })
})
