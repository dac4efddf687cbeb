import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { COLLECTION_MAX_BYTES, COLLECTION_MAX_PAGES } from '@proofdesk/contract/limits'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { addFile, must, openCollection } from '../../testing/collections.ts'
import { makeJpeg, makePdf, makePng } from '../../testing/small-files.ts'
import { listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'
import { makeThumbnail } from './thumbnails.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const byNumber = (a: number, b: number) => a - b

/** What a collection counts is what it holds, and nothing else is stored. */
async function expectNothingLost(server: TestServer, collection: number): Promise<void> {
  const { db } = server.deps
  const counted = await db
    .selectFrom('collections')
    .select(['content_count', 'content_bytes', 'content_pages'])
    .where('id', '=', collection)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('contents')
    .select(['size', 'pages'])
    .where('collection_id', '=', collection)
    .execute()
  assert.deepEqual(
    { ...counted },
    {
      content_count: rows.length,
      content_bytes: rows.reduce((sum, { size }) => sum + size, 0),
      content_pages: rows.reduce((sum, { pages }) => sum + pages, 0),
    },
  )
  await server.settle()
  assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
  assert.deepEqual(await db.selectFrom('blob_intents').selectAll().execute(), [])
}

for (const engine of ENGINES) {
  test(`changing the files of an open collection (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const revisionOf = async (id: number) =>
      (await server.deps.db.selectFrom('collections').select('revision').where('id', '=', id).executeTakeFirstOrThrow())
        .revision
    /** As the certified PDF takes them. */
    const orderOf = async (collection: number) => {
      const { results } = must(await ada.get(`/contents/?collection=${collection}&ordering=created_at`), 200)
      const sorted = results.toSorted((a: { position: number }, b: { position: number }) => a.position - b.position)
      return sorted.map(({ id }: { id: number }) => id)
    }

    await t.test('a file is renamed by the rules it was added under', async () => {
      const collection = await openCollection(ada)
      const id = await addFile(ada, collection)
      const before = await revisionOf(collection)
      const renamed = must(await ada.patch(`/contents/${id}/`, { title_type: 'OTHER', title: '  Diploma ' }), 200)
      assert.equal(renamed.title, 'Diploma')
      assert.equal(renamed.title_type, 'OTHER')
      assert.equal(await revisionOf(collection), before + 1)
      assert.equal(must(await ada.patch(`/contents/${id}/`, { title_type: 'TYPE2', title: 'x' }), 200).title, 'TYPE2')
      for (const [body, field, message] of [
        [{ title_type: 'OTHER', title: ' ' }, 'title', 'A title is required.'],
        [{ title_type: 'OTHER' }, 'title', 'A title is required.'],
        [{ title_type: 'OTHER', title: 'x'.repeat(21) }, 'title', 'A title may have at most 20 characters.'],
      ] as const) {
        const refused = await ada.patch(`/contents/${id}/`, body)
        assert.equal(refused.status, 400)
        assert.deepEqual(refused.json()[field], [message])
      }
      assert.equal((await ada.patch(`/contents/${id}/`, { title: 'x' })).status, 400)
      assert.equal((await ada.patch(`/contents/${id}/`, { title_type: 'TYPE3' })).status, 400)
      const [shown] = must(await ada.get(`/contents/?collection=${collection}`), 200).results
      assert.equal(shown.title, 'TYPE2')
      const byTitle = must(await ada.get(`/contents/?collection=${collection}&ordering=title`), 200)
      assert.equal(byTitle.count, 1)
    })

    await t.test('a replaced file keeps id, title and place, and passes the checks of one that is added', async () => {
      const collection = await openCollection(ada)
      const [first, second] = [await addFile(ada, collection), await addFile(ada, collection)]
      must(await ada.patch(`/contents/${first}/`, { title_type: 'OTHER', title: 'Diploma' }), 200)
      await server.settle()
      const before = await revisionOf(collection)
      const bytes = makeJpeg()
      const made = must(await ada.upload(`/contents/${first}/replace/`, {}, { name: 'scan.jpg', bytes }), 200)
      assert.deepEqual(
        [made.id, made.title, made.type, made.file_name, made.size, made.pages, made.sha256],
        [first, 'Diploma', 'JPEG', 'scan.jpg', bytes.length, 1, sha256(bytes)],
      )
      // On a busy machine its picture may be drawn before the answer is.
      assert.match(made.thumbnail, /^(?:PENDING|READY)$/)
      assert.equal(await revisionOf(collection), before + 1)
      assert.deepEqual(await orderOf(collection), [first, second])
      const served = await ada.get(`/contents/serve/?content_id=${first}`)
      assert.deepEqual(served.bytes, bytes)
      assert.equal(served.headers['content-type'], 'image/jpeg')
      await expectNothingLost(server, collection)
      assert.equal((await ada.get(`/contents/${first}/thumbnail/`)).status, 200)

      for (const [file, code] of [
        [{ name: 'x.png', bytes: 'no picture' }, 'file_unsupported_type'],
        [{ name: 'x.pdf', bytes: makePdf().subarray(0, 60) }, undefined],
        [undefined, 'file_required'],
      ] as const) {
        const refused = await ada.upload(`/contents/${first}/replace/`, {}, file)
        assert.ok([400, 415].includes(refused.status), refused.body)
        if (code) assert.equal(refused.json().code, code)
        assert.deepEqual(refused.json().file, [refused.json().detail])
      }
      assert.equal((await ada.upload('/contents/999999/replace/', {}, { name: 'a.png', bytes })).status, 404)
      assert.deepEqual((await ada.get(`/contents/serve/?content_id=${first}`)).bytes, bytes)
      await expectNothingLost(server, collection)
    })

    await t.test(
      'one that is too much for the collection is refused; one that is not larger fits a full one',
      async () => {
        const collection = await openCollection(ada)
        const id = await addFile(ada, collection, makePdf(2))
        const replace = (pages: number) =>
          ada.upload(`/contents/${id}/replace/`, {}, { name: 'a.pdf', bytes: makePdf(pages) })
        const fill = (totals: object) =>
          server.deps.db.updateTable('collections').set(totals).where('id', '=', collection).execute()
        const { content_bytes } = await server.deps.db
          .selectFrom('collections')
          .select('content_bytes')
          .where('id', '=', collection)
          .executeTakeFirstOrThrow()
        await fill({ content_count: 100, content_pages: COLLECTION_MAX_PAGES })
        assert.equal((await replace(3)).json().code, 'collection_too_many_pages')
        must(await replace(2), 200)
        await fill({ content_count: 1, content_pages: 2, content_bytes: COLLECTION_MAX_BYTES })
        assert.equal((await replace(3)).json().code, 'collection_too_many_bytes')
        must(await replace(1), 200)
        const shrunk = makePdf(2).length - makePdf(1).length
        await fill({ content_bytes: content_bytes - shrunk })
        await expectNothingLost(server, collection)
      },
    )

    await t.test('they are put in another order, in which the next one comes last', async () => {
      const collection = await openCollection(ada)
      const ids: number[] = []
      for (let i = 0; i < 3; i += 1) ids.push(await addFile(ada, collection))
      const [a, b, c] = ids as [number, number, number]
      const before = await revisionOf(collection)
      const answer = must(await ada.post('/contents/order/', { collection, contents: [c, a, b] }), 200)
      assert.deepEqual(
        answer.results.map(({ id, position }: { id: number; position: number }) => [id, position]),
        [
          [c, 1],
          [a, 2],
          [b, 3],
        ],
      )
      assert.equal(await revisionOf(collection), before + 1)
      const d = await addFile(ada, collection)
      assert.deepEqual(await orderOf(collection), [c, a, b, d])

      for (const contents of [
        [c, a, b],
        [c, a, b, d, 999_999],
        [c, a, b, 999_999],
      ]) {
        const refused = await ada.post('/contents/order/', { collection, contents })
        assert.equal(refused.status, 409)
        assert.equal(refused.json().code, 'contents_changed')
      }
      for (const contents of [[], [a, a, b, c, d], ['x'], undefined])
        assert.equal((await ada.post('/contents/order/', { collection, contents })).status, 400)
      assert.deepEqual(await orderOf(collection), [c, a, b, d])
      const other = await addFile(ada, await openCollection(ada))
      assert.equal((await ada.post('/contents/order/', { collection, contents: [c, a, b, other] })).status, 409)
    })

    await t.test('once it is sent nothing of it changes any more', async () => {
      const collection = await openCollection(ada)
      const [a, b] = [await addFile(ada, collection), await addFile(ada, collection)]
      must(await ada.post(`/collections/${collection}/save/`), 200)
      await server.settle()
      const before = must(await sam.get(`/contents/?collection=${collection}`), 200).results
      for (const answer of [
        await ada.patch(`/contents/${a}/`, { title_type: 'TYPE2' }),
        await ada.upload(`/contents/${a}/replace/`, {}, { name: 'a.png', bytes: makePng() }),
        await ada.post('/contents/order/', { collection, contents: [b, a] }),
      ]) {
        assert.equal(answer.status, 409)
        assert.equal(answer.json().code, 'collection_not_open')
      }
      await server.settle()
      const strip = (rows: object[]) => rows.map((row) => ({ ...row, thumbnail: '' }))
      assert.deepEqual(strip(must(await sam.get(`/contents/?collection=${collection}`), 200).results), strip(before))
      await expectNothingLost(server, collection)
    })
  })

  test(`two who change the files of a collection at once (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const filled = async (files: number) => {
      const collection = await openCollection(ada)
      const ids: number[] = []
      for (let i = 0; i < files; i += 1) ids.push(await addFile(ada, collection))
      return { collection, ids }
    }
    const orderOf = async (collection: number) => {
      const { results } = must(await ada.get(`/contents/?collection=${collection}&ordering=created_at`), 200)
      const sorted = results.toSorted((a: { position: number }, b: { position: number }) => a.position - b.position)
      return sorted.map(({ id }: { id: number }) => id)
    }
    const replace = (id: number, bytes: Uint8Array) =>
      ada.upload(`/contents/${id}/replace/`, {}, { name: 'a.pdf', bytes })

    await t.test('two orders: one of them holds, whole', async () => {
      const { collection, ids } = await filled(4)
      const orders = [ids.toReversed(), [ids[1]!, ids[0]!, ids[3]!, ids[2]!]]
      const answers = await Promise.all(
        orders.map((contents) => ada.post('/contents/order/', { collection, contents })),
      )
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      const order = await orderOf(collection)
      assert.ok(
        orders.some((wanted) => String(wanted) === String(order)),
        String(order),
      )
    })

    await t.test('ordering and deleting: no order names a file that is gone', async () => {
      const { collection, ids } = await filled(3)
      const [ordered, deleted] = await Promise.all([
        ada.post('/contents/order/', { collection, contents: ids.toReversed() }),
        ada.delete(`/contents/${ids[0]}/`),
      ])
      assert.equal(deleted.status, 204)
      assert.ok([200, 409].includes(ordered.status))
      const left = [ids[1]!, ids[2]!]
      assert.deepEqual(await orderOf(collection), ordered.status === 200 ? left.toReversed() : left)
      await expectNothingLost(server, collection)
    })

    for (const [name, change] of [
      ['ordering', (id: number, collection: number) => ada.post('/contents/order/', { collection, contents: [id] })],
      ['renaming', (id: number) => ada.patch(`/contents/${id}/`, { title_type: 'TYPE2' })],
      ['replacing', (id: number) => replace(id, makePdf(2))],
    ] as const)
      await t.test(`${name} and sending: what was sent stays as it was sent`, async () => {
        const { collection, ids } = await filled(1)
        const [sent, changed] = await Promise.all([
          ada.post(`/collections/${collection}/save/`),
          change(ids[0]!, collection),
        ])
        assert.equal(sent.status, 200)
        assert.ok([200, 409].includes(changed.status), changed.body)
        if (changed.status === 409) {
          const [shown] = must(await ada.get(`/contents/?collection=${collection}`), 200).results
          assert.deepEqual([shown.title, shown.pages, shown.position], ['TYPE1', 1, 0])
        }
        await expectNothingLost(server, collection)
      })

    await t.test('replacing and replacing: one file is left, and its size counted', async () => {
      const { collection, ids } = await filled(1)
      const files = [makePdf(2), makePdf(3)]
      const answers = await Promise.all(files.map((bytes) => replace(ids[0]!, bytes)))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      const { bytes } = await ada.get(`/contents/serve/?content_id=${ids[0]}`)
      assert.ok(files.some((file) => bytes.equals(file)))
      await expectNothingLost(server, collection)
    })

    await t.test('replacing and deleting: what is deleted stays deleted', async () => {
      const { collection, ids } = await filled(2)
      const answers = await Promise.all([replace(ids[0]!, makePdf(3)), ada.delete(`/contents/${ids[0]}/`)])
      assert.equal(answers[1].status, 204)
      assert.ok([200, 404].includes(answers[0].status), answers[0].body)
      assert.deepEqual(await orderOf(collection), [ids[1]])
      await expectNothingLost(server, collection)
    })

    await t.test('a replaced file and the thumbnail of the one before: the picture is of the new one', async () => {
      const { collection, ids } = await filled(1)
      const [id] = ids as [number]
      await server.settle()
      const picture = async () => (await ada.get(`/contents/${id}/thumbnail/`)).bytes
      const old = await picture()
      await server.deps.db.updateTable('contents').set({ thumbnail_state: 'pending' }).where('id', '=', id).execute()
      const [replaced] = await Promise.all([replace(id, makePng()), makeThumbnail(server.deps, id, 0).catch(() => {})])
      assert.equal(replaced.status, 200)
      await server.settle()
      assert.equal(must(await ada.get(`/contents/?collection=${collection}`), 200).results[0].thumbnail, 'READY')
      assert.ok(!(await picture()).equals(old))
    })

    await t.test('of the places two replacements would take in a full collection, one is given', async () => {
      const { collection, ids } = await filled(2)
      await server.deps.db
        .updateTable('collections')
        .set({ content_pages: COLLECTION_MAX_PAGES - 1 })
        .where('id', '=', collection)
        .execute()
      const answers = await Promise.all(ids.map((id) => replace(id, makePdf(2))))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(byNumber), [200, 400])
    })
  })
}
