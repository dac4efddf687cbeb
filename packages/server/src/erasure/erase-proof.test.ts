import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { findFact } from '../db/instance.ts'
import { findPage, wantPage } from '../log/status/queries.ts'
import { addErased, ERASED_LIST, readErased } from '../secrets/erased-list.ts'
import { ENGINES, startTestServer } from '../testing.ts'
import { must } from '../testing/collections.ts'
import { approveOne, erasing, issueRich, judge, mustBeWell, PLANTED } from '../testing/erasure.ts'
import { searchEverything } from '../testing/search-everything.ts'
import { listStoredFiles } from '../testing/stored-files.ts'
import { eraseProof, hashProofId } from './erase-proof.ts'

for (const engine of ENGINES) {
  test(`23.1 23.2 of an erased proof nothing is left but its leaf, and others stay (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db, secrets } = server.deps
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const sue = await server.signIn('sue', { is_superuser: true })
    const kept = await approveOne(ada, sam)
    const { proofid } = await issueRich(ada, sam)
    must(await sue.post('/admin/proofs/revoke/', { proofid, reason: 'content_false', text: 'Walfischknochen' }), 200)
    must(await sue.post('/admin/proofs/reinstate/', { proofid }), 200)
    await server.settle()
    const row = await db.selectFrom('proofs').selectAll().where('proofid', '=', proofid).executeTakeFirstOrThrow()
    const commitments = await db.selectFrom('log_commitments').selectAll().where('proof_id', '=', row.id).execute()
    assert.equal(commitments.length, 3)
    const words = [...PLANTED, row.seed, ...commitments.map(({ seed }) => seed), proofid, proofid.replaceAll('-', '')]
    const inRows = words.filter((word) => word !== proofid.replaceAll('-', ''))
    assert.deepEqual(await searchEverything(server, inRows), inRows)
    const files = (await listStoredFiles(server)).length
    const leaves = await db.selectFrom('log_entries').selectAll().execute()

    const counts = await eraseProof(erasing(server), secrets, ` ${proofid.toLowerCase()} `)
    assert.deepEqual([counts.proofs, counts.collections], [1, 1])
    server.deps.outbox.ring()
    await server.settle()
    assert.deepEqual(await searchEverything(server, words), [])
    assert.equal(counts.files, files - (await listStoredFiles(server)).length)
    assert.equal(await judge(server, proofid), '404 proof_not_found')
    assert.equal(await judge(server, kept), 'valid')
    const withdrawn = await db.selectFrom('log_withdrawn_leaves').selectAll().execute()
    assert.deepEqual(withdrawn, [], 'erased is not revoked')
    assert.deepEqual((await db.selectFrom('log_entries').selectAll().execute()).slice(0, leaves.length), leaves)
    await mustBeWell(server)
    const erased = await db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id', 'object_id', 'details'])
      .where('action', 'like', '%_erased')
      .orderBy('id')
      .execute()
    assert.deepEqual(erased, [
      { action: 'proof_erased', actor_id: null, object_id: row.id, details: '{}' },
      { action: 'collection_erased', actor_id: null, object_id: row.collection_id, details: '{}' },
    ])
    await assert.rejects(eraseProof(erasing(server), secrets, proofid), { code: 'proof_not_found' })
    await assert.rejects(eraseProof(erasing(server), secrets, 'no Proof ID'), { code: 'proof_not_found' })
  })

  test(`23.3 changes of a proof go in no other way than by erasing it (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const [one, other] = [await approveOne(ada, sam), await approveOne(ada, sam)]
    for (const proofid of [one, other])
      must(await sam.post('/admin/proofs/revoke/', { proofid, reason: 'superseded' }), 200)
    const changes = await db.selectFrom('proof_changes').select(['id', 'proof_id']).execute()
    await assert.rejects(db.deleteFrom('proof_changes').execute(), /only added to/)
    await db.insertInto('erasing_proofs').values({ proof_id: changes[0]!.proof_id }).execute()
    await assert.rejects(db.deleteFrom('proof_changes').where('id', '=', changes[1]!.id).execute(), /only added to/)
    await assert.rejects(db.updateTable('proof_changes').set({ text: 'another' }).execute(), /only added to/)
    assert.equal((await db.selectFrom('proof_changes').select('id').execute()).length, 2)
  })

  test(`23.4 of two who erase the same proof at once nothing goes wrong (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const [first, second] = [await approveOne(ada, sam), await approveOne(ada, sam)]
    const results = await Promise.all(
      [first, first, second].map((proofid) => eraseProof(erasing(server), server.deps.secrets, proofid)),
    )
    assert.equal(
      results.reduce((sum, { proofs }) => sum + proofs, 0),
      2,
    )
    const { erased } = await readErased(server.config.keysDir)
    assert.deepEqual(
      new Set(erased.map((line) => 'proof' in line && line.proof)),
      new Set([hashProofId(first), hashProofId(second)]),
    )
    assert.equal((await stat(join(server.config.keysDir, ERASED_LIST))).mode & 0o777, 0o600)
    await mustBeWell(server)
  })

  test(`23.5 an erasure that ended after its line was written is made up for at the next start (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const { proofid } = await issueRich(ada, sam)
    const kept = await approveOne(ada, sam)
    await server.settle()
    await addErased(server.config.keysDir, { proof: hashProofId(proofid) })
    assert.equal(await judge(server, proofid), 'valid')
    await server.restart()
    await server.settle()
    assert.deepEqual(await searchEverything(server, PLANTED), [])
    assert.equal(await judge(server, proofid), '404 proof_not_found')
    assert.equal(await judge(server, kept), 'valid')
    const known = await findFact(server.deps.db, 'erased_list')
    assert.equal(known, (await readErased(server.config.keysDir)).digest)
  })

  test(`23.6 an approval that was withdrawn stays revoked in the log when it is erased, and what was approved after it stays (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps } = server
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const proofid = await approveOne(ada, sam)
    const later = await approveOne(ada, sam)
    const { db } = deps
    const { collection_id } = await db
      .selectFrom('proofs')
      .select('collection_id')
      .where('proofid', '=', later)
      .executeTakeFirstOrThrow()
    await db.updateTable('proofs').set({ state: 'withdrawn', collection_id }).where('proofid', '=', proofid).execute()
    const makePage = async () => {
      await wantPage(db, 0)
      await deps.log.tend()
      return Buffer.from((await findPage(db, 0))?.bits ?? []).toString('hex')
    }
    const before = await makePage()
    assert.match(before, /[^0]/)
    const counts = await eraseProof(erasing(server), deps.secrets, proofid)
    assert.deepEqual([counts.proofs, counts.collections], [1, 0])
    assert.equal(await makePage(), before)
    assert.equal(await judge(server, proofid), '404 proof_not_found')
    assert.equal(await judge(server, later), 'valid')
    assert.equal((await ada.get(`/collections/${collection_id}/`)).status, 200)
  })
}
