import assert from 'node:assert/strict'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { addFile, must, openCollection, sendCollection } from '../../testing/collections.ts'
import { findRound } from '../../rounds/queries.ts'
import { AppError } from '../../errors.ts'
import { pathOfBlob } from '../../blobs/disk.ts'
import { judgeKept } from './judge-kept.ts'
import { reportFound } from './service.ts'

const storedPath = ({ config }: TestServer, key: string) => pathOfBlob(config.dataDir, key)
const DAY_MS = 24 * 60 * 60 * 1000

/** One byte of it is another. */
async function flip(path: string): Promise<void> {
  const bytes = await readFile(path)
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(path, bytes)
}

async function findStored({ deps: { db } }: TestServer, collection: number) {
  const { blob_key } = await db
    .selectFrom('contents')
    .select('blob_key')
    .where('collection_id', '=', collection)
    .executeTakeFirstOrThrow()
  const { document_key } = await db
    .selectFrom('submissions')
    .select('document_key')
    .where('collection_id', '=', collection)
    .executeTakeFirstOrThrow()
  return { original: blob_key, document: document_key ?? '' }
}

/** What is left of the rounds that are due. */
async function judgeAll({ deps }: TestServer): Promise<void> {
  do await judgeKept(deps)
  while (
    (await findRound(deps.db, 'original'))?.is_under_way === 1 ||
    (await findRound(deps.db, 'review_document'))?.is_under_way === 1
  )
}

const listProblems = async (server: TestServer) => {
  const { files } = must(await (await server.signIn('sue', { is_superuser: true })).get('/health/'), 200)
  type Problem = { what: string; collection_id: number; title: string; username: string; told: string }
  return (files.problems as Problem[])
    .map(({ what, collection_id: id, title, username, told }) => [what, id, title, username, told])
    .toSorted((a, b) => Number(a[1]) - Number(b[1]))
}

