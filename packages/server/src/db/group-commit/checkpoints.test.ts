import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CHECKPOINT_LIMITS, openCheckpoints, type CheckpointLimits } from './checkpoints.ts'

/** A database whose log is kept short as the limits say. */
async function openKept(t: TestContext, limits: Partial<CheckpointLimits>) {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-checkpoints-'))
  const path = join(folder, 'proofdesk.sqlite')
  const writing = new DatabaseSync(path)
  writing.exec('pragma journal_mode = wal; pragma synchronous = normal; create table facts (page blob)')
  const checkpoints = openCheckpoints(path, writing, { ...CHECKPOINT_LIMITS, ...limits })
  t.after(async () => {
    await checkpoints.close()
    writing.close()
    await rm(folder, { recursive: true })
  })
  const insert = writing.prepare('insert into facts values (randomblob(4000))')
  const commit = (times: number) => {
    for (let made = 0; made < times; made += 1) insert.run()
  }
  const tell = () => {
    const { log, checkpointed } = writing.prepare('pragma wal_checkpoint(noop)').get() ?? {}
    return { log: Number(log), moved: Number(checkpointed) }
  }
  return { checkpoints, path, writing, commit, tell }
}

/** Until it is so; the test's own limit ends a wait in vain. */
async function untilSo(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(5)
}

test('what was committed is moved into the database beside those who commit, and the log begins anew', async (t) => {
  const { checkpoints, commit, tell } = await openKept(t, { movedFrom: 20 })
  commit(50)
  const before = tell()
  assert.ok(before.log >= 50 && before.moved === 0, 'a commit by itself moves nothing')
  checkpoints.look()
  await untilSo(() => tell().moved === before.log)
  commit(1)
  assert.ok(tell().log < 10)
  // And once more, by the same thread.
  commit(50)
  checkpoints.look()
  await untilSo(() => tell().moved >= 50)
})

test('a short log is left alone, and so is one within a transaction', async (t) => {
  const { checkpoints, writing, commit, tell } = await openKept(t, { movedFrom: 20 })
  commit(5)
  checkpoints.look()
  writing.exec('begin immediate')
  commit(50)
  checkpoints.look()
  writing.exec('commit')
  await wait(100)
  assert.equal(tell().moved, 0)
})

test('a log that no thread keeps short is kept so by SQLite itself', async (t) => {
  const { commit, tell } = await openKept(t, { movedAtOnceFrom: 100 })
  commit(1000)
  assert.ok(tell().log < 120, `${tell().log} pages`)
})

test('a read that goes on keeps its pages in the log, and all is moved once it ends', async (t) => {
  const { checkpoints, path, commit, tell } = await openKept(t, { movedFrom: 20 })
  commit(1)
  const reading = new DatabaseSync(path, { readOnly: true })
  reading.exec('begin')
  const count = () => reading.prepare('select count(*) as rows from facts').get()?.['rows']
  assert.equal(count(), 1)
  commit(50)
  checkpoints.look()
  await wait(100)
  assert.ok(tell().moved < 20)
  assert.equal(count(), 1)
  reading.exec('commit')
  reading.close()
  checkpoints.look()
  await untilSo(() => tell().moved === tell().log)
})

test('the thread ends when there is nothing to do, and another one begins when there is', async (t) => {
  const { checkpoints, commit, tell } = await openKept(t, { movedFrom: 20, idleMs: 30 })
  for (let round = 0; round < 3; round += 1) {
    commit(50)
    checkpoints.look()
    await untilSo(() => tell().moved >= 50)
    await wait(100)
  }
})

test('where no thread can be started nothing else fails: SQLite moves the log itself', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-checkpoints-'))
  t.after(() => rm(folder, { recursive: true }))
  // Node refuses threads there at once, as it does where the system has none left.
  const without = ['--permission', '--allow-fs-read=*', '--allow-fs-write=*', '--input-type=module', '--eval']
  const program = `
    import { DatabaseSync } from 'node:sqlite'
    import { openCheckpoints } from ${JSON.stringify(new URL('checkpoints.ts', import.meta.url))}
    const path = ${JSON.stringify(join(folder, 'proofdesk.sqlite'))}
    const writing = new DatabaseSync(path)
    writing.exec('pragma journal_mode = wal; pragma synchronous = normal; create table facts (page blob)')
    const checkpoints = openCheckpoints(path, writing, { movedFrom: 20, movedAtOnceFrom: 60, idleMs: 60_000 })
    const insert = writing.prepare('insert into facts values (randomblob(4000))')
    for (let made = 0; made < 500; made += 1) {
      insert.run()
      checkpoints.look()
    }
    console.log(JSON.stringify(writing.prepare('pragma wal_checkpoint(noop)').get()))
    await checkpoints.close()
    writing.close()
  `
  const { stdout } = await promisify(execFile)(process.execPath, [...without, program])
  assert.ok(JSON.parse(stdout).log < 80, stdout)
})

test('who looks while it is closed, or at a database that was closed, starts nothing and is told nothing', async (t) => {
  const { checkpoints, path, commit, tell } = await openKept(t, { movedFrom: 20 })
  commit(50)
  const closing = checkpoints.close()
  checkpoints.look()
  await closing
  await wait(100)
  assert.equal(tell().moved, 0)
  const gone = new DatabaseSync(path)
  const late = openCheckpoints(path, gone, CHECKPOINT_LIMITS)
  gone.close()
  late.look()
  await late.close()
})
