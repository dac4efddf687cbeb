import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePdf } from '@proofdesk/server/testing/small-files'
import { openCaller, writeForm, type Caller } from '../collections.ts'
import { makePhotograph } from '../photograph.ts'
import { runBareProgram } from '../processes/bare-program.ts'
import { signIn, startProduct, UNLIMITED } from '../processes/product.ts'
import { findMedian, findRatio, type Figure, type RawFigure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

const LOOK_EVERY_MS = 4
const FILES = 10

/** What one person waits for while nobody else is there: until files are prepared, and until they are a certified PDF. */
export const measureProofs: Suite = async ({ effort, instances }) => {
  if (spawnSync('qpdf', ['--version']).status !== 0)
    return { figures: [], leftOut: ['qpdf: not installed (Debian: qpdf)'] }
  const { folder, owner, staff } = await instances.copy(effort.small)
  const files = mkdtempSync(join(tmpdir(), 'proofdesk-proofs-'))
  try {
    return await withServers([() => startProduct(folder, { part: 'everywhere', env: UNLIMITED })], async (server) => {
      const ownerCalls = openCaller(server, await signIn(server, owner.username))
      const staffCalls = openCaller(server, await signIn(server, staff))
      const scans = Array.from({ length: FILES }, (_, index) => makePdf(1, `Scan ${index}`, effort.fileBytes))
      const plain = [makePdf(effort.pages, 'Plain page')]
      const photograph = await makePhotograph()
      const photographFile = join(files, 'photograph.jpg')
      writeFileSync(photographFile, photograph)

      const scansFor = await measureRounds(effort, {
        proof: () => timeProof(ownerCalls, staffCalls, scans),
        copying: openCopying(files, 'scan', scans),
      })
      const plainFor = await measureRounds(effort, {
        preparing: () => timePreparing(ownerCalls, plain),
        proof: () => timeProof(ownerCalls, staffCalls, plain),
        copying: openCopying(files, 'plain', plain),
      })
      const photographFor = await measureRounds(effort, {
        preparing: () => timePreparing(ownerCalls, [photograph]),
        decoding: async () => {
          const { count, seconds } = await runBareProgram('decode-photograph', effort.warmsUp, photographFile)
          return (1000 * seconds) / count
        },
      })
      const megabytes = (effort.fileBytes / 1e6).toString()
      const figures: Figure[] = [
        {
          name: `a proof of ${FILES} files of ${megabytes} MB / qpdf`,
          against: 'sent, prepared, approved and sealed, against qpdf that puts the same files into one',
          value: findRatio(scansFor.proof, scansFor.copying),
          unit: 'x',
          better: 'less',
          must: 1,
          aim: 0.7,
          raw: [toRawTimes('the proof', scansFor.proof), toRawTimes('qpdf', scansFor.copying)],
        },
        {
          name: `a proof of ${effort.pages} pages / qpdf`,
          against: 'the same, of plain pages in one file',
          value: findRatio(plainFor.proof, plainFor.copying),
          unit: 'x',
          better: 'less',
          must: 1,
          aim: 0.75,
          raw: [
            toRawTimes('the proof of plain pages', plainFor.proof),
            toRawTimes('preparing them', plainFor.preparing),
            toRawTimes('qpdf, plain pages', plainFor.copying),
          ],
        },
        {
          name: `preparing ${effort.pages} plain pages / qpdf`,
          against: 'from sending until the review document can be read',
          value: findRatio(plainFor.preparing, plainFor.copying),
          unit: 'x',
          better: 'less',
          must: 1.2,
          raw: [],
        },
        {
          name: 'preparing a photograph, beyond decoding it',
          against: `${(photograph.length / 1e6).toFixed(1)} MB, 12 megapixels`,
          value: findMedian(photographFor.preparing.map((ms, round) => ms - (photographFor.decoding[round] ?? 0))),
          unit: 'ms',
          better: 'less',
          must: 50,
          raw: [
            toRawTimes('preparing the photograph', photographFor.preparing),
            toRawTimes('decoding it', photographFor.decoding),
          ],
        },
      ]
      return { figures, leftOut: [] }
    })
  } finally {
    rmSync(files, { recursive: true })
  }
}

/** Each in turn, round after round; one round before does not count. @returns ms of each. */
async function measureRounds<Name extends string>(
  { rounds, warmsUp }: { rounds: number; warmsUp: number },
  contestants: Record<Name, () => number | Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contestants) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  if (warmsUp > 0) for (const name of names) await contestants[name]()
  for (let round = 0; round < rounds; round += 1) for (const name of names) times[name].push(await contestants[name]())
  return times
}

async function fillCollection(owner: Caller, files: readonly Buffer[]): Promise<number> {
  const id = await owner.createCollection()
  for (const file of files) await owner.upload(await writeForm(file, 'file', id))
  return id
}

async function timePreparing(owner: Caller, files: readonly Buffer[]): Promise<number> {
  const id = await fillCollection(owner, files)
  const begin = performance.now()
  await owner.send(id)
  await owner.awaitPrepared(id, LOOK_EVERY_MS)
  return performance.now() - begin
}

async function timeProof(owner: Caller, staff: Caller, files: readonly Buffer[]): Promise<number> {
  const id = await fillCollection(owner, files)
  const begin = performance.now()
  await owner.send(id)
  await staff.approve(id)
  return performance.now() - begin
}

function openCopying(folder: string, name: string, files: readonly Buffer[]): () => number {
  const paths = files.map((file, index) => {
    const path = join(folder, `${name}-${index}.pdf`)
    writeFileSync(path, file)
    return path
  })
  return () => {
    const begin = performance.now()
    const { status, stderr } = spawnSync('qpdf', ['--empty', '--pages', ...paths, '--', join(folder, 'copied.pdf')])
    if (status !== 0) throw new Error(`qpdf: ${stderr.toString()}`)
    return performance.now() - begin
  }
}

function toRawTimes(name: string, times: readonly number[]): RawFigure {
  return {
    name,
    values: { 'median ms': findMedian(times), 'least ms': Math.min(...times), 'most ms': Math.max(...times) },
  }
}
