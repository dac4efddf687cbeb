import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { needJudge } from '@proofdesk/certify/testing'
import { openLoggedEnds } from '../../log/status/logged-ends.ts'
import { makeStatusPages } from '../../log/status/make-status-pages.ts'
import { wantPage } from '../../log/status/queries.ts'
import { startTestServer, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { addEntries, approve, changeProof, makePageWith, moveExpiry } from '../../testing/status-pages.ts'

const DOCUMENT = join(import.meta.dirname, '../../../../../docs/proof.md')
const DAY_MS = 24 * 60 * 60 * 1000
const run = promisify(execFile)

/** As somebody does who has the document, the policy and the address. */
async function openScript(server: TestServer) {
  const cwd = server.config.dataDir
  const scripts = [...(await readFile(DOCUMENT, 'utf8')).matchAll(/```python\n([\s\S]*?)```/g)]
  const script = scripts.find(([, text]) => text!.includes('urllib'))?.[1]
  assert.ok(script)
  await writeFile(join(cwd, 'log.py'), script)
  await writeFile(join(cwd, 'policy.json'), (await server.inject('/log/instance-policy')).rawPayload)
  const url = await server.listen()
  const check = async (...seen: string[]) => {
    const { stdout } = await run('python3', ['log.py', url, 'policy.json', ...seen], { cwd })
    const [, size, pages, root] = /^(\d+) entries, (\d+) pages, root (\S+)\n$/.exec(stdout) ?? []
    return { size: Number(size), pages: Number(pages), root: root! }
  }
  return check
}

test('14.104 what docs/proof.md says reads a whole log with tools of others alone, and finds a false page and another past', async (t) => {
  if (!needJudge(t, 'python3', 'openssl')) return
  const server = await startTestServer(t, 'sqlite')
  const check = await openScript(server)
  const tend = async () => {
    await server.sweep()
    await server.deps.log.tend()
    await server.deps.log.sign()
  }

  const [one, other] = [await approve(server), await approve(server, 30 * DAY_MS)]
  await changeProof(server, 'revoke', one)
  await tend()
  const first = await check()
  assert.equal(first.pages, 1)
  await addEntries(server, 600)
  await moveExpiry(server, other, new Date(server.clock.now() + DAY_MS).toISOString())
  await changeProof(server, 'reinstate', one)
  await changeProof(server, 'revoke', one)
  await tend()
  server.clock.advance(3 * DAY_MS)
  await tend()
  const second = await check(String(first.size), first.root)
  assert.deepEqual([second.pages, second.size > 606], [3, true])
  await assert.rejects(check(String(first.size), second.root), /its past was changed/)

  await makePageWith(server, [2])
  await assert.rejects(check(), /page 0 of entry \d+ is false/, 'the earlier expiry is left out')
})

test('14.104 … and accuses nobody whose list has the second of two changes that came while it was made, and not the first', async (t) => {
  if (!needJudge(t, 'python3', 'openssl')) return
  let isHeld = false
  const server = await startTestServer(t, 'sqlite', {
    onApprovalStep: (step) => {
      if (step === 'seal-made' && isHeld) throw new Error('held up')
    },
  })
  const check = await openScript(server)
  const revoked = await approve(server)
  isHeld = true
  server.deps.approvalWaitMs = 500
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const id = await sendCollection(ada)
  await server.settle()
  must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 202)
  await server.settle()
  const sue = await server.signIn('sue', { is_superuser: true })

  const { deps } = server
  const ends = openLoggedEnds(deps.reads)
  await wantPage(deps.db, 0)
  await makeStatusPages(deps, {
    async list(now) {
      const listed = await ends.list(now)
      // What is revoked was read, what was withdrawn is read next.
      await changeProof(server, 'revoke', revoked)
      must(await sue.post(`/admin/${id}/withdraw/`, { admin_desc: 'It cannot be sealed' }), 200)
      return listed
    },
  })
  await deps.log.sign()
  assert.equal((await check()).pages, 1)
})
