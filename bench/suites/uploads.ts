import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePdf } from '@proofdesk/server/testing/small-files'
import { awaitIdle, openCaller, sendForm, writeForm } from '../collections.ts'
import { makePhotograph } from '../photograph.ts'
import { runBareProgram, type Told } from '../processes/bare-program.ts'
import { signIn, startProduct, UNLIMITED } from '../processes/product.ts'
import { signDjangoToken, startDjango, startRawUpload, whyNoDjango } from '../processes/rivals.ts'
import type { Running } from '../processes/running.ts'
import { findRatio, type Figure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'
import { toRawProgram } from './sign-in.ts'

/** A collection holds 200 MB. */
const UPLOADS_EACH = 20

/** One person sends one file after the other: a scan, and a photograph as telephones take them. */
export const measureUploads: Suite = async ({ effort, instances }) => {
  const { folder, owner } = await instances.copy(effort.small)
  const scan = keepFile(join(folder, 'scan.pdf'), makePdf(1, 'Scan', effort.fileBytes))
  const photograph = keepFile(join(folder, 'photograph.jpg'), await makePhotograph())
  const noDjango = whyNoDjango()
  const starts = [
    () => startProduct(folder, { part: 'everywhere', env: UNLIMITED }),
    () => startRawUpload(folder),
    noDjango === undefined ? () => startDjango(folder) : undefined,
  ] as const
  return withServers(starts, async (server, raw, django) => {
    await mustKeepWhole(raw, scan.bytes)
    const headers = await signIn(server, owner.username)
    const { lasts } = effort
    const contestants = {
      scan: await openUploads(server, headers, scan.bytes, lasts),
      scanByHand: await openBareUploads(raw, '/', {}, scan.bytes, lasts),
      keepingScan: () => runBareProgram('hash-and-keep', lasts, folder, scan.path),
      peer: django
        ? await openBareUploads(django, '/uploads/', signDjangoToken(owner.id), scan.bytes, lasts)
        : undefined,
      photograph: await openUploads(server, headers, photograph.bytes, lasts),
      keepingPhotograph: () => runBareProgram('hash-and-keep', lasts, folder, photograph.path),
      decoding: () => runBareProgram('decode-photograph', lasts, photograph.path),
    }
    const told: Record<keyof typeof contestants, Told[]> = {
      scan: [],
      scanByHand: [],
      keepingScan: [],
      peer: [],
      photograph: [],
      keepingPhotograph: [],
      decoding: [],
    }
    const names = Object.keys(told) as (keyof typeof told)[]
    if (effort.warmsUp > 0) for (const name of names) await contestants[name]?.()
    for (let round = 0; round < effort.rounds; round += 1)
      for (const name of names) {
        const one = await contestants[name]?.()
        if (one) told[name].push(one)
        // Thumbnails are drawn behind an upload, and would be counted to whoever comes next.
        await awaitIdle(server)
      }

    const rates = (some: Told[]) => some.map(({ count, seconds }) => count / seconds)
    const times = (some: Told[]) => some.map(({ count, seconds }) => seconds / count)
    const withoutDecoding = times(told.photograph).map((time, round) => time - (times(told.decoding)[round] ?? 0))
    const figures: Figure[] = [
      {
        name: 'a scan / hash, write and fsync',
        against: `a PDF of ${sayMegabytes(scan.bytes)} with its checks, against a program that only keeps it; a second`,
        value: findRatio(rates(told.scan), rates(told.keepingScan)),
        unit: 'x',
        better: 'more',
        must: 0.35,
        aim: 0.6,
        raw: [toRawProgram('the scan', told.scan), toRawProgram('hash, write and fsync of it', told.keepingScan)],
      },
      {
        name: 'a scan by hand / hash, write and fsync',
        against:
          'the same file, received by node:http and kept in the same way, without checks and without a database; a second',
        value: findRatio(rates(told.scanByHand), rates(told.keepingScan)),
        unit: 'x',
        better: 'more',
        raw: [toRawProgram('the scan by hand', told.scanByHand)],
      },
      {
        name: 'a photograph without its decoding / hash, write and fsync',
        against: `${sayMegabytes(photograph.bytes)}, 12 megapixels; the whole call less the decoding of it, against a program that only keeps it`,
        value: findRatio(withoutDecoding, times(told.keepingPhotograph)),
        unit: 'x',
        better: 'less',
        must: 3,
        raw: [
          toRawProgram('the photograph', told.photograph),
          toRawProgram('hash, write and fsync of it', told.keepingPhotograph),
          toRawProgram('decoding it', told.decoding),
        ],
      },
    ]
    if (told.peer.length > 0)
      figures.splice(1, 0, {
        name: 'a scan / Django REST Framework',
        against: 'the same file, which is hashed and kept there, not checked; a second',
        value: findRatio(rates(told.scan), rates(told.peer)),
        unit: 'x',
        better: 'more',
        must: 1.4,
        aim: 2.5,
        raw: [toRawProgram('Django REST Framework', told.peer)],
      })
    return { figures, leftOut: noDjango === undefined ? [] : [noDjango] }
  })
}

/** @throws where it keeps something else than was sent: it would be no rival. */
async function mustKeepWhole(raw: Running, file: Buffer): Promise<void> {
  const { body, contentType } = await writeForm(file, 'file')
  const answer = await fetch(`http://127.0.0.1:${raw.port}/`, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: Buffer.from(body),
  })
  assert.deepEqual(await answer.json(), { sha256: createHash('sha256').update(file).digest('hex') })
}

function keepFile(path: string, bytes: Buffer): { path: string; bytes: Buffer } {
  writeFileSync(path, bytes)
  return { path, bytes }
}

const sayMegabytes = (bytes: Uint8Array) => `${(bytes.length / 1e6).toFixed(1)} MB`

/** One upload after the other for so long. That collections are made for them is not counted. */
async function openUploads(
  server: Running,
  headers: Record<string, string>,
  file: Buffer,
  lasts: number,
): Promise<() => Promise<Told>> {
  const caller = openCaller(server, headers)
  const open = async () => writeForm(file, 'file', await caller.createCollection())
  let [form, used] = [await open(), 0]
  return () =>
    repeatFor(lasts, async () => {
      if (used === UPLOADS_EACH) [form, used] = [await open(), 0]
      used += 1
      return () => caller.upload(form)
    })
}

async function openBareUploads(
  peer: Running,
  path: string,
  headers: Record<string, string>,
  file: Buffer,
  lasts: number,
): Promise<() => Promise<Told>> {
  const form = await writeForm(file, 'file')
  const upload = () => sendForm(peer, path, headers, form)
  return () => repeatFor(lasts, () => upload)
}

/** @param prepare Gives the next thing to do; the time it takes is not counted. */
async function repeatFor(
  lasts: number,
  prepare: () => (() => Promise<void>) | Promise<() => Promise<void>>,
): Promise<Told> {
  let [count, spent] = [0, 0]
  while (spent < lasts) {
    const work = await prepare()
    const begin = performance.now()
    await work()
    spent += performance.now() - begin
    count += 1
  }
  return { count, seconds: spent / 1000 }
}
