import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openCertifyPool, type CertifyPool } from '@proofdesk/certify/pool'
import { AppError } from '../../errors.ts'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { addFile, must, openCollection } from '../../testing/collections.ts'
import { readEvents } from '../../testing/event-reader.ts'
import { makeJpeg, makePdf, makePng } from '../../testing/small-files.ts'
import { listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { watchQueries } from '../../testing/watch-queries.ts'
import { listContents } from './service.ts'
import { makeThumbnail } from './thumbnails.ts'

const path = (id: number) => `/contents/${id}/thumbnail/`

function readRow({ deps: { db } }: TestServer, id: number) {
  return db
    .selectFrom('contents')
    .select(['blob_key', 'thumbnail_state', 'thumbnail_key'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** As a content of before is: nobody has asked for its thumbnail. */
async function forgetThumbnail({ deps: { db, blobs } }: TestServer, id: number): Promise<void> {
  const row = await db.selectFrom('contents').select('thumbnail_key').where('id', '=', id).executeTakeFirstOrThrow()
  if (row.thumbnail_key !== null) await blobs.remove(row.thumbnail_key)
  const none = { thumbnail_key: null, thumbnail_size: null, thumbnail_sha256: null }
  await db
    .updateTable('contents')
    .set({ thumbnail_state: 'missing', ...none })
    .where('id', '=', id)
    .execute()
}

async function expectNothingElseStored(server: TestServer): Promise<void> {
  await server.settle()
  const expected = await listExpectedFiles(server)
  // What an upload came in by is removed behind its answer.
  await waitUntil(async () => (await listStoredFiles(server)).length <= expected.length)
  assert.deepEqual(await listStoredFiles(server), expected)
  assert.deepEqual(await server.deps.db.selectFrom('blob_intents').selectAll().execute(), [])
}

for (const engine of ENGINES) {
  test(`first-page thumbnails (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const eve = await server.signIn('eve')
    const sam = await server.signIn('sam', { is_staff: true })
    const collection = await openCollection(ada)
    const listed = async (id: number, who = ada) =>
      must(await who.get(`/contents/?collection=${collection}`), 200).results.find(
        (one: { id: number }) => one.id === id,
      ).thumbnail

    await t.test('are drawn after the upload of each type, and shown to whoever may see the content', async () => {
      for (const bytes of [makePdf(2), makeJpeg(), makePng()]) {
        const id = await addFile(ada, collection, bytes)
        await server.settle()
        for (const who of [ada, sam]) {
          assert.equal(await listed(id, who), 'READY')
          const { status, headers, bytes: picture } = await who.get(path(id))
          assert.equal(status, 200)
          assert.equal(picture.subarray(0, 4).toString(), 'RIFF')
          assert.equal(headers['content-type'], 'image/webp')
          assert.equal(headers['content-length'], String(picture.length))
          assert.equal(headers['etag'], `"${createHash('sha256').update(picture).digest('hex')}"`)
          assert.equal(headers['cache-control'], 'private, no-cache')
          assert.equal(headers['x-content-type-options'], 'nosniff')
          assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
          const known = await who.get(path(id), { 'if-none-match': headers['etag'] ?? '' })
          assert.deepEqual([known.status, known.bytes.length], [304, 0])
        }
        const foreign = await eve.get(path(id))
        assert.equal(foreign.status, 404)
        assert.equal(foreign.body, (await eve.get(path(999_999))).body)
        assert.equal((await server.stranger.get(path(id))).status, 401)
      }
      await expectNothingElseStored(server)
    })
  })

  test(`looking at files writes nothing where each thumbnail was asked for, or there is none to ask for (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const viewer = must(await ada.get('/user/info'), 200)
    const [empty, full] = [await openCollection(ada), await openCollection(ada)]
    const content = await addFile(ada, full)
    const { db, kinds } = watchQueries(server.deps.db)
    const look = (collection: number) => listContents({ ...server.deps, db }, viewer, { collection })
    for (const collection of [full, empty]) await look(collection)
    await server.settle()
    await look(full)
    assert.deepEqual(kinds, [])
    assert.ok(server.logLines.every((line) => !line.includes('asking for some failed')))

    await forgetThumbnail(server, content)
    await look(full)
    assert.ok(kinds.length > 0, 'one that nobody has asked for yet is asked for')
    await server.settle()
  })

  test(`a thumbnail and what becomes of its content (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')

    await t.test('it goes with its content, and with its collection', async () => {
      const collection = await openCollection(ada)
      const [first, second] = [await addFile(ada, collection), await addFile(ada, collection)]
      await server.settle()
      assert.equal((await listStoredFiles(server)).length, 4)
      must(await ada.delete(`/contents/${first}/`), 204)
      await server.settle()
      assert.equal((await listStoredFiles(server)).length, 2)
      assert.equal((await ada.get(path(first))).status, 404)
      assert.equal((await ada.get(path(second))).status, 200)
      must(await ada.delete(`/collections/${collection}/`), 204)
      await server.settle()
      assert.deepEqual(await listStoredFiles(server), [])
    })

    await t.test('it is kept once when two draw it at the same time', async () => {
      const id = await addFile(ada, await openCollection(ada))
      await server.settle()
      await forgetThumbnail(server, id)
      await server.deps.db.updateTable('contents').set({ thumbnail_state: 'pending' }).where('id', '=', id).execute()
      await Promise.all([1, 2, 3].map(() => makeThumbnail(server.deps, id, 0)))
      await expectNothingElseStored(server)
      assert.equal((await ada.get(path(id))).status, 200)
    })

    await t.test(
      'contents of before get theirs once somebody looks, and asking at the same time asks once',
      async () => {
        const collection = await openCollection(ada)
        const ids = [await addFile(ada, collection), await addFile(ada, collection, makePng())]
        await server.settle()
        for (const id of ids) await forgetThumbnail(server, id)
        const lists = await Promise.all([1, 2, 3].map(() => ada.get(`/contents/?collection=${collection}`)))
        for (const list of lists)
          for (const one of must(list, 200).results) assert.match(one.thumbnail, /^(PENDING|READY)$/)
        await expectNothingElseStored(server)
        for (const id of ids) assert.equal((await ada.get(path(id))).status, 200)

        await forgetThumbnail(server, ids[0]!)
        assert.equal((await ada.get(path(ids[0]!))).json().code, 'thumbnail_not_found')
        await server.settle()
        assert.equal((await ada.get(path(ids[0]!))).status, 200)
      },
    )

    await t.test('those who look at the collection are told when it is there', async () => {
      const url = await server.listen()
      const collection = await openCollection(ada)
      const reader = await readEvents(url, ada.access)
      await addFile(ada, collection)
      const told = new Set<string>()
      // Each topic is told for itself, in whichever order.
      while (told.size < 2) for (const topic of await reader.next()) told.add(topic)
      reader.leave()
      assert.deepEqual([...told].sort(), ['collections', 'contents'])
    })
  })

  test(`17.31 a thumbnail that is lost or altered is drawn anew once somebody looks (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    const ada = await server.signIn('ada')
    const collection = await openCollection(ada)
    const id = await addFile(ada, collection)
    await server.settle()
    const readPicture = async () => {
      const { status, bytes } = await ada.get(path(id))
      assert.equal(status, 200)
      return bytes
    }
    const drawn = await readPicture()
    const fileOf = (key: string) => join(server.config.dataDir, 'blobs', ...key.split('/'))

    for (const [told, spoil] of [
      ['missing', (file: string) => rm(file)],
      ['altered', (file: string) => writeFile(file, 'something else')],
      ['altered', (file: string) => writeFile(file, Buffer.alloc(drawn.length))],
    ] as const)
      await t.test(`one that is ${told}`, async () => {
        const { thumbnail_key: old } = (await readRow(server, id))!
        await spoil(fileOf(old!))
        const answers = await Promise.all([1, 2, 3].map(() => ada.get(path(id))))
        for (const answer of answers) assert.equal(must(answer, 404).code, 'thumbnail_not_found')
        await expectNothingElseStored(server)
        const { thumbnail_key: now, thumbnail_state: state } = (await readRow(server, id))!
        assert.equal(state, 'ready')
        assert.notEqual(now, old)
        assert.ok((await readPicture()).equals(drawn))
        const lines = server.logLines.splice(0).filter((line) => line.includes('is drawn anew'))
        assert.equal(lines.length, 1)
        assert.match(lines[0]!, new RegExp(`"content":${id},"found":"${told}"`))
      })

    await t.test('one that was drawn anew meanwhile stays', async () => {
      const { thumbnail_key: old } = (await readRow(server, id))!
      const { readKnown } = deps.blobs
      deps.blobs.readKnown = async (...asked) => {
        deps.blobs.readKnown = readKnown
        await rm(fileOf(old!))
        must(await ada.get(path(id)), 404)
        await server.settle()
        return readKnown(...asked)
      }
      must(await ada.get(path(id)), 404)
      assert.ok((await readPicture()).equals(drawn))
      await expectNothingElseStored(server)
    })

    await t.test('while the storage is away it stays as it is', async () => {
      const before = await readRow(server, id)
      const { readKnown } = deps.blobs
      deps.blobs.readKnown = () => Promise.reject(new AppError('storage_unavailable'))
      must(await ada.get(path(id)), 503)
      deps.blobs.readKnown = readKnown
      assert.deepEqual(await readRow(server, id), before)
      await readPicture()
    })
  })

  test(`where a thumbnail cannot be drawn (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const slow = openCertifyPool({ keysDir: server.config.keysDir, threads: 1, limits: { drawProcessorMs: 0 } })
    t.after(() => slow.close())
    await server.restart({ certify: slow })
    const ada = await server.signIn('ada')
    const collection = await openCollection(ada)

    await t.test('in time, the upload stands, without one, and it is not tried again', async () => {
      const id = await addFile(ada, collection)
      await server.settle()
      assert.equal((await readRow(server, id))?.thumbnail_state, 'none')
      assert.equal((await ada.get(path(id))).json().code, 'thumbnail_not_found')
      const { results } = must(await ada.get(`/contents/?collection=${collection}`), 200)
      assert.equal(results[0].thumbnail, 'NONE')
      await expectNothingElseStored(server)
      assert.equal((await ada.get(`/contents/serve/?content_id=${id}`)).status, 200)
    })

    await t.test(
      'because its file is out of reach, it is tried a few times, and anew when somebody looks',
      async () => {
        const id = await addFile(ada, collection)
        await server.settle()
        const { blob_key: key } = (await readRow(server, id))!
        const stored = join(server.config.dataDir, 'blobs', ...key.split('/'))
        await rename(stored, `${stored}.away`)
        await server.restart()
        await forgetThumbnail(server, id)
        must(await ada.get(`/contents/?collection=${collection}`), 200)
        for (let tries = 1; tries < 5; tries += 1) {
          await server.settle()
          assert.equal((await readRow(server, id))?.thumbnail_state, 'pending', `after ${tries}`)
          server.clock.advance(60_000)
        }
        await server.settle()
        assert.equal((await readRow(server, id))?.thumbnail_state, 'missing')
        assert.deepEqual(await server.deps.db.selectFrom('outbox').selectAll().execute(), [])
        await rename(`${stored}.away`, stored)
        must(await ada.get(`/contents/?collection=${collection}`), 200)
        await expectNothingElseStored(server)
        assert.equal((await readRow(server, id))?.thumbnail_state, 'ready')
      },
    )
  })

  test(`while a thumbnail is drawn (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const pool = openCertifyPool({ keysDir: server.config.keysDir, threads: 1 })
    t.after(() => pool.close())
    /** What happens between the drawing and the storing. */
    let meanwhile = async () => {}
    const watched: CertifyPool = {
      ...pool,
      drawThumbnail: async (...asked) => {
        const picture = await pool.drawThumbnail(...asked)
        await meanwhile()
        return picture
      },
    }
    await server.restart({ certify: watched })
    const ada = await server.signIn('ada')

    await t.test('its upload has long been answered', async () => {
      const collection = await openCollection(ada)
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      meanwhile = () => released
      const ids = [await addFile(ada, collection), await addFile(ada, collection), await addFile(ada, collection)]
      for (const id of ids) assert.equal((await ada.get(path(id))).json().code, 'thumbnail_not_found')
      const { results } = must(await ada.get(`/contents/?collection=${collection}`), 200)
      assert.deepEqual(
        results.map((one: { thumbnail: string }) => one.thumbnail),
        ['PENDING', 'PENDING', 'PENDING'],
      )
      release()
      await server.settle()
      for (const id of ids) assert.equal((await ada.get(path(id))).status, 200)
    })

    for (const what of ['content', 'collection'] as const)
      await t.test(`its ${what} may be deleted, and nothing is left behind`, async () => {
        const collection = await openCollection(ada)
        let isDrawn = false
        let id = 0
        const { promise: known, resolve: tellId } = Promise.withResolvers<void>()
        meanwhile = async () => {
          await known
          isDrawn = true
          must(await ada.delete(what === 'collection' ? `/collections/${collection}/` : `/contents/${id}/`), 204)
        }
        id = await addFile(ada, collection)
        tellId()
        await expectNothingElseStored(server)
        assert.ok(isDrawn)
        assert.equal(await readRow(server, id), undefined)
      })
  })
}
