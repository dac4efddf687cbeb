import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { ensureIssuingKeys, loadSigningKey } from '../sealing/issuing-keys.ts'
import { sealRevision0 } from '../sealing/seal.ts'
import { makePdf, needJudge, runJudge } from '../testing.ts'
import { makeOpensslSigner, type OpensslSigner, signBy, signByEd25519, signCms } from '../testing/openssl-signer.ts'
import { openWorkshop } from '../testing/sample-request.ts'
import { addSignature, appendObjects, makeSignablePdf, readObject, signPdf } from '../testing/signed-pdfs.ts'
import { readSignatures } from './read-signatures.ts'
import type { UploadSignature } from '../types.ts'

// NSS otherwise measures for seconds how fast the disk is, anew in each run of pdfsig
process.env.NSS_SDB_USE_CACHE = 'no'

let folder: string
let ada: OpensslSigner

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signatures-'))
  ada = await makeOpensslSigner(folder, 'rsa', '/O=Engines/CN=Ada Lovelace')
})
after(() => rm(folder, { recursive: true, force: true }))

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
  const earliest = Math.floor(Date.now() / 1000) * 1000
  const [signature] = await read(await signPdf({ sign: signBy(folder, ada) }))
  assert.ok(signature!.signedAt! >= earliest && signature!.signedAt! <= Date.now())
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
    const bytes = await signPdf({ sign: signBy(folder, signer, ...options[kind]) })
    await expectBothSay(bytes, ['whole'])
    bytes[bytes.indexOf('Agreement')]! ^= 1
    await expectBothSay(bytes, ['broken'])
  }
})

test('RSA-PSS and Ed25519 signatures hold, and do not after one changed byte', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const edwards = await makeOpensslSigner(folder, 'ed25519', '/CN=Edwards')
  const pss = ['-keyopt', 'rsa_padding_mode:pss']
  for (const sign of [signBy(folder, ada, ...pss), signByEd25519(edwards)]) {
    const bytes = await signPdf({ sign })
    assert.deepEqual(await readStates(bytes), ['whole'])
    bytes[bytes.indexOf('Agreement')]! ^= 1
    assert.deepEqual(await readStates(bytes), ['broken'])
  }
})

test('Signatures without signed attributes, by key identifier and of CAdES hold as well', async (t) => {
  if (!needJudge(t, 'openssl', 'pdfsig', 'certutil')) return
  for (const option of ['-noattr', '-keyid', '-cades']) {
    const bytes = await signPdf({ sign: signBy(folder, ada, option), subFilter: 'ETSI.CAdES.detached' })
    // NSS does not find a certificate that came along by its key identifier
    const judge = option === '-keyid' ? readStates : askPdfsig
    assert.deepEqual([await readStates(bytes), await judge(bytes)], [['whole'], ['whole']])
    bytes[bytes.indexOf('Agreement')]! ^= 1
    assert.deepEqual([await readStates(bytes), await judge(bytes)], [['broken'], ['broken']])
  }
})

test('A seal of our own is a signature by the organisation that holds, at the time in its dictionary', async () => {
  const workshop = await openWorkshop()
  try {
    const dir = join(workshop.folder, 'keys')
    await ensureIssuingKeys({ dir, organisation: 'دفتر اسناد Müller' })
    const { key, leaf, ca } = await loadSigningKey(dir)
    const revision = await workshop.certify([await workshop.addOriginal(makePdf(), 'PDF')])
    const sealing = { ...revision, signedAt: Date.UTC(2026, 10, 22, 9, 8, 7), proof: null }
    const seal = await sealRevision0(sealing, { key, certificate: leaf.raw, chain: [ca.raw] })
    assert.deepEqual(await read(Buffer.concat([await readFile(revision.path), seal.update])), [
      {
        signer: 'دفتر اسناد Müller',
        issuer: 'Proofdesk CA دفتر اسناد Müller',
        signedAt: sealing.signedAt,
        timeBy: 'signer',
        state: 'whole',
        kind: 'signature',
      },
    ])
  } finally {
    await workshop.close()
  }
})

