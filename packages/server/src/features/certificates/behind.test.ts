import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { signNote } from '@proofdesk/proof/log/note'
import { openHeadGuard } from '../../log/head-guard.ts'
import { keepLogKey } from '../../log/keep-log-key.ts'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'

/** As after the restore of an older backup: outside the database a head is known that it does not reach. */
async function restoreOlder(server: TestServer): Promise<void> {
  const { deps, config } = server
  const key = await keepLogKey(deps.db, config)
  const head = formatCheckpoint({ origin: key.name, size: 1000, root: new Uint8Array(32) })
  await openHeadGuard(config.keysDir, deps.blobs).keep(await signNote(head, [key]), 1000)
  await server.restart()
}

for (const engine of ENGINES)
  test(`14.69 where a head was signed that the database does not reach, nobody is told how a proof stands (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const sue = await server.signIn('sue', { is_superuser: true })
    const approve = async (): Promise<string> => {
      const id = await sendCollection(ada)
      return must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200).proofid
    }
    const [proofid, revoked] = [await approve(), await approve()]
    must(await sue.post('/admin/proofs/revoke/', { proofid: revoked, reason: 'superseded' }), 200)
    await server.deps.log.tend()
    const listCalls = (asked: string) => [
      () => server.stranger.get(`/service-content-servers/get-pdfs/?proofid=${asked}&username=ada`),
      ...['details', 'verdict', 'receipt'].map(
        (call) => () => server.stranger.post(`/service-content-servers/${call}/`, { proofid: asked, username: 'ada' }),
      ),
    ]
    for (const call of listCalls(proofid)) assert.equal((await call()).status, 200)
    assert.equal((await server.inject('/log/status/0')).statusCode, 200)

    await restoreOlder(server)
    // What it does not know may have been approved since, what it knows revoked, reinstated or given another expiry.
    for (const asked of [proofid, revoked, '0000-0000-0000-0000-0'])
      for (const call of listCalls(asked)) {
        const answer = await call()
        assert.equal(answer.status, 503, asked)
        assert.equal(answer.json().code, 'log_behind')
      }
    const page = await server.inject('/log/status/0')
    assert.deepEqual([page.statusCode, page.json().code], [503, 'log_behind'])
    assert.equal((await server.inject('/log/checkpoint')).statusCode, 200, 'what was signed stays to be compared')
  })
