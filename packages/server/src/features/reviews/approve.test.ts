import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import { ENGINES, startTestServer } from '../../testing.ts'
import { addFile, must, openCollection, sendCollection } from '../../testing/collections.ts'
import { makeJpeg, makePdf, makePng } from '../../testing/small-files.ts'
import { listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'

for (const engine of ENGINES) {
  test(`a reviewer approves a collection (${engine})`, async (t) => {
    const seen: Record<string, unknown>[] = []
    const server = await startTestServer(t, engine, {
      onApprovalStep: async (step) => {
        if (step === 'built' || step === 'published') return
        // Between Claim and Publish, as each of them sees it.
        const [owner, reviewer] = await Promise.all(
          [ada, sam].map(async (who) => must(await who.get(`/collections/${id}`), 200)),
        )
        seen.push({ step, owner, reviewer, published: must(await sam.get('/content-servers/'), 200).count })
      },
    })
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const id = await openCollection(ada, 'Studienabschluß')
    await addFile(ada, id, makePdf(2))
    await addFile(ada, id, makeJpeg())
    await addFile(ada, id, makePng())
    must(await ada.post(`/collections/${id}/save/`), 200)
    const expireTime = new Date(server.clock.now() + 3_600_000).toISOString()

    await t.test('7.30 not with an expiry that has passed or is no time, nor without a description', async () => {
      const past = new Date(server.clock.now() - 1).toISOString()
      const refused = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', expire_time: past })
      assert.equal(refused.status, 400)
      assert.equal(refused.json().code, 'expire_time_past')
      assert.deepEqual(refused.json().expire_time, [refused.json().detail])
      for (const body of [
        { admin_desc: 'Fine', expire_time: 'tomorrow' },
        { admin_desc: 'Fine', expire_time: '2027-02-30T10:00' },
        { admin_desc: 'Fine', expire_time: '9999-12-31T23:59-01:00' },
        { admin_desc: 'Fine', expire_time: 12 },
        { admin_desc: '  ', expire_time: null },
        { expire_time: null },
      ])
        assert.equal((await sam.post(`/admin/${id}/approve/`, body)).status, 400, JSON.stringify(body))
      assert.equal(must(await ada.get(`/collections/${id}`), 200).proofid, null)
    })

    await t.test('nor without a file, nor as staff whose e-mail is not verified', async () => {
      const emptied = await openCollection(ada, 'Emptied')
      const content = await addFile(ada, emptied)
      must(await ada.post(`/collections/${emptied}/save/`), 200)
      must(await sam.delete(`/contents/${content}/`), 204)
      const empty = await sam.post(`/admin/${emptied}/approve/`, { admin_desc: 'Fine' })
      assert.deepEqual([empty.status, empty.json().code], [400, 'collection_empty'])
      const una = await server.signIn('una', { is_staff: true, verified: false })
      for (const answer of [
        await una.get(`/collections/${id}`),
        await una.get(`/contents/?collection=${id}`),
        await una.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }),
        await una.post(`/admin/${id}/reject/`, { admin_desc: 'Not yet' }),
      ])
        assert.deepEqual([answer.status, answer.json().code], [404, 'collection_not_found'])
      assert.equal(must(await ada.get(`/collections/${id}`), 200).is_active, true)
    })

    await t.test('4.37 7.30 and its owner and the reviewers see Proof ID, description and expiry', async () => {
      const approved = must(
        await sam.post(`/admin/${id}/approve/`, { admin_desc: ' Well done ', expire_time: expireTime }),
        200,
      )
      assert.match(approved.proofid, /^([0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-Z*~$=]$/)
      assert.deepEqual(must(await ada.get(`/collections/${id}`), 200), {
        ...approved,
        remaining_approval_time: must(await ada.get(`/collections/${id}`), 200).remaining_approval_time,
      })
      assert.equal(approved.admin_desc, 'Well done')
      assert.equal(approved.admin_username, 'sam')
      assert.equal(approved.expire_time, expireTime)
      assert.equal(approved.is_locked, true)
      assert.equal(approved.is_active, true)
      assert.equal(approved.sealing, null)
      assert.ok(approved.remaining_approval_time > 3500 && approved.remaining_approval_time <= 3600)
    })

    await t.test(
      'while nobody saw a part of it before the whole, and only reviewers saw that it is being sealed, and whose approval it is',
      () => {
        assert.deepEqual(
          seen.map(({ step }) => step),
          ['claimed', 'seal-made', 'seal-stored', 'seal-recorded'],
        )
        for (const { owner, reviewer, published } of seen as {
          owner: Record<string, unknown>
          reviewer: Record<string, unknown>
          published: number
        }[]) {
          for (const view of [owner, reviewer]) {
            assert.equal(view['proofid'], null)
            assert.equal(view['is_locked'], true)
            assert.equal(view['admin_desc'], DEFAULT_ADMIN_DESC)
            assert.equal(view['expire_time'], null)
            assert.equal(view['admin_username'], null)
          }
          assert.equal(owner['sealing'], null)
          const { since, ...sealing } = reviewer['sealing'] as { since: string }
          assert.ok(!Number.isNaN(Date.parse(since)))
          assert.deepEqual(sealing, { admin_username: 'sam', problem: null })
          assert.equal(published, 0)
        }
      },
    )

    await t.test('and the owner is notified and mailed, once', async () => {
      const { results } = must(await ada.get('/notification/'), 200)
      assert.deepEqual(
        results.map(({ type, path, is_read }: Record<string, unknown>) => ({ type, path, is_read })),
        [
          { type: 'APPROVED_COLLECTION', path: null, is_read: false },
          { type: 'REMOVED_FILE', path: '2', is_read: false },
        ],
      )
      assert.equal(must(await sam.get('/notification/'), 200).count, 0)
      // It expires in an hour, of which its owner is warned when the server next looks for that.
      const mails = (await server.mails()).filter(({ subject }) => !subject?.startsWith('Expires on '))
      assert.equal(mails.length, 1)
      assert.equal(mails[0]?.subject, 'Approved: Studienabschluß')
      assert.equal(mails[0]?.to?.[0]?.address, 'ada@example.org')
      const { proofid } = must(await ada.get(`/collections/${id}`), 200)
      assert.ok(mails[0]?.text?.includes(proofid))
      assert.ok(mails[0]?.text?.includes('Well done'))
      assert.ok(mails[0]?.text?.includes(`${expireTime.slice(0, 16).replace('T', ' ')} UTC`))
    })

    await t.test('and nothing is kept but the originals and the one sealed file', async () => {
      await server.settle()
      assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
      const others = (await listStoredFiles(server)).filter((path) => !path.startsWith('blobs/thumbnails/'))
      assert.equal(others.length, 4)
      assert.deepEqual(await server.deps.db.selectFrom('blob_intents').selectAll().execute(), [])
      assert.deepEqual(await server.deps.db.selectFrom('outbox').selectAll().execute(), [])
    })

    await t.test(
      'without expiry when none is given, and an expiry is read with Z, with an offset or bare',
      async () => {
        for (const [given, meant] of [
          [undefined, null],
          [null, null],
          ['', null],
          ['2099-01-31T18:00', '2099-01-31T18:00:00.000Z'],
          ['2099-01-31T18:00:30Z', '2099-01-31T18:00:30.000Z'],
          ['2099-01-31T18:00+03:30', '2099-01-31T14:30:00.000Z'],
        ]) {
          const other = await sendCollection(ada)
          const approved = must(
            await sam.post(`/admin/${other}/approve/`, { admin_desc: 'Fine', expire_time: given }),
            200,
          )
          assert.equal(approved.expire_time, meant)
          if (meant === null) assert.equal(approved.remaining_approval_time, null)
        }
      },
    )
  })

  test(`a reviewer rejects a collection (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const id = await sendCollection(ada)

    await t.test('4.38 5.25 7.31 with a description that is not the default one', async () => {
      for (const admin_desc of ['', '   ', DEFAULT_ADMIN_DESC, ` ${DEFAULT_ADMIN_DESC} `]) {
        const answer = await sam.post(`/admin/${id}/reject/`, { admin_desc })
        assert.equal(answer.status, 400)
        assert.ok(answer.json().admin_desc[0])
      }
      assert.equal(must(await ada.get(`/collections/${id}`), 200).is_locked, true)
      const rejected = must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 <is> missing' }), 200)
      assert.equal(rejected.is_locked, false)
      assert.equal(rejected.admin_desc, 'Page 2 <is> missing')
      assert.equal(rejected.admin_username, 'sam')
      assert.equal(rejected.proofid, null)
      assert.equal(must(await ada.get('/collections/?status=answered'), 200).count, 1)
    })

    await t.test('3.22 and its owner is notified with the way back to it, and mailed', async () => {
      const { results } = must(await ada.get('/notification/'), 200)
      assert.equal(results.length, 1)
      assert.equal(results[0].type, 'REJECTED_COLLECTION')
      assert.equal(results[0].path, String(id))
      // It expires in an hour, of which its owner is warned when the server next looks for that.
      const mails = (await server.mails()).filter(({ subject }) => !subject?.startsWith('Expires on '))
      assert.equal(mails.length, 1)
      assert.ok(mails[0]?.text?.includes('Page 2 <is> missing'))
      assert.ok(mails[0]?.html?.includes('Page 2 &lt;is&gt; missing'))
      assert.ok(mails[0]?.text?.includes(`/content/${id}`))
    })

    await t.test('4.39 and the owner mends it and sends it again', async () => {
      await addFile(ada, id)
      must(await ada.post(`/collections/${id}/save/`), 200)
      const approved = must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Now fine' }), 200)
      assert.ok(approved.proofid)
    })

    await t.test('but no mail goes to an address that is not proved, or to who was shut out', async () => {
      for (const change of [{ is_email_verified: 0 }, { is_active: 0 }] as const) {
        const next = await sendCollection(ada)
        await server.deps.db.updateTable('users').set(change).where('username', '=', 'ada').execute()
        must(await sam.post(`/admin/${next}/reject/`, { admin_desc: 'Not yet' }), 200)
        const mails = await server.mails()
        assert.ok(mails.every(({ text }) => !text?.includes('Not yet')))
        await server.deps.db
          .updateTable('users')
          .set({ is_email_verified: 1, is_active: 1 })
          .where('username', '=', 'ada')
          .execute()
      }
    })
  })
}
