import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { findErasable as findCollection } from '../features/collections/erasure/queries.ts'
import { findErasable as findUser } from '../features/users/erasure/queries.ts'
import { addErased, readErased } from '../secrets/erased-list.ts'
import { ENGINES, startTestServer, type TestServer } from '../testing.ts'
import { openCollection } from '../testing/collections.ts'
import { approveOne, erasing, judge } from '../testing/erasure.ts'
import { watchQueries } from '../testing/watch-queries.ts'
import { eraseAgain } from './erase-again.ts'
import { eraseProof, hashProofId, macCollection } from './erase-proof.ts'
import { eraseUser, macUser } from './erase-user.ts'

const NOTHING = { collections: 0, proofs: 0, files: 0, users: 0, left: 0 }

const again = (server: TestServer) => eraseAgain(erasing(server), server.deps.secrets)

/** @returns deps whose list nobody can write. */
async function withoutList(server: TestServer) {
  const path = join(server.config.dataDir, 'no-folder')
  await writeFile(path, '')
  return { ...erasing(server), keysDir: join(path, 'keys') }
}

for (const engine of ENGINES) {
  test(`23.5 nothing is erased whose line cannot be written (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { secrets } = server.deps
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const proofid = await approveOne(ada, sam)
    const deps = await withoutList(server)
    await assert.rejects(eraseProof(deps, secrets, proofid), /list of what is erased cannot be written/)
    assert.equal(await judge(server, proofid), 'valid')
    await assert.rejects(eraseUser(deps, secrets, 'ada'), /list of what is erased cannot be written/)
    assert.equal(await judge(server, proofid), 'valid')
    assert.equal((await findUser(server.deps.db, { username: 'ada' }))?.username_key, 'ada')
  })

  test(`23.11 no collection is erased that only has the number of one that was (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, secrets } = server.deps
    const id = await openCollection(await server.signIn('ada'))
    const collection = (await findCollection(db, id))!
    const ofAnotherTime = [
      { ...collection, owner_id: collection.owner_id + 1 },
      { ...collection, created_at: collection.created_at + 1 },
      { ...collection, id: id + 1 },
    ]
    for (const [n, other] of ofAnotherTime.entries())
      await addErased(server.config.keysDir, {
        proof: hashProofId(`${n}`),
        collection: { id, mac: macCollection(secrets, other) },
      })
    const user = (await findUser(db, { username: 'ada' }))!
    for (const other of [
      { ...user, username_key: 'ben' },
      { ...user, joined_at: user.joined_at + 1 },
      { ...user, id: user.id + 1 },
    ])
      await addErased(server.config.keysDir, { user: { id: user.id, mac: macUser(secrets, other) } })
    assert.deepEqual(await again(server), NOTHING)
    await addErased(server.config.keysDir, {
      proof: hashProofId('last'),
      collection: { id, mac: macCollection(secrets, collection) },
    })
    assert.deepEqual(await again(server), { ...NOTHING, collections: 1 })
    assert.equal(await findCollection(db, id), undefined)
  })

  test(`23.5 a list that was carried out is read and no more, until a line is added (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const [one, other] = [await approveOne(ada, sam), await approveOne(ada, sam)]
    await addErased(server.config.keysDir, { proof: hashProofId(one) })
    assert.equal((await again(server)).proofs, 1)
    const watched = watchQueries(server.deps.db)
    assert.deepEqual(await eraseAgain({ ...erasing(server), db: watched.db }, server.deps.secrets), NOTHING)
    assert.equal(watched.kinds.length, 1)
    await addErased(server.config.keysDir, { proof: hashProofId(other) })
    assert.equal((await again(server)).proofs, 1)
    assert.equal(await judge(server, other), '404 proof_not_found')
  })

  test(`23.5 what is named is found behind a thousand others (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const first = await approveOne(ada, sam)
    const { id, ...row } = await db.selectFrom('proofs').selectAll().executeTakeFirstOrThrow()
    for (let n = 0; n < 1000; n += 100)
      await db
        .insertInto('proofs')
        .values(Array.from({ length: 100 }, (_, at) => ({ ...row, collection_id: null, proofid: `${id} ${n + at}` })))
        .execute()
    const last = await approveOne(ada, sam)
    for (const proofid of [first, last]) await addErased(server.config.keysDir, { proof: hashProofId(proofid) })
    assert.equal((await again(server)).proofs, 2)
    assert.equal(await judge(server, last), '404 proof_not_found')
  })

  test(`23.5 of two who make up for it at once nothing is left, and each is erased once (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, secrets } = server.deps
    for (const username of ['ada', 'ben', 'cem']) {
      const { id } = await server.createUser({ username })
      await addErased(server.config.keysDir, { user: { id, mac: macUser(secrets, (await findUser(db, { id }))!) } })
    }
    const both = await Promise.all([again(server), again(server)])
    assert.deepEqual([both[0].users + both[1].users, both[0].left, both[1].left], [3, 0, 0])
    assert.equal(await findUser(db, { username: 'ada' }), undefined)
  })

  test(`23.10 the last active superuser stays whatever the list says, and is asked about at each start (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, secrets } = server.deps
    for (const username of ['sue', 'ben']) {
      const { id } = await server.createUser({ username, is_superuser: username === 'sue' })
      await addErased(server.config.keysDir, { user: { id, mac: macUser(secrets, (await findUser(db, { id }))!) } })
    }
    assert.deepEqual(await again(server), { ...NOTHING, users: 1, left: 1 })
    await server.createUser({ username: 'sid', is_superuser: true })
    assert.deepEqual(await again(server), { ...NOTHING, users: 1 })
    assert.equal(await findUser(db, { username: 'sue' }), undefined)
  })

  test(`23.5 a database that fails meanwhile is told as such (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, secrets } = server.deps
    const { id } = await server.createUser({ username: 'ada' })
    await addErased(server.config.keysDir, { user: { id, mac: macUser(secrets, (await findUser(db, { id }))!) } })
    await sql`alter table made_once rename to away`.execute(db)
    await assert.rejects(again(server), /made_once/)
    await sql`alter table away rename to made_once`.execute(db)
    assert.deepEqual(await again(server), { ...NOTHING, users: 1 })
  })

  test(`23.6 with an approval that was withdrawn all others that were go, and the collection nothing else came of (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, secrets } = server.deps
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const [one, other] = [await approveOne(ada, sam), await approveOne(ada, sam)]
    const { collection_id } = await db
      .selectFrom('proofs')
      .select('collection_id')
      .where('proofid', '=', other)
      .executeTakeFirstOrThrow()
    await db.updateTable('proofs').set({ state: 'withdrawn', collection_id }).execute()
    const counts = await eraseProof(erasing(server), secrets, one)
    assert.deepEqual([counts.proofs, counts.collections], [2, 1])
    assert.deepEqual(await db.selectFrom('proofs').select('id').execute(), [])
    const { erased } = await readErased(server.config.keysDir)
    assert.deepEqual(
      erased.map((line) => 'proof' in line && line.collection?.id),
      [collection_id],
    )
  })

  test(`23.1 with a proof goes what its owner was told under any title that it ever had (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, secrets } = server.deps
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const [proofid, alone] = [await approveOne(ada, sam, 'Approved'), await approveOne(ada, sam, 'Alone')]
    const [row, lone] = await db.selectFrom('proofs').select(['id', 'collection_id']).orderBy('id').execute()
    await db
      .updateTable('submissions')
      .set({ title: 'Sent' })
      .where('collection_id', '=', row!.collection_id!)
      .execute()
    await db.updateTable('collections').set({ title: 'Now' }).where('id', '=', row!.collection_id!).execute()
    await db.deleteFrom('collections').where('id', '=', lone!.collection_id!).execute()
    await db.deleteFrom('notifications').execute()
    const { id: user_id } = await db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'ada')
      .executeTakeFirstOrThrow()
    for (const title of ['Approved', 'Sent', 'Now', 'Alone', 'Another'])
      await db
        .insertInto('notifications')
        .values({ user_id, type: 'UNDELIVERED_MAIL', path: null, title, file: null, is_read: 0, created_at: 0 })
        .execute()
    const titles = async () =>
      (await db.selectFrom('notifications').select('title').orderBy('id').execute()).map(({ title }) => title)
    await eraseProof(erasing(server), secrets, proofid)
    assert.deepEqual(await titles(), ['Alone', 'Another'])
    await eraseProof(erasing(server), secrets, alone)
    assert.deepEqual(await titles(), ['Another'])
  })

  test(`23.1 with a proof go the files of each step that it came to (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, secrets, blobs } = server.deps
    const proofid = await approveOne(await server.signIn('ada'), await server.signIn('sam', { is_staff: true }))
    const path = blobs.temporaryPath()
    await writeFile(path, 'first revision')
    await blobs.putFile('proofs/first', path)
    await db.updateTable('proofs').set({ revision0_key: 'proofs/first' }).execute()
    const { sealed_key } = await db.selectFrom('proofs').select('sealed_key').executeTakeFirstOrThrow()
    assert.ok(await blobs.size(sealed_key!))
    await eraseProof(erasing(server), secrets, proofid)
    server.deps.outbox.ring()
    await server.settle()
    assert.deepEqual([await blobs.size('proofs/first'), await blobs.size(sealed_key!)], [undefined, undefined])
  })
}
