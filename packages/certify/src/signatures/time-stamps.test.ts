import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { needJudge, runJudge } from '../testing.ts'
import {
  attachTimeStamp,
  makeOpensslSigner,
  makeTimeStampSigner,
  type OpensslSigner,
  readValue,
  signBy,
  signCms,
  stampByHand,
  stampTime,
} from '../testing/openssl-signer.ts'
import { appendObjects, findGap, signPdf } from '../testing/signed-pdfs.ts'
import { readSignatures } from './read-signatures.ts'
import type { UploadSignature } from '../types.ts'

let folder: string
let ada: OpensslSigner
let clock: OpensslSigner

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'time-stamps-'))
  ada = await makeOpensslSigner(folder, 'rsa', '/O=Engines/CN=Ada Lovelace')
  clock = await makeTimeStampSigner(folder)
})
after(() => rm(folder, { recursive: true, force: true }))

async function readOne(bytes: Uint8Array): Promise<UploadSignature> {
  const [signature, ...others] = await readSignatures(bytes, 100)
  assert.equal(others.length, 0)
  return signature!
}

/** A signature by Ada that has no signing time of its own, with a token about `about`. */
async function signWithStamp(
  about: (value: Uint8Array<ArrayBuffer>) => Uint8Array,
  change: (token: Uint8Array<ArrayBuffer>) => void = () => undefined,
): Promise<Buffer> {
  return signPdf({
    async sign(content) {
      const container = await signCms(folder, ada, content, '-noattr')
      const token = await stampTime(folder, clock, about(readValue(container)))
      change(token)
      return attachTimeStamp(container, token)
    },
  })
}

const CLAIMED = { signedAt: Date.UTC(2026, 0, 2, 2, 4, 5), timeBy: 'signer' }

test('The time of a token about the signature is told as that of an authority', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const earliest = Math.floor(Date.now() / 1000) * 1000
  const signature = await readOne(await signWithStamp((value) => value))
  assert.ok(signature.signedAt! >= earliest && signature.signedAt! <= Date.now())
  assert.deepEqual(
    [signature.timeBy, signature.state, signature.kind, signature.signer],
    ['authority', 'whole', 'signature', 'Ada Lovelace'],
  )
})

test('Of several tokens the first counts', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const bytes = await signPdf({
    async sign(content) {
      const container = await signCms(folder, ada, content, '-noattr')
      const good = await stampTime(folder, clock, readValue(container))
      return attachTimeStamp(container, good, await stampTime(folder, clock, Buffer.from('another signature')))
    },
  })
  const { state, timeBy } = await readOne(bytes)
  assert.deepEqual([state, timeBy], ['whole', 'authority'])
})

test('A token about something else, or with one changed byte, tells no time; the signature still holds', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const others = [
    await signWithStamp(() => Buffer.from('another signature')),
    await signWithStamp(
      (value) => value,
      (token) => (token[token.length - 1]! ^= 1),
    ),
    await signWithStamp(
      (value) => value,
      (token) => {
        const year = Buffer.from(token.buffer).indexOf(`${new Date().getUTCFullYear()}`)
        token[year + 3]! ^= 1
      },
    ),
  ]
  for (const bytes of others) {
    const { signedAt, timeBy, state } = await readOne(bytes)
    assert.deepEqual({ signedAt, timeBy, state }, { ...CLAIMED, state: 'whole' })
  }
})

