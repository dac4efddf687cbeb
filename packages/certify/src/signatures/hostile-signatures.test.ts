import { context, TAG, writeElement, writeOid, writeSequence } from '@proofdesk/proof/der'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { HOSTILE_FILES, needJudge } from '../testing.ts'
import { makeSignedPdf } from '../testing/odd-pdfs.ts'
import {
  editSignedData,
  editSigner,
  makeOpensslSigner,
  type OpensslSigner,
  signBy,
  signCms,
} from '../testing/openssl-signer.ts'
import { appendObjects, signPdf } from '../testing/signed-pdfs.ts'
import { readSignatures } from './read-signatures.ts'
import type { UploadSignature } from '../types.ts'

let folder: string
let ada: OpensslSigner

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-signatures-'))
  ada = await makeOpensslSigner(folder, 'rsa', '/O=Engines/CN=Ada Lovelace')
})
after(() => rm(folder, { recursive: true, force: true }))

async function readOne(bytes: Uint8Array): Promise<UploadSignature> {
  const [signature, ...others] = await readSignatures(bytes, 100)
  assert.equal(others.length, 0)
  return signature!
}

type Range = [start: number, gapStart: number, gapEnd: number, rest: number]

const LIES: Record<string, (range: Range) => readonly number[]> = {
  'a gap that begins before /Contents': ([, gap, end, rest]) => [0, gap - 10, end, rest],
  'a gap that ends behind it': ([, gap, end, rest]) => [0, gap, end + 2, rest - 2],
  'a gap that begins within it': ([, gap, end, rest]) => [0, gap + 4, end, rest],
  'a gap without its brackets': ([, gap, end, rest]) => [0, gap + 1, end - 1, rest + 1],
  'ranges that overlap': ([, gap, end, rest]) => [0, end + 20, gap, end + rest - gap],
  'ranges without a gap': ([, gap, end, rest]) => [0, gap, gap, end + rest - gap],
  'a negative number': ([, gap, end, rest]) => [0, gap, -end, rest],
  'a negative start': ([, gap, end, rest]) => [-4, gap, end, rest],
  'a later start': ([, gap, end, rest]) => [9, gap, end, rest],
  'a huge number': ([, gap, end]) => [0, gap, end, 9_007_199_254_740_991],
  'a number beyond all numbers': ([, gap, end]) => [0, gap, end, 1e21],
  'a fraction': ([, gap, end, rest]) => [0, gap, end, rest - 0.5],
  'bytes behind the file': ([, gap, end, rest]) => [0, gap, end, rest + 1],
  'an end within a revision': ([, gap, end, rest]) => [0, gap, end, rest - 8],
  'no second range': ([, gap, end]) => [0, gap, end, 0],
  'three numbers': ([, gap, end]) => [0, gap, end],
  'six numbers': ([, gap, end, rest]) => [0, gap, end, rest, 0, 0],
  'nothing but zeros': () => [0, 0, 0, 0],
}

test('A /ByteRange that lies is broken, also where its own bytes are properly signed', async (t) => {
  if (!needJudge(t, 'openssl')) return
  for (const [name, lie] of Object.entries(LIES)) {
    const { state, signer } = await readOne(await signPdf({ sign: signBy(folder, ada), lie }))
    assert.deepEqual([state, signer], ['broken', 'Ada Lovelace'], name)
  }
})

test('The gap of another signature is not taken for the own one', async (t) => {
  if (!needJudge(t, 'openssl')) return
  let first: readonly number[] = []
  const bytes = await signPdf(
    { sign: signBy(folder, ada), lie: (range) => (first = range) },
    { sign: signBy(folder, ada, '-noattr'), lie: () => first },
  )
  assert.deepEqual(
    (await readSignatures(bytes, 100)).map(({ state }) => state),
    ['part', 'broken'],
  )
})

test('Containers that are rubbish make a signature of nobody that is not judged', async () => {
  const nested = Array.from({ length: 1000 }).reduce<Uint8Array<ArrayBuffer>>(
    (inner) => writeElement(TAG.sequence, inner),
    new Uint8Array(),
  )
  const rubbish: Record<string, Uint8Array> = {
    nothing: new Uint8Array(),
    noise: randomBytes(3000),
    'an endless length': Uint8Array.of(0x30, 0x80, 6, 1, 1, 0, 0),
    'a length beyond the file': Uint8Array.of(0x30, 0x8f, ...Array.from({ length: 15 }, () => 0xff)),
    nested: nested.subarray(0, 11_000),
    'a thousand little elements': writeElement(TAG.sequence, Buffer.from('0500'.repeat(5000), 'hex')),
    'a set of nothing': writeElement(context(0), writeElement(TAG.set)),
  }
  for (const [name, container] of Object.entries(rubbish)) {
    const { signer, issuer, state } = await readOne(await signPdf({ sign: () => container }))
    assert.deepEqual([signer, issuer, state], [null, null, 'unknown'], name)
  }
})

test('A container changed at any place tells the same or does not hold, and one that was cut does not hold', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const bytes = await signPdf({ sign: signBy(folder, ada, '-cades') })
  const whole = await readOne(bytes)
  assert.equal(whole.state, 'whole')
  const start = bytes.indexOf('/Contents <') + '/Contents <'.length
  const length = bytes.toString('latin1', start).indexOf('0'.repeat(400)) >> 1
  for (let at = 0; at < length; at += 23) {
    const changed = Buffer.from(bytes)
    const byte = Number.parseInt(bytes.toString('latin1', start + 2 * at, start + 2 * at + 2), 16) ^ 0x11
    changed.write(byte.toString(16).padStart(2, '0'), start + 2 * at, 'latin1')
    const told = await readOne(changed)
    // some bytes say nothing, as version numbers
    if (told.state === 'whole') assert.deepEqual(told, whole, `byte ${at}`)
    assert.notEqual((await readOne(Buffer.from(bytes).fill('0', start + 2 * at, start + 2 * length))).state, 'whole')
  }
})

