import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { makePdf, needJudge, runJudge } from '../testing.ts'
import {
  attachTimeStamp,
  makeOpensslSigner,
  makeTimeStampSigner,
  type OpensslSigner,
  readValue,
  signCms,
  stampTime,
} from '../testing/openssl-signer.ts'
import { addSignature, appendObjects, findGap, makeSignablePdf, type SignatureRequest } from '../testing/signed-pdfs.ts'
import { readSignatures } from './read-signatures.ts'
import type { UploadSignature } from './types.ts'

// NSS otherwise measures for seconds how fast the disk is, anew in each run of pdfsig
process.env.NSS_SDB_USE_CACHE = 'no'

let folder: string
let ada: OpensslSigner

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signatures-'))
  ada = await makeOpensslSigner(folder, 'rsa', '/O=Engines/CN=Ada Lovelace')
})
after(() => rm(folder, { recursive: true, force: true }))

const signBy =
  (signer: OpensslSigner, ...options: string[]): SignatureRequest['sign'] =>
  (content) =>
    signCms(folder, signer, content, ...options)

async function makeSigned(...requests: SignatureRequest[]): Promise<Buffer> {
  let pdf = makeSignablePdf()
  for (const request of requests) pdf = await addSignature(pdf, request)
  return pdf.bytes
}

const read = (bytes: Uint8Array): Promise<UploadSignature[]> => readSignatures(bytes, 100)

async function readStates(bytes: Uint8Array): Promise<string[]> {
  return (await read(bytes)).map(({ state }) => state)
}

/** What pdfsig says of each signature in our words, in the order of the states of the file. */
async function askPdfsig(bytes: Uint8Array): Promise<string[]> {
  emptyStore ??= makeEmptyStore()
  const path = join(folder, 'judged.pdf')
  await writeFile(path, bytes)
  const { text } = await runJudge('pdfsig', '-nocert', '-nssdir', await emptyStore, path)
  const signatures = text.split(/^Signature #\d+:$/m).slice(1)
  const end = (one: string): number => Number(/Signed Ranges: .*- (\d+)\]/.exec(one)?.[1])
  return signatures
    .sort((one, other) => end(one) - end(other))
    .map((one) => {
      if (!one.includes('Signature is Valid')) return 'broken'
      return one.includes('Not total document signed') ? 'part' : 'whole'
    })
}

let emptyStore: Promise<string> | undefined

async function makeEmptyStore(): Promise<string> {
  const nss = join(folder, 'nss')
  await mkdir(nss)
  await runJudge('certutil', '-N', '-d', `sql:${nss}`, '--empty-password')
  return `sql:${nss}`
}

async function expectBothSay(bytes: Uint8Array, states: string[]): Promise<void> {
  assert.deepEqual(await readStates(bytes), states)
  assert.deepEqual(await askPdfsig(bytes), states)
}

test('A PDF without signatures has none', async () => {
  assert.deepEqual(await read(makePdf()), [])
})

test('A signature tells who signed, who issued the certificate, when, and that it holds', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const before = Math.floor(Date.now() / 1000) * 1000
  const [signature] = await read(await makeSigned({ sign: signBy(ada) }))
  assert.ok(signature!.signedAt! >= before && signature!.signedAt! <= Date.now())
  assert.deepEqual(signature, {
    signer: 'Ada Lovelace',
    issuer: 'Ada Lovelace',
    signedAt: signature!.signedAt,
    timeBy: 'signer',
    state: 'whole',
    kind: 'signature',
  })
})

test('pdfsig agrees about RSA and ECDSA of all sizes: they hold, and one changed byte breaks them', async (t) => {
  if (!needJudge(t, 'openssl', 'pdfsig', 'certutil')) return
  const options = { rsa: ['-md', 'sha512'], 'P-256': [], 'P-384': ['-md', 'sha384'], 'P-521': ['-md', 'sha512'] }
  for (const kind of ['rsa', 'P-256', 'P-384', 'P-521'] as const) {
    const signer = await makeOpensslSigner(folder, kind, `/CN=${kind}`)
    const bytes = await makeSigned({ sign: signBy(signer, ...options[kind]) })
    await expectBothSay(bytes, ['whole'])
    bytes[bytes.indexOf('Agreement')]! ^= 1
    await expectBothSay(bytes, ['broken'])
  }
})

test('RSA-PSS and Ed25519 signatures hold, and do not after one changed byte', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const pss = await makeSigned({ sign: signBy(ada, '-keyopt', 'rsa_padding_mode:pss') })
  assert.deepEqual(await readStates(pss), ['whole'])
  pss[pss.indexOf('Agreement')]! ^= 1
  assert.deepEqual(await readStates(pss), ['broken'])
})

test('pdfsig agrees that what was appended makes a signature hold for an earlier state only', async (t) => {
  if (!needJudge(t, 'openssl', 'pdfsig', 'certutil')) return
  const bytes = await makeSigned({ sign: signBy(ada) })
  await expectBothSay(appendObjects(bytes, [[9, '<< /Added true >>']], 10), ['part'])
  await expectBothSay(Buffer.concat([bytes, Buffer.from('\n')]), ['part'])
})

test('pdfsig agrees that of two signatures one after the other the second is about the whole file', async (t) => {
  if (!needJudge(t, 'openssl', 'pdfsig', 'certutil')) return
  const grace = await makeOpensslSigner(folder, 'P-256', '/CN=Grace Hopper')
  const bytes = await makeSigned({ sign: signBy(ada) }, { sign: signBy(grace) })
  await expectBothSay(bytes, ['part', 'whole'])
  assert.deepEqual(
    (await read(bytes)).map(({ signer }) => signer),
    ['Ada Lovelace', 'Grace Hopper'],
  )
})

test('pdfsig agrees that the signature of another file is broken', async (t) => {
  if (!needJudge(t, 'openssl', 'pdfsig', 'certutil')) return
  const other = Buffer.from('another file')
  const bytes = await makeSigned({ sign: () => signCms(folder, ada, other) })
  await expectBothSay(bytes, ['broken'])
})
