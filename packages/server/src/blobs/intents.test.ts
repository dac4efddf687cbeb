import assert from 'node:assert/strict'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { ENGINES, startTestServer } from '../testing.ts'
import { abandonIntent, ABANDONED_AFTER_MS, forgetIntent, recordIntent } from './intents.ts'

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
  await touch(stale, server.clock.now() - ABANDONED_AFTER_MS - 1000)
  await touch(fresh, server.clock.now())
  await server.sweep()
  assert.deepEqual(
    (await readdir(join(server.config.dataDir, 'incoming'))).map((name) => fresh.endsWith(name)),
    [true],
  )
})
