import assert from 'node:assert/strict'
import { execFile, type ChildProcess } from 'node:child_process'
import diagnostics from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { openCertifyPool, type CertifyPool } from '../pool.ts'
import { expectWithin, makePdf } from '../testing.ts'
import { makeSlowPdf } from '../testing/odd-pdfs.ts'
import type { Inspection, PoolLimits } from '../types.ts'
import { openProcessFleet } from './process-fleet.ts'

const ADA = 1
const EVE = 2
const maxPages = 10

let folder: string
let honest: string
let endless: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certify-fleet-'))
  honest = join(folder, 'honest')
  endless = join(folder, 'endless')
  await writeFile(honest, makePdf())
  await writeFile(endless, makeSlowPdf())
})
after(() => rm(folder, { recursive: true, force: true }))

async function withPool(
  threads: number,
  limits: Partial<PoolLimits>,
  work: (pool: CertifyPool) => Promise<void>,
): Promise<void> {
  const pool = openCertifyPool({ keysDir: folder, workDir: folder, threads, limits })
  try {
    // processes are started when needed: both are warm before anything is measured
    await Promise.all(Array.from({ length: threads }, () => inspectPatiently(pool)))
    await work(pool)
  } finally {
    await pool.close()
  }
}

/** Asks again as often as a process takes longer to start than a file may wait. */
async function inspectPatiently(pool: CertifyPool): Promise<Inspection> {
  try {
    return await pool.inspect(honest, { maxPages }, ADA)
  } catch (error) {
    if ((error as { code?: string }).code === 'crowded') return inspectPatiently(pool)
    throw error
  }
}

test('A file has its place in the queue from the moment it is handed in', async () => {
  const pool = openCertifyPool({ keysDir: folder, workDir: folder, threads: 1 })
  const inspection = pool.inspect(honest, { maxPages })
  assert.equal(pool.processIds().length, 1)
  assert.equal((await inspection).ok, true)
  await pool.close()
})

test('What ends something that was begun is taken up before all that only begins, each in its order', async () => {
  const fleet = openProcessFleet({ size: 1, memoryBytes: 1 << 30, workDir: folder })
  const done: string[] = []
  const run = async (name: string, isLastStep: boolean) => {
    await fleet.run({ kind: 'inspect', path: honest, limits: { maxPages } }, { deadlineMs: 60_000, isLastStep })
    done.push(name)
  }
  // None is under way before its process has started.
  await Promise.all([run('first', false), run('second', false), run('end', true), run('next end', true)])
  await fleet.close()
  assert.deepEqual(done, ['end', 'next end', 'first', 'second'])
})

test('One person’s files that take for ever do not hold all processes: others’ files go on', async () => {
  await withPool(2, { inspectDeadlineMs: 60_000, inspectProcessorMs: 120_000 }, async (pool) => {
    let ended = 0
    const stuck = Array.from({ length: 4 }, async () => {
      await pool.inspect(endless, { maxPages }, EVE).catch(() => undefined)
      ended += 1
    })
    for (let round = 0; round < 3; round++) {
      assert.equal((await pool.inspect(honest, { maxPages }, ADA)).ok, true)
    }
    assert.equal(ended, 0, 'no deadline of the others had to pass')
    await pool.close()
    await Promise.all(stuck)
  })
})

test('Whoever waits behind many files of one person is served after one of them, not after all', async () => {
  await withPool(1, { inspectDeadlineMs: 700 }, async (pool) => {
    const order: string[] = []
    const note = (who: string) => () => void order.push(who)
    const ended = async (): Promise<unknown> => pool.inspect(endless, { maxPages }, EVE).catch(() => undefined)
    const eve = Array.from({ length: 3 }, () => ended().then(note('eve')))
    const ada = pool.inspect(honest, { maxPages }, ADA).then(note('ada'))
    await Promise.all([...eve, ada])
    // her first file was there before; the second waits for its next turn
    assert.deepEqual(order, ['eve', 'ada', 'eve', 'eve'])
  })
})

test('A file that takes too much processor time is ended long before the deadline', async (t) => {
  if (!existsSync('/proc/self/stat')) {
    t.skip('no /proc on this machine: the deadline alone bounds time')
    return
  }
  await withPool(1, { inspectDeadlineMs: 120_000, inspectProcessorMs: 1500 }, async (pool) => {
    const start = performance.now()
    assert.deepEqual(await pool.inspect(endless, { maxPages }), { ok: false, reason: 'too_slow' })
    expectWithin(performance.now() - start, 10_000, 'the file')
    assert.equal((await pool.inspect(honest, { maxPages })).ok, true)
  })
})