for (const engine of ENGINES) {
  test(`17.9 17.10 what is deleted with its row while somebody reads it is not missing (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    const ada = await server.signIn('ada')
    const id = await sendCollection(ada)
    await server.settle()
    const { original, document } = await findStored(server, id)
    const countNamed = async () => (await deps.db.selectFrom('spoiled_files').select('key').execute()).length
    // Whoever read it found nothing: by then another file stands in its place, or none.
    for (const [kind, key] of [
      ['original', 'replaced'],
      ['review_document', 'replaced'],
    ] as const)
      await reportFound(deps, { kind, key, collection_id: id }, 'file_missing')
    await reportFound(deps, { kind: 'original', key: original, collection_id: id + 1 }, 'file_missing')
    assert.equal(await countNamed(), 0)
    await reportFound(deps, { kind: 'review_document', key: document, collection_id: id }, 'file_missing')
    assert.equal(await countNamed(), 1)
    server.clock.advance(7 * DAY_MS)
    await judgeAll(server)
    assert.equal(await countNamed(), 0)

    server.clock.advance(7 * DAY_MS)
    const deleting: typeof deps.blobs = {
      ...deps.blobs,
      read: async () => {
        await deps.db.deleteFrom('contents').execute()
        throw new AppError('file_missing')
      },
    }
    await judgeAll({ ...server, deps: { ...deps, blobs: deleting } })
    const named = await deps.db.selectFrom('spoiled_files').select('kind').execute()
    assert.deepEqual(named, [{ kind: 'review_document' }], 'of which there still is a row')
  })

  test(`17.9 stored originals and review documents are read in turns, and named while they are spoiled (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const ids = []
    for (let n = 0; n < 3; n++) ids.push(await sendCollection(ada))
    await server.settle()
    const [first, second, third] = await Promise.all(ids.map((id) => findStored(server, id)))
    const paths = [first!.original, second!.document, third!.original].map((key) => storedPath(server, key))
    const asides = await Promise.all(paths.map((path) => readFile(path)))
    server.clock.advance(7 * DAY_MS)
    await judgeAll(server)
    assert.deepEqual(await listProblems(server), [])

    await rm(paths[0]!)
    await flip(paths[1]!)
    await writeFile(paths[2]!, asides[2]!.subarray(0, -1))
    server.clock.advance(6 * DAY_MS)
    await judgeAll(server)
    assert.deepEqual(await listProblems(server), [], 'a round a week is enough')
    server.clock.advance(DAY_MS)
    await Promise.all([judgeAll(server), judgeAll(server)])
    assert.deepEqual(await listProblems(server), [
      ['original', ids[0], 'Degree', 'ada', 'missing'],
      ['review_document', ids[1], 'Degree', 'ada', 'altered'],
      ['original', ids[2], 'Degree', 'ada', 'altered'],
    ])
    const told = server.logLines.filter((line) => line.includes('not as it was stored'))
    assert.equal(told.length, 3)
    assert.ok(told.every((line) => /"collection":\d+/.test(line) && !/Degree|ada|originals/.test(line)))

    // What is put back is right at the next round; what is deleted is nobody's sorrow.
    await writeFile(paths[0]!, asides[0]!)
    await writeFile(paths[1]!, asides[1]!)
    await server.deps.db.deleteFrom('contents').where('collection_id', '=', ids[2]!).execute()
    server.clock.advance(7 * DAY_MS)
    await judgeAll(server)
    assert.deepEqual(await listProblems(server), [])
  })

  test(`17.9 a file that the disk does not give out is named, and the round goes on (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const ids = [await sendCollection(ada), await sendCollection(ada)]
    await server.settle()
    const [first, second] = await Promise.all(ids.map((id) => findStored(server, id)))
    // Opening it goes well, and reading it fails.
    await rm(storedPath(server, first!.original))
    await mkdir(storedPath(server, first!.original))
    await flip(storedPath(server, second!.original))
    server.clock.advance(7 * DAY_MS)
    await judgeAll(server)
    assert.deepEqual(await listProblems(server), [
      ['original', ids[0], 'Degree', 'ada', 'unreadable'],
      ['original', ids[1], 'Degree', 'ada', 'altered'],
    ])
  })

  test(`17.9 while no original can be judged, review documents are (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    const id = await sendCollection(await server.signIn('ada'))
    await server.settle()
    const { original, document } = await findStored(server, id)
    await flip(storedPath(server, document))
    server.clock.advance(7 * DAY_MS)
    const away = new AppError('storage_unavailable')
    const blobs = {
      ...deps.blobs,
      read: (key: string) => (key === original ? Promise.reject(away) : deps.blobs.read(key)),
      check: () => Promise.reject(away),
    }
    await assert.rejects(judgeKept({ ...deps, blobs }), away)
    assert.deepEqual(await listProblems(server), [['review_document', id, 'Degree', 'ada', 'altered']])
  })

  test(`17.10 a file that is missing or altered is not given out, and is named at once (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    const [id, other] = [await sendCollection(ada), await sendCollection(ada)]
    await server.settle()
    const { original, document } = await findStored(server, id)
    const { id: content } = await server.deps.db
      .selectFrom('contents')
      .select('id')
      .where('collection_id', '=', id)
      .executeTakeFirstOrThrow()
    await rm(storedPath(server, original))
    const whole = await sam.get(`/contents/serve/?content_id=${content}`)
    assert.deepEqual([whole.status, whole.json().code], [500, 'file_missing'])
    assert.match(whole.json().detail, /missing .* tell the operator/)
    assert.deepEqual(await listProblems(server), [['original', id, 'Degree', 'ada', 'missing']])

    await flip(storedPath(server, document))
    const approving = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
    assert.deepEqual([approving.status, approving.json().code], [500, 'file_altered'])
    assert.deepEqual((await listProblems(server)).length, 2)
    assert.equal(must(await ada.get(`/collections/${id}`), 200).is_locked, true, 'nothing was decided')
    must(await sam.post(`/admin/${other}/approve/`, { admin_desc: 'Fine' }), 200)
  })

  test(`17.11 of a submission whose original is spoiled it is told which file that is (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    for (const [spoil, words] of [
      [rm, /This file is missing/],
      [flip, /This file is not as it was stored/],
    ] as const) {
      const id = await openCollection(ada)
      await addFile(ada, id)
      await addFile(ada, id)
      const { blob_key: key } = await server.deps.db
        .selectFrom('contents')
        .select('blob_key')
        .where('collection_id', '=', id)
        .orderBy('position')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      await spoil(storedPath(server, key))
      must(await ada.post(`/collections/${id}/save/`), 200)
      await server.settle()
      assert.equal(
        must(await sam.get(`/collections/${id}`), 200).submission.document,
        'preparing',
        'it may be put back',
      )
      for (let tries = 1; tries < 4; tries++) {
        server.clock.advance(60_000)
        await server.settle()
      }
      for (const viewer of [ada, sam]) {
        const { submission } = must(await viewer.get(`/collections/${id}`), 200)
        assert.equal(submission.document, 'failed')
        const [{ document }] = must(await viewer.get(`/collections/${id}/submissions/`), 200).results
        assert.match(document.problem.detail, words)
        assert.equal(document.problem.file, 'TYPE1')
      }
      assert.ok((await listProblems(server)).some(([what, collection]) => what === 'original' && collection === id))
    }
  })
}
