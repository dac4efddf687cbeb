import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApprovalStep } from '../../deps.ts'
import { ENGINES, startTestServer, type TestAnswer, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'
import { sealProof } from './seal-proof.ts'

async function expectNoTrace(server: TestServer): Promise<void> {
  await server.settle()
  assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
  assert.deepEqual(await server.deps.db.selectFrom('blob_intents').selectAll().execute(), [])
}

for (const engine of ENGINES) {
  test(`two who decide at once: one wins, the other is told (${engine})`, async (t) => {
    let atStep: (step: ApprovalStep) => Promise<void> = async () => {}
    const server = await startTestServer(t, engine, { onApprovalStep: (step) => atStep(step) })
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const stu = await server.signIn('stu', { is_staff: true })
    const sue = await server.signIn('sue', { is_superuser: true })
    const { db } = server.deps
    const proofsOf = (id: number) => db.selectFrom('proofs').selectAll().where('collection_id', '=', id).execute()
    const approve = (who: typeof sam, id: number, extra: object = {}) =>
      who.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', ...extra })

    await t.test('6.19 approving and approving', async () => {
      const id = await sendCollection(ada)
      const answers = await Promise.all([approve(sam, id), approve(stu, id), approve(sue, id)])
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 409, 409],
      )
      const winner = answers.findIndex(({ status }) => status === 200)
      const shown = must(await ada.get(`/collections/${id}`), 200)
      assert.equal(shown.admin_username, ['sam', 'stu', 'sue'][winner])
      assert.equal((await proofsOf(id)).length, 1)
      assert.equal(must(await ada.get('/notification/'), 200).count, 1)
      await expectNoTrace(server)
    })

    await t.test('6.19 approving and rejecting', async () => {
      const id = await sendCollection(ada)
      const [approved, rejected] = await Promise.all([
        approve(sam, id),
        stu.post(`/admin/${id}/reject/`, { admin_desc: 'Not yet' }),
      ])
      assert.deepEqual(
        [approved.status, rejected.status].toSorted((a, b) => a - b),
        [200, 409],
      )
      const shown = must(await ada.get(`/collections/${id}`), 200)
      assert.equal(shown.proofid !== null, approved.status === 200)
      assert.equal(shown.is_locked, approved.status === 200)
      await expectNoTrace(server)
    })

    await t.test('rejecting and rejecting', async () => {
      const id = await sendCollection(ada)
      const before = must(await ada.get('/notification/'), 200).count
      const answers = await Promise.all(
        [sam, stu].map((who, n) => who.post(`/admin/${id}/reject/`, { admin_desc: `No ${n}` })),
      )
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 409],
      )
      assert.equal(must(await ada.get('/notification/'), 200).count, before + 1)
    })

    await t.test('approving and deleting a file', async () => {
      const id = await sendCollection(ada)
      const extra = must(await ada.get(`/contents/?collection=${id}`), 200).results[0].id
      const [approved, deleted] = await Promise.all([approve(sam, id), stu.delete(`/contents/${extra}/`)])
      assert.ok(
        (approved.status === 200 && deleted.status === 409) || (approved.status >= 400 && deleted.status === 204),
        `${approved.status} ${deleted.status}`,
      )
      await expectNoTrace(server)
    })

    await t.test('approving and renaming, or sending once more', async () => {
      const id = await sendCollection(ada)
      const [approved, renamed, sent] = await Promise.all([
        approve(sam, id),
        ada.patch(`/collections/${id}/`, { title: 'Late' }),
        ada.post(`/collections/${id}/save/`),
      ])
      assert.deepEqual([approved.status, renamed.status, sent.status], [200, 409, 409])
      assert.equal(must(await ada.get(`/collections/${id}`), 200).title, 'Degree')
    })

    /** Each happens after the certified PDF was built and before the decision is claimed. */
    const changes: [string, (id: number) => Promise<unknown>, number, string, object?][] = [
      [
        'a file was deleted',
        async (id) => {
          const { results } = must(await stu.get(`/contents/?collection=${id}`), 200)
          must(await stu.delete(`/contents/${results[0].id}/`), 204)
        },
        409,
        'collection_changed',
      ],
      [
        'it was rejected',
        async (id) => must(await stu.post(`/admin/${id}/reject/`, { admin_desc: 'No' }), 200),
        409,
        'collection_not_reviewable',
      ],
      [
        'it was rejected and sent again as it was',
        async (id) => {
          must(await stu.post(`/admin/${id}/reject/`, { admin_desc: 'No' }), 200)
          must(await ada.post(`/collections/${id}/save/`), 200)
        },
        409,
        'collection_changed',
      ],
      [
        'it was rejected, renamed and sent again',
        async (id) => {
          must(await stu.post(`/admin/${id}/reject/`, { admin_desc: 'No' }), 200)
          must(await ada.patch(`/collections/${id}/`, { title: 'Another title' }), 200)
          must(await ada.post(`/collections/${id}/save/`), 200)
        },
        409,
        'collection_changed',
      ],
      [
        'it was rejected and deleted',
        async (id) => {
          must(await stu.post(`/admin/${id}/reject/`, { admin_desc: 'No' }), 200)
          must(await ada.delete(`/collections/${id}/`), 204)
        },
        404,
        'collection_not_found',
      ],
      [
        'another approval was claimed',
        async (id) => {
          atStep = async () => {}
          must(await approve(stu, id), 200)
        },
        409,
        'collection_not_reviewable',
      ],
      [
        'another approval is claimed and held up',
        async (id) => {
          await db.updateTable('collections').set({ claim_id: 999_999 }).where('id', '=', id).execute()
        },
        409,
        'collection_not_reviewable',
      ],
      [
        'it has a Proof ID',
        async (id) => {
          await db
            .updateTable('collections')
            .set({ proofid: `planted ${id}` })
            .where('id', '=', id)
            .execute()
        },
        409,
        'collection_not_reviewable',
      ],
      [
        'it was unlocked',
        async (id) => {
          await db.updateTable('collections').set({ is_locked: 0 }).where('id', '=', id).execute()
        },
        409,
        'collection_not_reviewable',
      ],
      [
        'it expired',
        async (id) => {
          await db.updateTable('collections').set({ expire_time: server.clock.now() }).where('id', '=', id).execute()
        },
        409,
        'collection_not_reviewable',
      ],
      [
        'the expiry that was given has passed',
        async () => {
          server.clock.advance(60_000)
        },
        400,
        'expire_time_past',
        { expire_time: new Date(server.clock.now() + 50_000).toISOString() },
      ],
    ]
    for (const [what, change, status, code, extra] of changes)
      await t.test(`approving is refused when, since the PDF was built, ${what}`, async () => {
        const id = await sendCollection(ada)
        let built = 0
        atStep = async (step) => {
          if (step !== 'built') return
          built += 1
          await change(id)
        }
        const proofsBefore = (await db.selectFrom('proofs').select('id').execute()).length
        const answer = await approve(sam, id, extra)
        atStep = async () => {}
        assert.equal(answer.status, status, answer.body)
        assert.equal(answer.json().code, code)
        assert.equal(built, 1)
        const made = (await db.selectFrom('proofs').select('id').execute()).length - proofsBefore
        assert.equal(made, what === 'another approval was claimed' ? 1 : 0)
        const row = await db.selectFrom('collections').selectAll().where('id', '=', id).executeTakeFirst()
        if (row && made === 0 && row.claim_id !== 999_999) assert.equal(row.claim_id, null)
        await expectNoTrace(server)
      })

    await t.test('sealing and sealing: one file is let in, the other goes', async () => {
      const id = await sendCollection(ada)
      const steps: ApprovalStep[] = []
      const count = (step: ApprovalStep) => steps.filter((done) => done === step).length
      let runs: PromiseSettledResult<void>[] | undefined
      atStep = async (step) => {
        steps.push(step)
        // Each waits until the other has stored its file, too, and has had its turn at recording it.
        if (step === 'seal-stored') for (let tries = 0; count(step) < 2 && tries < 500; tries += 1) await sleep(5)
        if (step === 'seal-recorded') await sleep(200)
        if (step !== 'claimed' || runs) return
        runs = []
        const [proof] = await proofsOf(id)
        assert.ok(proof)
        runs = await Promise.allSettled([sealProof(server.deps, proof.id), sealProof(server.deps, proof.id)])
      }
      const approved = await approve(sam, id)
      atStep = async () => {}
      assert.equal(approved.status, 200)
      assert.ok(count('seal-stored') >= 2)
      assert.equal(count('seal-recorded'), 1)
      // Whoever comes second finds the work done, which is no failure.
      assert.deepEqual(
        runs?.map(({ status }) => status),
        ['fulfilled', 'fulfilled'],
      )
      const certified = (await listStoredFiles(server)).filter((path) => path.startsWith('blobs/certified'))
      const sealed = await db.selectFrom('proofs').select('sealed_key').where('sealed_key', 'is not', null).execute()
      await expectNoTrace(server)
      assert.ok(certified.length >= sealed.length)
      assert.equal(must(await ada.get(`/contents/?collection=${id}`), 200).count, 1)
      const notified = await db
        .selectFrom('notifications')
        .select('id')
        .where('type', '=', 'APPROVED_COLLECTION')
        .execute()
      const published = await db.selectFrom('proofs').select('id').where('state', '=', 'published').execute()
      assert.equal(notified.length, published.length)
    })

    await t.test(
      'withdrawing and sealing: before the seal is recorded the withdrawal wins, after it the approval',
      async () => {
        for (const [at, withdrawn, approved] of [
          ['claimed', 200, 409],
          ['seal-made', 200, 409],
          ['seal-stored', 200, 409],
          ['seal-recorded', 409, 200],
          ['published', 409, 200],
        ] as const) {
          const id = await sendCollection(ada)
          let withdrawing: Promise<TestAnswer> | undefined
          atStep = async (step) => {
            if (step === at)
              await (withdrawing ??= sue.post(`/admin/${id}/withdraw/`, { admin_desc: 'Cannot be sealed' }))
          }
          const answer = await approve(sam, id)
          atStep = async () => {}
          // The approval may be answered first: it is woken as soon as the withdrawal stands.
          assert.equal((await withdrawing)?.status, withdrawn, at)
          assert.equal(answer.status, approved, at)
          const shown = must(await ada.get(`/collections/${id}`), 200)
          if (withdrawn === 200) {
            assert.equal(shown.is_locked, false)
            assert.equal(shown.proofid, null)
            assert.equal(shown.admin_desc, 'Cannot be sealed')
            assert.equal(must(await sam.get(`/collections/${id}`), 200).sealing, null)
            const latest = must(await ada.get('/notification/'), 200).results[0]
            assert.deepEqual([latest.type, latest.path], ['REJECTED_COLLECTION', String(id)])
            assert.equal((await proofsOf(id))[0]?.state, 'withdrawn')
            must(await ada.post(`/collections/${id}/save/`), 200)
            assert.equal((await approve(sam, id)).status, 200)
          } else assert.ok(shown.proofid)
          await expectNoTrace(server)
        }
      },
    )

    await t.test('withdrawing and withdrawing', async () => {
      const id = await sendCollection(ada)
      let both: Promise<TestAnswer[]> | undefined
      const withdraw = () => sue.post(`/admin/${id}/withdraw/`, { admin_desc: 'No' })
      atStep = async (step) => {
        if (step === 'claimed') await (both = Promise.all([withdraw(), withdraw()]))
      }
      assert.equal((await approve(sam, id)).status, 409)
      atStep = async () => {}
      const statuses = (await both)?.map(({ status }) => status)
      assert.deepEqual(
        statuses?.toSorted((a, b) => a - b),
        [200, 409],
      )
    })
  })
}