test('A file whose process hardly ran by its deadline is not called slow: whoever sent it is asked to come again', async (t) => {
  if (!existsSync('/proc/self/stat')) {
    t.skip('no /proc on this machine: nobody knows how much a process ran')
    return
  }
  await withPool(1, { inspectDeadlineMs: 1500 }, async (pool) => {
    const waiting = pool.inspect(honest, { maxPages })
    // as if the machine gave it no turn
    for (const processId of pool.processIds()) process.kill(processId, 'SIGSTOP')
    await assert.rejects(waiting, { code: 'crowded' })
    assert.equal((await inspectPatiently(pool)).ok, true)
  })
})

test('Nor is one whose picture is drawn: it is drawn another time, and not left without for good', async (t) => {
  if (!existsSync('/proc/self/stat')) {
    t.skip('no /proc on this machine: nobody knows how much a process ran')
    return
  }
  await withPool(1, { drawProcessorMs: 3000 }, async (pool) => {
    const isCrowded = (): Promise<boolean> =>
      pool.drawThumbnail(honest, 'PDF').then(
        () => false,
        ({ code }) => code === 'crowded',
      )
    // its process is there then, though the machine were busy
    while (await isCrowded());
    const waiting = isCrowded()
    for (const processId of pool.processIds()) process.kill(processId, 'SIGSTOP')
    assert.ok(await waiting)
  })
})

test('When far more files wait than can be looked at soon, the next is turned away at once', async () => {
  await withPool(1, {}, async (pool) => {
    const answers = await Promise.allSettled(Array.from({ length: 80 }, () => pool.inspect(honest, { maxPages })))
    const refused = answers.filter((answer) => answer.status === 'rejected')
    assert.ok(refused.length > 0 && refused.length < 40, `${refused.length}`)
    for (const { reason } of refused) assert.equal((reason as { code: string }).code, 'crowded')
    assert.equal((await pool.inspect(honest, { maxPages })).ok, true)
  })
})

test('A file that waits too long for a process is turned away, nothing of it is left, and the next is looked at', async () => {
  await withPool(1, { inspectDeadlineMs: 7000, inspectWaitMs: 4000, inspectProcessorMs: 60_000 }, async (pool) => {
    let isEnded = false
    const stuck = pool.inspect(endless, { maxPages }, EVE).finally(() => (isEnded = true))
    const ended = Promise.allSettled([stuck])
    await assert.rejects(pool.inspect(honest, { maxPages }, ADA), { code: 'crowded' })
    assert.equal(isEnded, false, 'it was not turned away, although it took longer: what is under way does not wait')
    await ended
    assert.equal((await inspectPatiently(pool)).ok, true)
    const desks = (await readdir(folder)).filter((name) => name.startsWith('desk-'))
    const left = await Promise.all(desks.map((desk) => readdir(join(folder, desk, 'in'))))
    assert.deepEqual(left.flat(), [])
  })
})

/** Shows each child process that is made until the test ends. */
function watchProcesses(t: TestContext, see: (child: ChildProcess) => void): void {
  const listen = (message: unknown) => see((message as { process: ChildProcess }).process)
  diagnostics.subscribe('child_process', listen)
  t.after(() => diagnostics.unsubscribe('child_process', listen))
}

test('A process that ends while it starts costs no waiting file its place', async (t) => {
  let started = 0
  watchProcesses(t, (child) => {
    started += 1
    if (started === 1) child.once('spawn', () => child.kill('SIGKILL'))
  })
  await withPool(2, {}, async () => {
    assert.equal(started, 3)
  })
})

test('When no process starts at all, those who wait are told so', async (t) => {
  watchProcesses(t, (child) => child.once('spawn', () => child.kill('SIGKILL')))
  const pool = openCertifyPool({ keysDir: folder, workDir: folder, threads: 2 })
  await Promise.all(
    [ADA, EVE].map((askedBy) => assert.rejects(pool.inspect(honest, { maxPages }, askedBy), { code: 'no_process' })),
  )
  await pool.close()
})

test('A process that a signal or a message does not reach is kept', async (t) => {
  const children: ChildProcess[] = []
  watchProcesses(t, (child) => children.push(child))
  await withPool(1, {}, async (pool) => {
    const kept = pool.processIds()
    for (const child of children) child.emit('error', new Error('kill EPERM'))
    assert.deepEqual(pool.processIds(), kept)
    assert.equal((await pool.inspect(honest, { maxPages })).ok, true)
    assert.equal(children.length, 1)
  })
})

test('A program that closes its pool right after an answer ends by itself', async () => {
  const program = `
    const { openCertifyPool } = await import(${JSON.stringify(new URL('../pool.ts', import.meta.url).href)})
    const pool = openCertifyPool({ keysDir: '.', workDir: ${JSON.stringify(folder)}, threads: 1 })
    await pool.inspect(${JSON.stringify(honest)}, { maxPages: 1 })
    await pool.close()
    console.log('closed')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  assert.equal(stdout, 'closed\n')
})
