import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifySeal } from '@proofdesk/proof/verify-seal'
import { ensureIssuingKeys, type IssuingKeys } from './sealing/issuing-keys.ts'
import type { CertifyError } from './errors.ts'
import { type CertifyPool, openCertifyPool } from './pool.ts'
import { readResidentMemory } from './processes/resident-memory.ts'
import { expectWithin, makeLargePdf, makePdf, PATIENT } from './testing.ts'
import { makeSmallPage } from './testing/ambiguous-file.ts'
import { makeSlowPdf } from './testing/odd-pdfs.ts'
import { openWorkshop, type Workshop } from './testing/sample-request.ts'
import type { BuildRequest, BuiltRevision, PoolLimits, PrepareRequest, SourceDocument } from './types.ts'

const maxPages = 2000

let workshop: Workshop
let keysDir: string
let keys: IssuingKeys

before(async () => {
  workshop = await openWorkshop()
  keysDir = join(workshop.folder, 'keys')
  keys = await ensureIssuingKeys({ dir: keysDir, organisation: 'Notariat', passphrase: 'correct horse' })
})
after(() => workshop.close())

async function withPool(
  work: (pool: CertifyPool) => Promise<void>,
  limits: Partial<PoolLimits> = {},
  threads = 1,
): Promise<void> {
  const pool = openCertifyPool({ keysDir, passphrase: 'correct horse', limits: { ...PATIENT, ...limits }, threads })
  try {
    await work(pool)
  } finally {
    await pool.close()
  }
}

async function prepareIn(pool: CertifyPool, documents: SourceDocument[]): Promise<BuildRequest> {
  const request = workshop.prepareRequest(documents)
  return workshop.buildRequest({ ...(await pool.prepare(request)), path: request.outPath, documents })
}

/** On a machine that has no processor for it just now, once more. */
async function prepareUntilTaken(pool: CertifyPool, request: PrepareRequest): Promise<unknown> {
  return pool.prepare(request).catch((error: CertifyError) => {
    if (error.code === 'crowded') return prepareUntilTaken(pool, request)
    throw error
  })
}

async function writeUpload(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(workshop.folder, name)
  await writeFile(path, bytes)
  return path
}

test('A document is inspected, built and sealed through the pool, and the result verifies', async () => {
  await withPool(async (pool) => {
    const original = await workshop.addOriginal(makePdf({ pages: 3 }), 'PDF')
    assert.deepEqual(await pool.inspect(original.path, { maxPages }), {
      ok: true,
      type: 'PDF',
      pages: 3,
      isPictured: false,
    })
    const request = await prepareIn(pool, [original])
    const built = await pool.build(request)
    assert.equal(built.pages, 4)
    assert.equal(built.sizeBytes, (await stat(request.outPath)).size)
    const seal = await pool.seal({ path: request.outPath, ...built, signedAt: Date.now(), proof: null })
    const file = Buffer.concat([await readFile(request.outPath), seal.update])
    assert.equal(createHash('sha256').update(file).digest('hex'), seal.sha256)
    assert.equal((await verifySeal(file, { pins: [keys.caFingerprint] })).signer, keys.leafFingerprint)
  })
})

test('A file to be kept as pictures that only its full size keeps busy is refused when it comes, and does not fail when it is sent', async () => {
  const shading =
    '/S << /ShadingType 3 /ColorSpace /DeviceRGB /Coords [600 600 0 600 600 900] /Extend [true true] ' +
    '/Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >>'
  const bytes = makeSmallPage({
    content: `${'/S sh '.repeat(150)} BT /F1 12 Tf 20 20 Td (ONE) Tj 20 10 100 3 re f (TWO) Tj ET`,
    resources: `/Shading << ${shading} >>`,
    page: '/MediaBox [0 0 1247 1247]',
  })
  const path = await writeUpload('fine', bytes)
  await withPool(
    async (pool) => {
      assert.deepEqual(await pool.inspect(path, { maxPages }), { ok: false, reason: 'too_slow' })
    },
    { inspectProcessorMs: 4000 },
  )
})

test('A file that keeps the parser busy for ever is ended at its deadline, and the next one is inspected', async () => {
  const endless = await writeUpload('endless', makeSlowPdf())
  const honest = await writeUpload('honest', makePdf())
  await withPool(
    async (pool) => {
      const start = performance.now()
      const [first, second] = await Promise.all([
        // on a busy machine it is not the file that is too slow
        pool.inspect(endless, { maxPages }).catch(({ code }: CertifyError) => ({ ok: false, reason: code })),
        pool.inspect(honest, { maxPages }),
      ])
      assert.ok(!first.ok && ['too_slow', 'crowded'].includes(first.reason))
      assert.deepEqual(second, { ok: true, type: 'PDF', pages: 1, isPictured: false })
      expectWithin(performance.now() - start, 10_000, 'both files')
      assert.equal(pool.processIds().length, 1)
    },
    { inspectDeadlineMs: 700 },
  )
})

