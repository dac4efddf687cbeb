import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'

for (const engine of ENGINES)
  test(`14.40 a sealed file that the public verifier refuses is shown to nobody, and sealed again (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { certify } = server.deps
    let isBroken = true
    const seal: typeof certify.seal = async (request) => {
      const made = await certify.seal(request)
      if (isBroken) made.update[40]! ^= 1
      return made
    }
    server.deps.certify = { ...certify, seal }
    server.deps.approvalWaitMs = 3000
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const id = await sendCollection(ada)
    await server.settle()
    const answer = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
    assert.equal(answer.status, 202, answer.body)
    await server.settle()
    const shown = must(await sam.get(`/collections/${id}`), 200)
    assert.deepEqual([shown.proofid, shown.sealing.problem], [null, 'certifying_unavailable'])

    isBroken = false
    server.clock.advance(120_000)
    await server.settle()
    assert.ok(must(await ada.get(`/collections/${id}`), 200).proofid)
    await server.settle()
    assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
  })
