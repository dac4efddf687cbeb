import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectWithin } from '@proofdesk/certify/testing/pace'
import { ENGINES, startTestServer } from '../../testing.ts'
import { must, plantCollection } from '../../testing/collections.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { watchQueries } from '../../testing/watch-queries.ts'
import { sealProof } from './seal-proof.ts'
import { announceProof, waitForProof } from './wait-for-proof.ts'

for (const engine of ENGINES)
  test(`waiting for an approval (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sue = await server.signIn('sue', { is_superuser: true })
    const owner = must(await ada.get('/user/info'), 200)
    const claim = async () => {
      const { id } = await plantCollection(server, owner, 'claimed')
      const { claim_id: proof } = await server.deps.db
        .selectFrom('collections')
        .select('claim_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return { id, proof: proof ?? 0 }
    }
    const wait = (proof: number) => {
      const watched = watchQueries(server.deps.reads)
      return { ...watched, waited: waitForProof({ reads: watched.db }, proof, 20_000) }
    }

    await t.test('asks for nothing before this process has something to tell, and then once', async () => {
      const { id, proof } = await claim()
      const { kinds, waited } = wait(proof)
      await sleep(700)
      must(await sue.post(`/admin/${id}/withdraw/`, { admin_desc: 'Cannot be sealed' }), 200)
      const answered = performance.now()
      assert.equal(await waited, 'withdrawn')
      const lateMs = performance.now() - answered
      expectWithin(lateMs, 200, 'hearing of it')
      // Otherwise it looks once a second.
      if (lateMs < 200) assert.equal(kinds.length, 1)
    })

    await t.test('looks at once when sealing has failed', async () => {
      const { proof } = await claim()
      const { kinds, waited } = wait(proof)
      const began = performance.now()
      await assert.rejects(sealProof(server.deps, proof))
      const tried = performance.now()
      await waitUntil(async () => kinds.length === 1)
      if (tried - began < 500) expectWithin(performance.now() - tried, 300, 'hearing of it')
      await server.deps.db.updateTable('proofs').set({ state: 'withdrawn' }).where('id', '=', proof).execute()
      assert.equal(await waited, 'withdrawn')
    })

    await t.test('reads its state alone, and ends also when another process has published it', async () => {
      const { proof } = await claim()
      const { kinds, columns, waited } = wait(proof)
      await sleep(100)
      await server.deps.db.updateTable('proofs').set({ state: 'published' }).where('id', '=', proof).execute()
      assert.equal(await waited, 'published')
      assert.ok(kinds.length <= 3, `${kinds.length} looks`)
      assert.deepEqual([...columns], ['state'])
    })

    await t.test('believes the row alone, whatever it was woken by', async () => {
      const { proof } = await claim()
      const waited = waitForProof(server.deps, proof, 300)
      announceProof(proof)
      assert.equal(await waited, 'claimed')
    })

    await t.test('ends with its time', async () => {
      const { proof } = await claim()
      assert.equal(await waitForProof(server.deps, proof, 100), 'claimed')
    })
  })