test('A process that takes too much memory is ended, and others work on', async (t) => {
  if (!existsSync('/proc/self/status')) {
    t.skip('no /proc on this machine: memory is bounded by V8 and the deadline alone')
    return
  }
  const large = await writeUpload('large', makeLargePdf(120e6))
  const honest = await writeUpload('honest', makePdf())
  await withPool(
    async (pool) => {
      assert.deepEqual(await pool.inspect(large, { maxPages }), { ok: false, reason: 'too_much_memory' })
      assert.deepEqual(await pool.inspect(honest, { maxPages }), { ok: true, type: 'PDF', pages: 1, isPictured: false })
    },
    { memoryBytes: 300 << 20 },
  )
})

test('A process that is killed from outside is replaced, and its job done by the next', async () => {
  const path = await writeUpload('honest', makePdf())
  await withPool(async (pool) => {
    await pool.inspect(path, { maxPages })
    const [idle] = pool.processIds()
    process.kill(idle!, 'SIGKILL')
    assert.equal((await pool.inspect(path, { maxPages })).ok, true)
    const [busy] = pool.processIds()
    assert.notEqual(busy, idle)
    const inspection = pool.inspect(path, { maxPages })
    process.kill(busy!, 'SIGKILL')
    assert.equal((await inspection).ok, true)
  })
})

test('A process that is busy for ever ends by itself when the server is killed', async (t) => {
  if (!existsSync('/proc/self/status')) {
    t.skip('no /proc on this machine to watch a process of another')
    return
  }
  const endless = await writeUpload('endless', makeSlowPdf())
  const program = `
    const { openCertifyPool } = await import(${JSON.stringify(new URL('pool.ts', import.meta.url).href)})
    const pool = openCertifyPool({ keysDir: '.', workDir: ${JSON.stringify(workshop.folder)}, threads: 1 })
    void pool.inspect(${JSON.stringify(endless)}, { maxPages: 1 })
    setTimeout(() => console.log(pool.processIds()[0]), 1500)`
  const server = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => server.kill('SIGKILL'))
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  const processId = Number(line.toString())
  server.kill('SIGKILL')
  const isAlive = (): boolean => readResidentMemory(processId) !== undefined
  assert.ok(isAlive(), 'busy')
  for (let i = 0; i < 80 && isAlive(); i++) await sleep(100)
  assert.ok(!isAlive(), 'ended')
})

test('Preparing or building past its deadline fails with a reason and leaves nothing at its path', async () => {
  const endless = workshop.prepareRequest([await workshop.addOriginal(makeSlowPdf(), 'PDF')])
  const honest = workshop.buildRequest(await workshop.prepare([await workshop.addOriginal(makePdf(), 'PDF')]))
  await withPool(
    async (pool) => {
      await assert.rejects(prepareUntilTaken(pool, endless), { code: 'build_too_slow' })
      await assert.rejects(pool.build(honest), { code: 'build_too_slow' })
      for (const { outPath } of [endless, honest]) assert.ok(!existsSync(outPath) && !existsSync(`${outPath}.part`))
    },
    { prepareProcessorMs: 700, buildDeadlineMs: 0, buildDeadlineMsPerMegabyte: 0 },
  )
})

test('What hardly had a processor is not called slow: preparing, building and verifying are told to come again', async () => {
  const original = await workshop.addOriginal(makePdf(), 'PDF')
  const request = workshop.buildRequest(await workshop.prepare([original]))
  await withPool(
    async (pool) => {
      const stopNewest = () => process.kill(pool.processIds().at(-1)!, 'SIGSTOP')
      await prepareIn(pool, [original])
      stopNewest()
      await assert.rejects(prepareIn(pool, [original]), { code: 'crowded' })
      await pool.build(request)
      stopNewest()
      await assert.rejects(pool.build({ ...request, outPath: `${request.outPath}.again` }), { code: 'crowded' })
      await pool.build({ ...request, outPath: `${request.outPath}.third` })
      stopNewest()
      const policy = new TextEncoder().encode('log')
      await assert.rejects(pool.verify({ path: request.outPath, policy, now: 0 }), { code: 'crowded' })
    },
    { prepareProcessorMs: 1500, buildDeadlineMs: 4000 },
  )
})

test('Preparing has more time for each further original', async () => {
  const honest = await workshop.addOriginal(makePdf(), 'PDF')
  const [one, several] = [workshop.prepareRequest([honest]), workshop.prepareRequest([honest, honest, honest])]
  await withPool(
    async (pool) => {
      await assert.rejects(pool.prepare(one), { code: 'build_too_slow' })
      assert.equal((await pool.prepare(several)).originals.length, 3)
    },
    { prepareProcessorMs: 0, prepareProcessorMsPerMegabyte: 0, inspectProcessorMs: 60_000 },
  )
})

test('A build does not delay an inspection, nor one that is under way a build or preparing', async () => {
  const honest = await workshop.addOriginal(makePdf(), 'PDF')
  const endless = await writeUpload('endless', makeSlowPdf())
  const request = workshop.buildRequest(await workshop.prepare([honest]))
  await withPool(async (pool) => {
    const { build, processId } = await stopBuild(pool, request)
    assert.equal((await pool.inspect(honest.path, { maxPages })).ok, true)
    process.kill(processId, 'SIGCONT')
    assert.equal((await build).pages, 2)
    const stuck = pool.inspect(endless, { maxPages }).catch(() => undefined)
    assert.equal((await prepareIn(pool, [honest])).originals.length, 1)
    assert.equal((await pool.build({ ...request, outPath: `${request.outPath}.again` })).pages, 2)
    await pool.close()
    await stuck
  })
})

