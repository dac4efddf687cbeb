import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { type CertifyPool, openCertifyPool } from './pool.ts'
import { readResidentMemory } from './processes/resident-memory.ts'
import { expectWithin, HOSTILE_FILES, type HostileFile, makePdf, needJudge, PATIENT, runJudge } from './testing.ts'
import { openWorkshop, type Workshop } from './testing/sample-request.ts'
import type { SourceDocument } from './types.ts'

// less than a file that is stuck keeps its process, which is until its deadline
const NEXT_FILE_MS = 5000
const maxPages = 2000

let workshop: Workshop
let pool: CertifyPool
let honest: SourceDocument

before(async () => {
  workshop = await openWorkshop()
  // one process: whatever keeps it busy keeps the next file waiting
  pool = openCertifyPool({ keysDir: workshop.folder, workDir: workshop.folder, threads: 1, limits: PATIENT })
  honest = await workshop.addOriginal(makePdf(), 'PDF')
})
after(async () => {
  await pool.close()
  await workshop.close()
})

async function expectIdle(): Promise<void> {
  const start = performance.now()
  assert.deepEqual(await pool.inspect(honest.path, { maxPages }), {
    ok: true,
    type: 'PDF',
    pages: 1,
    isPictured: false,
  })
  expectWithin(performance.now() - start, NEXT_FILE_MS, 'the next file')
  // one that inspects; one that prepares and one that builds, where something was certified
  assert.ok(pool.processIds().length <= 3)
}

/** What is certified of a file that is taken. */
async function certify(original: SourceDocument): Promise<{ path: string; bytes: Buffer; removed: string[] }> {
  const order = workshop.prepareRequest([original])
  const prepared = await pool.prepare(order)
  const request = workshop.buildRequest({ ...prepared, path: order.outPath, documents: [original] })
  await pool.build(request)
  return { path: request.outPath, bytes: await readFile(request.outPath), removed: prepared.originals[0]!.removed }
}

for (const [group, files] of Object.entries(HOSTILE_FILES)) {
  test(`hostile files are refused with a reason or certified without what harms: ${group}`, async (t) => {
    for (const file of files) await t.test(file.name, (part) => expectFate(part, file))
  })
}

async function expectFate(
  t: { diagnostic(line: string): void; skip(reason?: string): void },
  { name, make, fate }: HostileFile,
): Promise<void> {
  const stored = await workshop.addOriginal(await make(), 'PDF')
  const start = performance.now()
  const verdict = await pool.inspect(stored.path, { maxPages })
  const milliseconds = performance.now() - start
  t.diagnostic(`${name}: ${verdict.ok ? `${verdict.pages} pages` : verdict.reason}, ${milliseconds.toFixed(0)} ms`)
  if ('refused' in fate) {
    assert.ok(!verdict.ok && fate.refused.includes(verdict.reason), JSON.stringify(verdict))
    await expectIdle()
    return
  }
  assert.ok(verdict.ok && verdict.pages === fate.taken, JSON.stringify(verdict))
  const certified = await certify({ ...stored, type: verdict.type })
  if (fate.removed !== undefined) assert.deepEqual(certified.removed, fate.removed)
  for (const word of fate.gone ?? []) assert.ok(!certified.bytes.includes(Buffer.from(word, 'latin1')), word)
  await expectIdle()
  // 2 means damaged, 3 means odd
  if (needJudge(t, 'qpdf')) assert.notEqual((await runJudge('qpdf', '--check', certified.path)).code, 2)
}

test('A bomb takes no memory: neither the process that refuses it nor the one that asked grows by 100 MB', async () => {
  const [bomb] = HOSTILE_FILES.bombs!
  const path = (await workshop.addOriginal(await bomb!.make(), 'PDF')).path
  await expectIdle()
  const [child] = pool.processIds()
  const ids = [child!, process.pid]
  const idle = ids.map((id) => readResidentMemory(id))
  if (idle.includes(undefined)) return
  const most = [0, 0]
  const watch = setInterval(() => {
    for (const [i, id] of ids.entries()) most[i] = Math.max(most[i]!, (readResidentMemory(id) ?? 0) - idle[i]!)
  }, 5)
  assert.deepEqual(await pool.inspect(path, { maxPages }), { ok: false, reason: 'decompression_bomb' })
  clearInterval(watch)
  for (const grown of most) assert.ok(grown < 100 << 20, `${most.join(', ')} bytes`)
})
