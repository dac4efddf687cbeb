import assert from 'node:assert/strict'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { AppError } from '../errors.ts'
import { ENGINES, startTestServer } from '../testing.ts'
import {
  abandonIntent,
  ABANDONED_AFTER_MS,
  forgetIntent,
  giveUpBlob,
  recordIntent,
  storeBlob,
  sweepIntents,
  withdrawIntent,
} from './intents.ts'

/** As if written at that time by the server's clock, which need not be the disk's. */
const touch = (path: string, at: number) => utimes(path, at / 1000, at / 1000)

for (const engine of ENGINES) {
  test(`blobs that nothing points at (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, blobs } = server.deps
    const store = async (key: string) => {
      await recordIntent(db, server.clock.now(), key)
      const path = blobs.temporaryPath()
      await writeFile(path, key)
      await touch(path, server.clock.now())
      await blobs.putFile(key, path)
    }

    await t.test('are kept while young, and removed once old', async () => {
      await store('young')
      await server.sweep()
      await server.settle()
      assert.equal(await blobs.size('young'), 5)
      server.clock.advance(ABANDONED_AFTER_MS + 1)
      await server.sweep()
      await server.settle()
      assert.equal(await blobs.size('young'), undefined)
    })

    await t.test('stay once a row points at them', async () => {
      await store('kept')
      await db.transaction().execute((transaction) => forgetIntent(transaction, 'kept'))
      server.clock.advance(ABANDONED_AFTER_MS + 1)
      await server.sweep()
      await server.settle()
      assert.equal(await blobs.size('kept'), 4)
    })

    await t.test('stay also where whoever stored them takes fright after the commit', async () => {
      await store('committed')
      await db.transaction().execute((transaction) => forgetIntent(transaction, 'committed'))
      await giveUpBlob(server.deps, 'committed')
      await server.settle()
      assert.equal(await blobs.size('committed'), 9)
    })

    await t.test('go soon where they were given up, and a database that is away spoils no answer', async () => {
      await store('given-up')
      let rung = 0
      await giveUpBlob({ ...server.deps, outbox: { ring: () => (rung += 1) } }, 'given-up')
      assert.equal(rung, 1)
      server.deps.outbox.ring()
      await server.settle()
      assert.equal(await blobs.size('given-up'), undefined)
      await store('later')
      await sql`alter table blob_intents rename to away`.execute(db)
      await giveUpBlob(server.deps, 'later')
      await withdrawIntent(server.deps, 'later')
      await sql`alter table away rename to blob_intents`.execute(db)
      const told = server.logLines.filter((line) => /giving a file up failed|an intent was not withdrawn/.test(line))
      assert.equal(told.length, 2)
      server.clock.advance(ABANDONED_AFTER_MS)
      assert.equal(await sweepIntents(db, server.clock.now()), 1)
      await withdrawIntent(server.deps, 'later')
    })

    await t.test('are none where what was to point at them said no', async () => {
      const keys: string[] = []
      for (const isKept of [false, true]) {
        const path = blobs.temporaryPath()
        await writeFile(path, 'bytes')
        await storeBlob(server.deps, 'kept-or-not', path, async (key) => {
          keys.push(key)
          assert.equal(await blobs.size(key), 5)
          if (isKept) await db.transaction().execute((transaction) => forgetIntent(transaction, key))
          return isKept
        })
        await server.settle()
      }
      assert.deepEqual(await Promise.all(keys.map((key) => blobs.size(key))), [undefined, 5])
      assert.deepEqual(
        await db.selectFrom('blob_intents').select('key').where('key', 'like', 'kept-or-not%').execute(),
        [],
      )
    })

    await t.test('cannot be pointed at after they were given up', async () => {
      await store('late')
      server.clock.advance(ABANDONED_AFTER_MS + 1)
      await server.sweep()
      await assert.rejects(
        db.transaction().execute((transaction) => forgetIntent(transaction, 'late')),
        (error) => error instanceof AppError && error.code === 'storage_unavailable',
      )
    })

    await t.test('may be given up at once, and again', async () => {
      await store('refused')
      await abandonIntent(db, server.clock.now(), 'refused')
      await abandonIntent(db, server.clock.now(), 'refused')
      await server.settle()
      server.deps.outbox.ring()
      await server.settle()
      assert.equal(await blobs.size('refused'), undefined)
      assert.deepEqual(await db.selectFrom('outbox').selectAll().execute(), [])
    })
  })
}

test('files on their way in are swept once nobody has touched them for long', async (t) => {
  const server = await startTestServer(t)
  const [stale, fresh] = [server.deps.blobs.temporaryPath(), server.deps.blobs.temporaryPath()]
  for (const path of [stale, fresh]) await writeFile(path, 'x')
  // And a folder of a process that parsed a file.
  const folder = server.deps.blobs.temporaryPath()
  await mkdir(join(folder, 'parts'), { recursive: true })
  await touch(folder, server.clock.now() - ABANDONED_AFTER_MS - 1000)
  await touch(stale, server.clock.now() - ABANDONED_AFTER_MS - 1000)
  await touch(fresh, server.clock.now())
  await server.sweep()
  assert.deepEqual(
    (await readdir(join(server.config.dataDir, 'incoming'))).map((name) => fresh.endsWith(name)),
    [true],
  )
})