test('A build that waits too long for a process is turned away and leaves nothing at its path', async () => {
  const prepared = await workshop.prepare([await workshop.addOriginal(makePdf(), 'PDF')])
  const late = workshop.buildRequest(prepared)
  await withPool(
    async (pool) => {
      const { build, processId } = await stopBuild(pool, workshop.buildRequest(prepared))
      await assert.rejects(pool.build(late), { code: 'crowded' })
      process.kill(processId, 'SIGCONT')
      await build
      assert.ok(!existsSync(late.outPath))
      assert.equal((await pool.build(late)).pages, 2)
    },
    { buildWaitMs: 5000 },
  )
})

test('A hundred builds that come at once wait for their turn, and none is turned away', async () => {
  const prepared = await workshop.prepare([await workshop.addOriginal(makePdf(), 'PDF')])
  await withPool(
    async (pool) => {
      const { build, processId } = await stopBuild(pool, workshop.buildRequest(prepared))
      const waiting = Promise.all(Array.from({ length: 100 }, () => pool.build(workshop.buildRequest(prepared))))
      process.kill(processId, 'SIGCONT')
      await build
      assert.equal((await waiting).length, 100)
    },
    // However slow the machine is.
    { buildWaitMs: 120_000 },
  )
})

/** A build that is under way and goes on only when its process is told to. */
async function stopBuild(
  pool: CertifyPool,
  request: BuildRequest,
): Promise<{ build: Promise<BuiltRevision>; processId: number }> {
  const others = pool.processIds()
  await pool.build({ ...request, outPath: `${request.outPath}.first` })
  const [processId] = pool.processIds().filter((id) => !others.includes(id))
  process.kill(processId!, 'SIGSTOP')
  return { build: pool.build(request), processId: processId! }
}

test('A document that cannot be certified is named with its reason', async () => {
  const good = await workshop.addOriginal(makePdf(), 'PDF')
  const bad = await workshop.addOriginal(Buffer.from('%PDF-1.7\nnothing\n%%EOF\n'), 'PDF')
  await withPool(async (pool) => {
    const request = workshop.prepareRequest([good, bad])
    await assert.rejects(pool.prepare(request), { code: 'document_refused', document: 1, reason: 'unreadable' })
  })
})

test('More work than processes waits its turn, and closing ends what waits', async () => {
  const path = await writeUpload('honest', makePdf())
  const endless = await writeUpload('endless', makeSlowPdf())
  const pool = openCertifyPool({ keysDir, threads: 2 })
  const verdicts = await Promise.all(Array.from({ length: 12 }, () => pool.inspect(path, { maxPages })))
  assert.ok(verdicts.every((verdict) => verdict.ok))
  assert.ok(pool.processIds().length <= 2)
  const stuck = [1, 2, 3].map(() => pool.inspect(endless, { maxPages }).catch((error: unknown) => error))
  await sleep(50)
  await pool.close()
  for (const error of await Promise.all(stuck)) assert.equal((error as { code: string }).code, 'closed')
  await assert.rejects(pool.inspect(path, { maxPages }), { code: 'closed' })
})

test('Keys that cannot be opened are an error of sealing, and are looked for again', async () => {
  const original = await workshop.addOriginal(makePdf(), 'PDF')
  const request = workshop.buildRequest(await workshop.prepare([original]))
  const dir = await mkdtemp(join(tmpdir(), 'certify-late-keys-'))
  const pool = openCertifyPool({ keysDir: dir, threads: 1 })
  try {
    const built = await pool.build(request)
    const order = { path: request.outPath, ...built, signedAt: Date.now(), proof: null }
    await assert.rejects(pool.seal(order), { code: 'keys_incomplete' })
    await ensureIssuingKeys({ dir, organisation: 'Late' })
    assert.ok((await pool.seal(order)).update.length > 0)
    await assert.rejects(pool.seal({ ...order, sha256: '00'.repeat(32) }), { code: 'revision_changed' })
  } finally {
    await pool.close()
    await rm(dir, { recursive: true })
  }
})

test('The calling thread is not held up while a large proof is built', async () => {
  const original = await workshop.addOriginal(makeLargePdf(12e6), 'PDF')
  await withPool(async (pool) => {
    // starting processes is not what is measured
    await pool.build(await prepareIn(pool, [original]))
    const start = process.threadCpuUsage()
    const request = await prepareIn(pool, [original, original, original])
    const built = await pool.build(request)
    await pool.seal({ path: request.outPath, ...built, signedAt: Date.now(), proof: null })
    const { user, system } = process.threadCpuUsage(start)
    // Its own processor time, which does not count what else runs here: the work itself takes 150 ms and more.
    assert.ok(user + system < 100_000, `${user + system} µs`)
  })
})