test('pdfsig agrees that what was appended makes a signature hold for an earlier state only', async (t) => {
  if (!needJudge(t, 'openssl', 'pdfsig', 'certutil')) return
  const bytes = await signPdf({ sign: signBy(folder, ada) })
  await expectBothSay(appendObjects(bytes, [[9, '<< /Added true >>']], 10), ['part'])
  await expectBothSay(Buffer.concat([bytes, Buffer.from('\n')]), ['part'])
})

test('pdfsig agrees that of two signatures one after the other the second is about the whole file', async (t) => {
  if (!needJudge(t, 'openssl', 'pdfsig', 'certutil')) return
  const grace = await makeOpensslSigner(folder, 'P-256', '/CN=Grace Hopper')
  const bytes = await signPdf({ sign: signBy(folder, ada) }, { sign: signBy(folder, grace) })
  await expectBothSay(bytes, ['part', 'whole'])
  assert.deepEqual(
    (await read(bytes)).map(({ signer }) => signer),
    ['Ada Lovelace', 'Grace Hopper'],
  )
})

test('pdfsig agrees that the signature of another file is broken', async (t) => {
  if (!needJudge(t, 'openssl', 'pdfsig', 'certutil')) return
  const other = Buffer.from('another file')
  const bytes = await signPdf({ sign: () => signCms(folder, ada, other) })
  await expectBothSay(bytes, ['broken'])
})

test('Fields below others and fields that only a page shows are found, and a field below itself ends', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const sign = signBy(folder, ada)
  assert.deepEqual(await readStates(await signPdf({ sign, place: 'kid' }, { sign, place: 'page' })), ['part', 'whole'])
})

test('A dictionary that two fields name, and a copy of it, are told once', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const bytes = await signPdf({ sign: signBy(folder, ada) })
  const dictionary = readObject(bytes, 6)
  const again = appendObjects(
    bytes,
    [
      [1, '<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [7 0 R 9 0 R 10 0 R] >> >>'],
      [9, '<< /FT /Sig /T (Again) /V 6 0 R >>'],
      [10, '<< /FT /Sig /T (Copy) /V 11 0 R >>'],
      [11, dictionary],
    ],
    12,
  )
  assert.deepEqual(await readStates(again), ['part'])
})

test('Without a signing time the date of the dictionary counts, as it was when it was signed', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const bytes = await signPdf({ sign: signBy(folder, ada, '-noattr') })
  const [first] = await read(bytes)
  assert.deepEqual([first!.signedAt, first!.timeBy], [Date.UTC(2026, 0, 2, 2, 4, 5), 'signer'])
  const later = appendObjects(bytes, [[6, readObject(bytes, 6).replace('D:2026', 'D:1999')]], 9)
  const [changed] = await read(later)
  assert.deepEqual([changed!.signedAt, changed!.state], [first!.signedAt, 'part'])
})

test('The date of another object is not that of the signature', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const { bytes, fields } = makeSignablePdf()
  const base = { bytes: appendObjects(bytes, [[6, '<< /M (D:19990102030405Z) >>']], 7), next: 7, fields }
  const signed = await addSignature(base, { sign: signBy(folder, ada, '-noattr'), keys: '' })
  const [signature] = await read(signed.bytes)
  assert.deepEqual([signature!.state, signature!.signedAt, signature!.timeBy], ['whole', null, null])
})

test('The bytes that are judged stay as they were uploaded, also where the parser mends them', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const bytes = await signPdf({ sign: signBy(folder, ada), keys: '/Prop_Build << /A 1 ) >>' })
  const kept = Buffer.from(bytes)
  assert.deepEqual(await readStates(bytes), ['whole'])
  assert.ok(bytes.equals(kept))
})

test('No more than 32 signatures are read', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const container = await signCms(folder, ada, Buffer.from('something'))
  const bytes = await signPdf(...Array.from({ length: 34 }, () => ({ sign: () => container })))
  assert.deepEqual(
    await readStates(bytes),
    Array.from({ length: 32 }, () => 'broken'),
  )
})