test('What is no time stamp of an authority leaves the time to the signer, and a document with it unknown', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const purpose = ['-addext', 'extendedKeyUsage=critical,timeStamping']
  const old = await makeOpensslSigner(folder, 'rsa', '/O=Time Office/CN=Stopped', ...purpose, '-days', '1')
  const imitators: [what: string, signer: OpensslSigner, signing: OpensslSigner, later?: boolean][] = [
    ['not for that purpose', await makeOpensslSigner(folder, 'rsa', '/O=Engines/CN=No Clock'), ada],
    ['the signer’s own', clock, clock],
    ['not valid then', old, ada, true],
  ]
  for (const [what, signer, signing, isLater] of imitators) {
    const stamp = (content: Uint8Array) => stampByHand(folder, signer, content, isLater ? 2 * 86_400_000 : 0)
    const signature = await readOne(
      await signPdf({
        async sign(content) {
          const container = await signCms(folder, signing, content, '-noattr')
          return attachTimeStamp(container, await stamp(readValue(container)))
        },
      }),
    )
    assert.deepEqual(
      [signature.timeBy, signature.signedAt, signature.state],
      ['signer', CLAIMED.signedAt, 'whole'],
      what,
    )
    if (signing === clock) continue
    const document = await readOne(await signPdf({ subFilter: 'ETSI.RFC3161', keys: '', sign: stamp }))
    assert.deepEqual([document.state, document.timeBy, document.signedAt], ['unknown', null, null], what)
  }
  // The same by hand, as an authority makes it, and without the name of its certificate.
  for (const [isNamed, timeBy] of [
    [true, 'authority'],
    [false, 'signer'],
  ] as const) {
    const bytes = await signPdf({
      async sign(content) {
        const container = await signCms(folder, ada, content, '-noattr')
        return attachTimeStamp(container, await stampByHand(folder, clock, readValue(container), 0, isNamed))
      },
    })
    assert.equal((await readOne(bytes)).timeBy, timeBy)
  }
})

test('openssl agrees about a document time-stamp: it holds, and does not after one changed byte', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const bytes = await stampDocument()
  const { signedAt, ...rest } = await readOne(bytes)
  assert.ok(Math.abs(signedAt! - Date.now()) < 60_000)
  assert.deepEqual(rest, {
    signer: 'Clock One',
    issuer: 'Clock One',
    timeBy: 'authority',
    state: 'whole',
    kind: 'time_stamp',
  })
  assert.ok(await isGoodToken(bytes))
  const longer = await readOne(appendObjects(bytes, [[9, '<< /Added true >>']], 10))
  assert.equal(longer.state, 'part')
  bytes[bytes.indexOf('Agreement')]! ^= 1
  assert.equal((await readOne(bytes)).state, 'broken')
  assert.ok(!(await isGoodToken(bytes)))
})

test('A document time-stamp whose token was changed is broken and tells no time', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const bytes = await signPdf({
    subFilter: 'ETSI.RFC3161',
    async sign(content) {
      const token = await stampTime(folder, clock, content)
      token[token.length - 1]! ^= 1
      return token
    },
  })
  const { state, signedAt, timeBy } = await readOne(bytes)
  assert.deepEqual([state, signedAt, timeBy], ['broken', null, null])
})

test('A time stamp over SHA-1 is not judged', async (t) => {
  if (!needJudge(t, 'openssl')) return
  assert.equal((await readOne(await stampDocument('sha1'))).state, 'unknown')
})

test('A signature in the place of a time stamp, and a time stamp in that of a signature, are broken', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const signature = await signPdf({ subFilter: 'ETSI.RFC3161', sign: signBy(folder, ada) })
  const stamp = await signPdf({ sign: (content) => stampTime(folder, clock, content) })
  assert.deepEqual([(await readOne(signature)).state, (await readOne(stamp)).state], ['broken', 'broken'])
})

function stampDocument(digest?: string): Promise<Buffer> {
  return signPdf({ subFilter: 'ETSI.RFC3161', keys: '', sign: (content) => stampTime(folder, clock, content, digest) })
}

async function isGoodToken(bytes: Buffer): Promise<boolean> {
  const { start, end } = findGap(bytes)
  const [data, token] = [join(folder, 'data'), join(folder, 'token')]
  await writeFile(data, Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]))
  await writeFile(token, Buffer.from(bytes.toString('latin1', start + 1, end - 1).replace(/(?:00)+$/, ''), 'hex'))
  const files = ['-data', data, '-in', token, '-token_in', '-CAfile', clock.certificatePath]
  return (await runJudge('openssl', 'ts', '-verify', ...files)).code === 0
}
