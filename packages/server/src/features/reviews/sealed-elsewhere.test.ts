import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { sealProof } from './seal-proof.ts'

for (const engine of ENGINES)
  test(`21.16 a process that comes too late to seal, since another has published and cleared away meanwhile, has nothing to tell of (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const id = await sendCollection(ada)
    await server.settle()
    server.deps.approvalWaitMs = 0
    const { deps } = server
    let late: Promise<void> | undefined
    let isQuick = true
    // The slower of two that hold the same row: it has looked at the proof, and goes on when all is done.
    const slow = {
      ...deps,
      blobs: {
        ...deps.blobs,
        openLocal: async (key: string) => {
          await server.settle()
          return deps.blobs.openLocal(key)
        },
      },
    }
    deps.onApprovalStep = async (step) => {
      if (step !== 'seal-made' || !isQuick) return
      isQuick = false
      const { id: proof } = await deps.db.selectFrom('proofs').select('id').executeTakeFirstOrThrow()
      late = sealProof({ ...slow, onApprovalStep: () => {} }, proof)
    }
    must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 202)
    await server.settle()
    assert.ok(late, 'another came too late')
    await late
    const { state, problem } = await deps.db.selectFrom('proofs').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual({ state, problem }, { state: 'published', problem: null })
    assert.ok((must(await ada.get(`/collections/${id}`), 200) as { proofid: string | null }).proofid)
  })
