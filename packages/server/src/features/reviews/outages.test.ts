import assert from 'node:assert/strict'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openCertifyPool } from '@proofdesk/certify/pool'
import { expectWithin } from '@proofdesk/certify/testing/pace'
import { APPROVAL_WAIT_MS } from '@proofdesk/contract/limits'
import { sql } from 'kysely'
import type { ApprovalStep } from '../../deps.ts'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { makePdf } from '../../testing/small-files.ts'
import { listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'

/** Everything an approval changes. */
async function readState({ deps: { db } }: TestServer, id: number) {
  return {
    collection: await db.selectFrom('collections').selectAll().where('id', '=', id).executeTakeFirst(),
    proofs: await db.selectFrom('proofs').selectAll().where('collection_id', '=', id).execute(),
    notifications: await db.selectFrom('notifications').select('id').execute(),
  }
}

const storedPath = ({ config }: TestServer, key: string) => join(config.dataDir, 'blobs', ...key.split('/'))

for (const engine of ENGINES) {
  test(`an approval whose file cannot be built changes nothing (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const certify = openCertifyPool({ keysDir: server.config.keysDir, threads: 1 })
    t.after(() => certify.close())
    await server.restart({ certify })
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })

    async function sendPrepared(bytes?: Uint8Array): Promise<number> {
      const id = await sendCollection(ada, bytes)
      await server.settle()
      return id
    }

    async function expectOutage(id: number, code: string): Promise<void> {
      const before = await readState(server, id)
      const answer = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
      assert.equal(answer.status, 503, answer.body)
      assert.equal(answer.json().code, code)
      assert.deepEqual(await readState(server, id), before)
      await server.settle()
      assert.deepEqual(await server.deps.db.selectFrom('blob_intents').selectAll().execute(), [])
      assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
    }

    await t.test('when the process that builds it is killed, each time anew', async () => {
      const id = await sendPrepared(makePdf(50))
      const killing = setInterval(() => {
        for (const pid of certify.processIds()) process.kill(pid, 'SIGKILL')
      }, 5)
      await expectOutage(id, 'certifying_unavailable').finally(() => clearInterval(killing))
      assert.ok(must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200).proofid)
    })

    await t.test('when its review document is missing from the store', async () => {
      await server.restart({ certify })
      const id = await sendPrepared()
      const { document_key } = await server.deps.db
        .selectFrom('submissions')
        .select('document_key')
        .where('collection_id', '=', id)
        .executeTakeFirstOrThrow()
      const path = storedPath(server, document_key ?? '')
      const aside = join(server.config.dataDir, 'aside.pdf')
      await copyFile(path, aside)
      await rm(path)
      const before = await readState(server, id)
      const answer = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
      assert.equal(answer.status, 500)
      assert.equal(answer.json().code, 'file_missing')
      assert.deepEqual(await readState(server, id), before)
      await copyFile(aside, path)
      assert.ok(must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200).proofid)
      await server.settle()
      assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
    })

    await t.test('when the pool is closed', async () => {
      const id = await sendPrepared()
      await certify.close()
      await expectOutageAfterClose(id)
    })
    async function expectOutageAfterClose(id: number): Promise<void> {
      const before = await readState(server, id)
      const answer = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
      assert.deepEqual([answer.status, answer.json().code], [503, 'certifying_unavailable'])
      assert.deepEqual(await readState(server, id), before)
      const upload = await ada.upload('/contents/', { collection: String(id) }, { name: 'a.pdf', bytes: makePdf() })
      assert.equal(upload.status, 409)
    }
  })
}

test(
  'an approval whose sealing is held up answers 202 after ten seconds and is finished later',
  { concurrency: 2 },
  (t) => {
    for (const engine of ENGINES)
      t.test(engine, async (inner) => {
        let atStep: (step: ApprovalStep) => Promise<void> = async () => {}
        const server = await startTestServer(inner, engine, { onApprovalStep: (step) => atStep(step) })
        server.deps.approvalWaitMs = APPROVAL_WAIT_MS
        const ada = await server.signIn('ada')
        const sam = await server.signIn('sam', { is_staff: true })
        const id = await sendCollection(ada)
        const aside = join(server.config.dataDir, 'aside.pdf')
        let lost = ''
        atStep = async (step) => {
          if (step !== 'claimed') return
          const [proof] = await server.deps.db.selectFrom('proofs').select('revision0_key').execute()
          lost = storedPath(server, proof?.revision0_key ?? '')
          await copyFile(lost, aside)
          await rm(lost)
        }
        const began = performance.now()
        const answer = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
        const seconds = (performance.now() - began) / 1000
        assert.equal(answer.status, 202, answer.body)
        assert.ok(seconds >= 10, `${seconds} s`)
        expectWithin(seconds * 1000, 15_000, 'the answer')
        assert.equal(answer.json().proofid, null)
        assert.equal(answer.json().sealing.problem, 'file_missing')

        const owner = must(await ada.get(`/collections/${id}`), 200)
        assert.deepEqual([owner.proofid, owner.sealing, owner.is_locked], [null, null, true])
        assert.equal(must(await ada.get('/collections/?status=in_progress'), 200).count, 1)
        assert.equal(must(await sam.get('/collections/'), 200).results[0].sealing.problem, 'file_missing')
        assert.equal(must(await sam.get('/content-servers/'), 200).count, 0)
        assert.equal(must(await ada.get('/notification/'), 200).count, 0)
        for (const path of ['approve', 'reject'])
          assert.equal((await sam.post(`/admin/${id}/${path}/`, { admin_desc: 'Again' })).status, 409)

        await copyFile(aside, lost)
        server.clock.advance(60_000)
        await server.settle()
        const done = must(await ada.get(`/collections/${id}`), 200)
        assert.ok(done.proofid)
        assert.equal(must(await sam.get(`/collections/${id}`), 200).sealing, null)
        assert.equal((await server.mails()).length, 1)
        assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
      })
  },
)

test(
  'an approval whose database connections are cut again and again is whole or nothing, and the server lives (postgres)',
  { skip: !ENGINES.includes('postgres') && 'PostgreSQL is not installed' },
  async (t) => {
    const server = await startTestServer(t, 'postgres')
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    for (let round = 0; round < 3; round += 1) {
      const id = await sendCollection(ada)
      await server.settle()
      const decided = new AbortController()
      const cutting = (async () => {
        while (!decided.signal.aborted) {
          // All but the one that asks, those in use as well.
          await sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`
            .execute(server.deps.db)
            .catch(() => {})
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      })()
      const answer = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
      decided.abort()
      await cutting
      assert.ok([200, 202, 503].includes(answer.status), answer.body)
      const again = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
      assert.ok([200, 202, 409].includes(again.status), again.body)
      // A connection that died and was not known to be dead fails whoever takes it: then the work is put off once more.
      let proofid: string | null = null
      for (let tries = 0; tries < 5 && proofid === null; tries += 1) {
        server.clock.advance(60_000)
        await server.settle()
        proofid = must(await ada.get(`/collections/${id}`), 200).proofid
      }
      assert.ok(proofid)
      const { proofs } = await readState(server, id)
      assert.deepEqual(
        proofs.map(({ state }) => state),
        ['published'],
      )
    }
    server.clock.advance(3 * 60 * 60_000)
    await server.sweep()
    await server.settle()
    assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
  },
)
