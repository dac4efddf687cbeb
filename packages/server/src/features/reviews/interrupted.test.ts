import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ensureIssuingKeys } from '@proofdesk/certify/issuing-keys'
import { openCertifyPool } from '@proofdesk/certify/pool'
import { ABANDONED_AFTER_MS } from '../../blobs/intents.ts'
import type { Db } from '../../db/open.ts'
import type { ApprovalStep } from '../../deps.ts'
import { ENGINES, startTestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { findProgram } from '../../testing/find-program.ts'
import { openOwnServer } from '../../testing/own-server.ts'
import { listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'

const STEPS = ['built', 'claimed', 'seal-made', 'seal-stored', 'seal-recorded', 'published'] as const
const PROGRAM = findProgram('testing/approve-until-killed.ts')

async function countAll(db: Db) {
  const proofs = await db.selectFrom('proofs').select('state').execute()
  return {
    proofs: proofs.map(({ state }) => state),
    notifications: (await db.selectFrom('notifications').select('id').execute()).length,
    outbox: (await db.selectFrom('outbox').select('kind').execute()).length,
    intents: (await db.selectFrom('blob_intents').select('key').execute()).length,
  }
}

test('a server that is killed while it approves (sqlite)', { concurrency: 2 }, async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-killed-'))
  const keysDir = join(root, 'keys')
  await ensureIssuingKeys({ dir: keysDir, organisation: 'Test Registry' })
  const certify = openCertifyPool({ keysDir, threads: 1 })
  t.after(async () => {
    await certify.close()
    await rm(root, { recursive: true, force: true })
  })

  const titles = {
    built: 'before the decision is claimed leaves everything as it was',
    never: '… and is not killed after all, does the same',
  }
  for (const step of [...STEPS, 'never'] as const)
    t.test(
      step === 'built' || step === 'never'
        ? titles[step]
        : `after the step ${step} finishes the approval when it starts again`,
      async () => {
        const dataDir = join(root, step)
        await mkdir(dataDir)
        const program = spawn(process.execPath, [PROGRAM, dataDir, keysDir, step], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        let printed = ''
        program.stdout.on('data', (chunk) => (printed += String(chunk)))
        const [code, signal] = await once(program, 'exit')
        assert.deepEqual([code, signal], step === 'never' ? [0, null] : [null, 'SIGKILL'])
        const id = Number(printed)

        let offsetMs = 0
        const server = await openOwnServer({
          dataDir,
          certify,
          issuingKeysDir: keysDir,
          now: () => Date.now() + offsetMs,
        })
        try {
          await server.outbox.settle()
          const ada = await server.signIn('ada')
          const shown = must(await ada.get(`/collections/${id}`), 200)
          assert.equal(shown.is_locked, true)
          const expected = step === 'built' ? [] : ['published']
          assert.deepEqual((await countAll(server.deps.db)).proofs, expected)
          assert.equal(shown.proofid !== null, step !== 'built')

          // What was abandoned is cleared away once it is old; not before, since it could still be on its way.
          offsetMs = ABANDONED_AFTER_MS + 60_000
          await server.sweep()
          await server.outbox.settle()
          const stored = await listStoredFiles(server.deps)
          assert.deepEqual(stored, await listExpectedFiles(server))
          // The original, and either what its pages are read in or what they are certified in.
          const others = stored.filter((path) => !path.startsWith('blobs/thumbnails/'))
          assert.equal(others.length, 2)
          assert.equal(others.filter((path) => path.startsWith('blobs/documents/')).length, step === 'built' ? 1 : 0)
          const counts = await countAll(server.deps.db)
          assert.deepEqual(
            { ...counts, proofs: [] },
            { proofs: [], notifications: step === 'built' ? 0 : 1, outbox: 0, intents: 0 },
          )
          const mails = (await readdir(join(dataDir, 'outbox'))).filter((name) => name.endsWith('.eml'))
          assert.equal(mails.length, step === 'built' ? 0 : 1)

          // Either way the next reviewer meets a whole state.
          const sam = await server.signIn('sam', true)
          const again = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
          assert.equal(again.status, step === 'built' ? 200 : 409, again.body)
          const { proofid } = must(await (await server.signIn('ada')).get(`/collections/${id}`), 200)
          const file = await server.app.inject({
            url: `/backend/api/v1/service-content-servers/get-pdfs/?${new URLSearchParams({ proofid, username: 'ada' })}`,
          })
          assert.equal(file.statusCode, 200)
          assert.equal(file.rawPayload.subarray(0, 5).toString(), '%PDF-')
        } finally {
          await server.close()
        }
      },
    )
})

for (const engine of ENGINES) {
  test(`an approval that breaks off at any step (${engine})`, async (t) => {
    let breaksAt: ApprovalStep | undefined
    const onApprovalStep = (step: ApprovalStep) => {
      if (step !== breaksAt) return
      breaksAt = undefined
      throw new Error(`broken off on purpose at ${step}`)
    }
    const server = await startTestServer(t, engine, { onApprovalStep })
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })

    for (const step of STEPS)
      await t.test(`${step}: is as if it had never been tried, or is finished after a restart`, async () => {
        const id = await sendCollection(ada)
        const before = await countAll(server.deps.db)
        breaksAt = step
        const answering = sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
        if (step === 'built' || step === 'claimed') assert.equal((await answering).status, 500)
        else {
          // The first try to seal fails and the outbox tries again, which the caller waits for.
          assert.equal((await answering).status, 200)
        }
        assert.equal(breaksAt, undefined)
        await server.restart({ onApprovalStep })
        // Past the minute for which the one that stopped may have held what waits, and past the first retries.
        server.clock.advance(70_000)
        await server.settle()
        const shown = must(await ada.get(`/collections/${id}`), 200)
        const after = await countAll(server.deps.db)
        assert.equal(shown.proofid !== null, step !== 'built')
        assert.equal(after.proofs.length, before.proofs.length + (step === 'built' ? 0 : 1))
        assert.ok(after.proofs.every((state) => state === 'published'))
        assert.equal(after.notifications, before.notifications + (step === 'built' ? 0 : 1))
        assert.deepEqual([after.outbox, after.intents], [0, 0])
        assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
      })
  })
}
