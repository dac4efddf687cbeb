import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { COLLECTION_MAX_BYTES, COLLECTION_MAX_PAGES } from '@proofdesk/contract/limits'
import { ENGINES, startTestServer } from '../../testing.ts'
import { addFile, must, openCollection } from '../../testing/collections.ts'
import { makeJpeg, makePdf, makePng } from '../../testing/small-files.ts'
import { listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'
import { listContents as listRecords } from './queries.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

for (const engine of ENGINES) {
  test(`adding files to a collection (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const eve = await server.signIn('eve')
    const collection = await openCollection(ada)
    const fields = { collection: String(collection) }

    await t.test('5.19 takes PDF, JPEG and PNG by their bytes, whatever name and type are claimed', async () => {
      const files = [
        { bytes: makePdf(3), type: 'PDF', pages: 3, name: 'photo.png', claimed: 'image/png', media: 'application/pdf' },
        { bytes: makeJpeg(), type: 'JPEG', pages: 1, name: 'a.pdf', claimed: 'application/pdf', media: 'image/jpeg' },
        { bytes: makePng(), type: 'PNG', pages: 1, name: 'x.exe', claimed: 'text/html', media: 'image/png' },
      ]
      for (const { bytes, type, pages, name, claimed, media } of files) {
        const made = must(await ada.upload('/contents/', fields, { name, bytes, type: claimed }), 201)
        const { id, created_at, thumbnail, ...rest } = made
        assert.ok(!Number.isNaN(Date.parse(created_at)))
        // It is drawn after the answer, and may be there before the answer is read.
        assert.match(thumbnail, /^(PENDING|READY)$/)
        assert.deepEqual(rest, {
          title: 'TYPE1',
          title_type: 'TYPE1',
          type,
          position: 0,
          is_active: true,
          file: `/backend/api/v1/contents/serve/?content_id=${id}`,
          file_name: name,
          size: bytes.length,
          pages,
          is_pictured: false,
          sha256: sha256(bytes),
          upload_id: null,
          collection: { id: collection, is_locked: false, proofid: null, digest: null },
          username: 'ada',
          may: { change: true, delete: true },
        })
        for (const who of [ada, sam]) {
          const served = await who.get(`/contents/serve/?content_id=${id}`)
          assert.equal(served.status, 200)
          assert.deepEqual(served.bytes, bytes)
          assert.equal(served.headers['content-type'], media)
          assert.equal(served.headers['x-content-type-options'], 'nosniff')
          assert.match(String(served.headers['content-disposition']), /^inline; /)
        }
      }
      assert.equal(must(await ada.get(`/collections/${collection}`), 200).content_count, 3)
      await server.settle()
      assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
    })

    await t.test('3.17 5.16 7.33 gives TYPE1 and TYPE2 their own title, and OTHER the one it was sent', async () => {
      const titled = async (extra: Record<string, string>) =>
        must(await ada.upload('/contents/', { ...fields, ...extra }, { name: 'a.png', bytes: makePng() }), 201)
      assert.equal((await titled({ title_type: 'TYPE2' })).title, 'TYPE2')
      assert.equal((await titled({ title_type: 'TYPE1', title: 'ignored' })).title, 'TYPE1')
      const other = await titled({ title_type: 'OTHER', title: '  دانشنامهٔ کارشناسی  ' })
      assert.equal(other.title, 'دانشنامهٔ کارشناسی')
      assert.equal((await titled({ title_type: 'OTHER', title: '😀'.repeat(20) })).title, '😀'.repeat(20))
    })

    await t.test('keeps file names readable and harmless', async () => {
      const named = async (name: string) =>
        must(await ada.upload('/contents/', fields, { name, bytes: makePng() }), 201).file_name
      assert.equal(await named('C:\\Users\\ada\\مدرک é.pdf'), 'مدرک é.pdf')
      assert.equal(await named('../../etc/passwd'), 'passwd')
      assert.equal(await named('gpj.\u202efdp.exe'), 'gpj.fdp.exe')
      // What joins letters and pictures, or keeps them apart, is part of what people write.
      assert.equal(await named('می\u200cخواهم 🏳️\u200d🌈\u200f.pdf'), 'می\u200cخواهم 🏳️\u200d🌈.pdf')
      assert.equal(await named('..hidden<1>.pdf'), 'hidden_1_.pdf')
      // A form has `%22` for a quote and `%0D%0A` for a line end; nothing else in it is written so.
      assert.equal(await named('my "best"\r\n 100%25 %2e%0a.pdf'), 'my _best_ 100%25 %2e%0a.pdf')
      assert.equal([...(await named(`${'x'.repeat(400)}.pdf`))].length, 255)
      assert.match(await named(`${'x'.repeat(400)}.pdf`), /x\.pdf$/)
    })

    await t.test('7.32 lists them whole, newest first or as asked', async () => {
      const list = must(await ada.get(`/contents/?collection=${collection}`), 200)
      const ids = list.results.map((row: { id: number }) => row.id)
      assert.equal(list.next, null)
      assert.equal(list.count, ids.length)
      assert.ok(ids.length > 10)
      assert.deepEqual(
        ids,
        ids.toSorted((a: number, b: number) => b - a),
      )
      const reversed = must(await ada.get(`/contents/?collection=${collection}&ordering=created_at`), 200)
      assert.deepEqual(
        reversed.results.map((row: { id: number }) => row.id),
        ids.toReversed(),
      )
      const byTitle = must(await ada.get(`/contents/?collection=${collection}&ordering=title`), 200)
      assert.equal(byTitle.results[0].title, 'TYPE1')
      assert.equal(byTitle.results.at(-1).title, '😀'.repeat(20))
      assert.equal((await ada.get(`/contents/?collection=${collection}&ordering=size`)).status, 400)
      assert.equal((await eve.get(`/contents/?collection=${collection}`)).status, 404)
    })

    await t.test('7.33 lets a file that comes late stand where it was meant to', async () => {
      const ordered = await openCollection(ada)
      const add = (name: string, extra: Record<string, string> = {}) =>
        ada.upload('/contents/', { collection: String(ordered), ...extra }, { name, bytes: makePng() })
      assert.equal(must(await add('a'), 201).position, 0)
      assert.equal(must(await add('c', { position: '7' }), 201).position, 7)
      assert.equal(must(await add('d'), 201).position, 7)
      assert.equal(must(await add('b', { position: '6' }), 201).position, 6)
      const listed = await listRecords(server.deps.db, ordered, { by: 'position', direction: 'asc' })
      assert.deepEqual(
        listed.map((content) => content.file_name),
        ['a', 'b', 'c', 'd'],
      )
      const newest = must(await ada.get(`/contents/?collection=${ordered}`), 200).results
      assert.deepEqual(
        newest.map((content: { file_name: string }) => content.file_name),
        ['b', 'd', 'c', 'a'],
      )
      for (const wrong of ['-1', '1000000', '1.5', 'x', '']) {
        const refused = await add('e', { position: wrong })
        assert.equal(refused.status, 400, wrong)
        assert.deepEqual(refused.json().position, ['A position is a whole number from 0 to 999999.'])
      }
      const refused = await add('e', { upload_id: 'mine' })
      assert.equal(refused.status, 400)
      assert.deepEqual(refused.json().upload_id, ['An upload id is 32 hexadecimal digits.'])
    })

    await t.test(
      '7.35 serves a part, and nothing to whoever has it, and nothing to whoever may not see it',
      async () => {
        const bytes = makePdf(2)
        const id = await addFile(ada, collection, bytes)
        const path = `/contents/serve/?content_id=${id}`
        const whole = await ada.get(path)
        assert.equal((await ada.get(path, { 'if-none-match': String(whole.headers['etag']) })).status, 304)
        const part = await ada.get(path, { range: 'bytes=5-9' })
        assert.equal(part.status, 206)
        assert.deepEqual(part.bytes, bytes.subarray(5, 10))
        const foreign = await eve.get(path)
        assert.equal(foreign.status, 404)
        assert.equal(foreign.body, (await eve.get('/contents/serve/?content_id=999999')).body)
        assert.equal((await server.stranger.get(path)).status, 401)
        for (const wrong of ['', '?content_id=', '?content_id=x', '?content_id=0', '?content_id=9007199254740993'])
          assert.equal((await ada.get(`/contents/serve/${wrong}`)).status, 400, wrong)
      },
    )

    await t.test('7.34 and removing one again removes its bytes, once', async () => {
      const id = await addFile(ada, collection)
      const before = must(await ada.get(`/collections/${collection}`), 200).content_count
      assert.equal((await ada.delete(`/contents/${id}/?collection=${collection + 1}`)).status, 404)
      const twice = await Promise.all([1, 2].map(() => ada.delete(`/contents/${id}/?collection=${collection}`)))
      assert.deepEqual(
        twice.map((answer) => answer.status).toSorted((a, b) => a - b),
        [204, 404],
      )
      assert.equal(must(await ada.get(`/collections/${collection}`), 200).content_count, before - 1)
      assert.equal((await ada.get(`/contents/serve/?content_id=${id}`)).status, 404)
      await server.settle()
      assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
    })
  })

  test(`a collection holds so much and no more, also when two uploads race (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const bytes = makePdf(2)
    for (const [code, totals] of [
      ['collection_full', { content_count: 99 }],
      ['collection_too_many_bytes', { content_bytes: COLLECTION_MAX_BYTES - bytes.length }],
      ['collection_too_many_pages', { content_pages: COLLECTION_MAX_PAGES - 2 }],
    ] as const) {
      const id = await openCollection(ada)
      await server.deps.db.updateTable('collections').set(totals).where('id', '=', id).execute()
      const upload = () => ada.upload('/contents/', { collection: String(id) }, { name: 'a.pdf', bytes })
      const answers = await Promise.all([upload(), upload(), upload()])
      assert.deepEqual(
        answers.map((answer) => answer.status).toSorted((a, b) => a - b),
        [201, 400, 400],
        code,
      )
      for (const answer of answers.filter(({ status }) => status === 400)) {
        assert.equal(answer.json().code, code)
        assert.deepEqual(answer.json().file, [answer.json().detail])
      }
      assert.equal(must(await ada.get(`/contents/?collection=${id}`), 200).count, 1)
    }
    await server.settle()
    assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
    assert.deepEqual(await server.deps.db.selectFrom('blob_intents').selectAll().execute(), [])
  })
}