test('Without a certificate there is no name, and only changed bytes are told', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const bytes = await signPdf({ sign: signBy(folder, ada, '-nocerts') })
  const { signer, issuer, state } = await readOne(bytes)
  assert.deepEqual([signer, issuer, state], [null, null, 'unknown'])
  bytes[bytes.indexOf('Agreement')]! ^= 1
  assert.equal((await readOne(bytes)).state, 'broken')
})

test('Names lose what orders, hides or breaks text, keep their joiners, and are cut to 200 characters', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const names = [
    ['/CN=Ada\u202e\u0007 \u2066Lovelace\u200b\u{e0041}', 'Ada Lovelace'],
    ['/CN=می\u200cرود', 'می\u200cرود'],
    ['/CN=\u202e\u200f/O=Engines', 'Engines'],
    ['/C=CH/L=Bern', 'CH, Bern'],
    ['/CN=First/CN=Second', 'Second'],
  ] as const
  for (const [subject, shown] of names) {
    const signer = await makeOpensslSigner(folder, 'P-256', subject)
    assert.equal((await readOne(await signPdf({ sign: signBy(folder, signer) }))).signer, shown)
  }
  const parts = Array.from({ length: 5 }, (_, i) => `/OU=${String(i).repeat(60)}`).join('')
  const signer = await makeOpensslSigner(folder, 'P-256', parts)
  assert.equal((await readOne(await signPdf({ sign: signBy(folder, signer) }))).signer?.length, 200)
})

test('A container that holds content of its own is judged by the bytes of the file', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const other = await signPdf({ sign: () => signCms(folder, ada, Buffer.from('inside'), '-nodetach') })
  assert.equal((await readOne(other)).state, 'broken')
})

test('SHA-1, weak keys, other curves, other kinds and several signers are not judged, but named', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const weak = await makeOpensslSigner(folder, 'rsa1024', '/CN=Ada Lovelace')
  const curve = await makeOpensslSigner(folder, 'secp256k1', '/CN=Ada Lovelace')
  const grace = await makeOpensslSigner(folder, 'P-256', '/CN=Grace Hopper')
  const second = ['-signer', grace.certificatePath, '-inkey', grace.keyPath]
  const requests = [
    { sign: signBy(folder, ada, '-md', 'sha1') },
    { sign: signBy(folder, weak) },
    { sign: signBy(folder, curve) },
    { sign: signBy(folder, ada), subFilter: 'adbe.pkcs7.sha1' },
    { sign: signBy(folder, ada), subFilter: 'Own.Kind' },
  ]
  for (const request of requests) {
    const { state, signer } = await readOne(await signPdf(request))
    assert.deepEqual([state, signer], ['unknown', 'Ada Lovelace'])
  }
  assert.equal((await readOne(await signPdf({ sign: signBy(folder, ada, ...second) }))).state, 'unknown')
})

test('A certificate in another name is not taken where the signature names its own', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const rename = (container: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
    editSignedData(container, (parts) => {
      const certificates = Buffer.from(parts[3]!)
      certificates.write('Eve', certificates.lastIndexOf('Ada Lovelace'), 'latin1')
      return parts.with(3, new Uint8Array(certificates))
    })
  const bytes = await signPdf({ sign: async (content) => rename(await signCms(folder, ada, content, '-cades')) })
  const { state, signer } = await readOne(bytes)
  assert.deepEqual([state, signer], ['broken', 'Eve Lovelace'])
})

test('A signature of another type of content, or whose type was exchanged, is broken', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const signOther = signBy(folder, ada, '-econtent_type', '1.2.3.4')
  const exchange = (container: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
    editSignedData(container, (parts) => parts.with(2, writeSequence(writeOid('1.2.840.113549.1.7.1'))))
  const other = await signPdf({ sign: signOther })
  const exchanged = await signPdf({ sign: async (content) => exchange(await signOther(content)) })
  assert.deepEqual([(await readOne(other)).state, (await readOne(exchanged)).state], ['broken', 'broken'])
})

test('Signed attributes that were taken away do not make another signature of the rest', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const bytes = await signPdf({
    sign: async (content) => editSigner(await signCms(folder, ada, content), (parts) => parts.toSpliced(3, 1)),
  })
  assert.equal((await readOne(bytes)).state, 'broken')
})

test('A stale signature and hostile files of all kinds are read without an error', async () => {
  assert.equal((await readOne(makeSignedPdf())).state, 'broken')
  // what is nested without end takes the parser seconds, and stands in tests of its own
  const { nesting: _, ...others } = HOSTILE_FILES
  for (const { make } of Object.values(others).flat()) await readSignatures(await make(), 100)
})

test('A form whose fields share their kids ends, and a signature before them is found', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const bytes = await signPdf({ sign: signBy(folder, ada) })
  const fields = Array.from({ length: 400 }, () => '<< /FT /Tx /Kids 9 0 R >>').join(' ')
  const kids = Array.from({ length: 2000 }, () => '<< /Kids 9 0 R >>').join(' ')
  const crowd = appendObjects(
    bytes,
    [
      [1, `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [7 0 R ${fields}] >> >>`],
      [9, `[${kids}]`],
    ],
    10,
  )
  assert.equal((await readOne(crowd)).state, 'part')
})
