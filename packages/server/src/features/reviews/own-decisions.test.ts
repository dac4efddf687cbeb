import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SEARCH_COUNT_MAX } from '@proofdesk/contract/limits'
import type { SearchPageOf } from '@proofdesk/contract/paging'
import type { OwnDecision } from '@proofdesk/contract/reviews'
import type { Submission } from '@proofdesk/contract/submissions'
import { ENGINES, startTestServer, type TestClient } from '../../testing.ts'
import { addFile, must, openCollection, sendCollection } from '../../testing/collections.ts'

async function listDecisions(who: TestClient, query = ''): Promise<SearchPageOf<OwnDecision>> {
  return must(await who.get(`/admin/decisions/${query}`), 200)
}

for (const engine of ENGINES) {
  test(`2.177 a reviewer reads what they have decided, the newest first, and nobody else’s (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const [sam, sue] = [
      await server.signIn('sam', { is_staff: true }),
      await server.signIn('sue', { is_superuser: true }),
    ]
    assert.deepEqual((await listDecisions(sam)).results, [])
    const send = async (title: string): Promise<number> => {
      const { id } = must(await ada.post('/collections/', { title }), 201) as { id: number }
      must(await ada.post(`/collections/${id}/save/`), 200)
      return id
    }
    const ids: number[] = []
    for (let at = 1; at <= 11; at += 1) {
      const id = await send(`Papers ${at}`)
      ids.unshift(id)
      server.clock.advance(1000)
      must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 is not signed.' }), 200)
    }
    const [newest = 0] = ids
    must(await ada.patch(`/collections/${newest}/`, { title: 'Papers, mended' }), 200)
    must(await ada.post(`/collections/${newest}/save/`), 200)
    must(await sue.post(`/admin/${newest}/reject/`, { admin_desc: 'Page 3 is not signed.' }), 200)

    const rounds: Submission[] = must(await sam.get(`/collections/${newest}/submissions/`), 200).results
    const first = await listDecisions(sam)
    assert.deepEqual([first.count, first.results.length, first.previous], [11, 10, null])
    assert.deepEqual(
      first.results.map(({ collection }) => collection),
      ids.slice(0, 10),
    )
    assert.deepEqual(first.results[0], {
      collection: newest,
      title: 'Papers 11',
      username: 'ada',
      submission: 1,
      outcome: 'rejected',
      decided_at: rounds.at(-1)?.decided_at ?? '',
    })
    const last = await listDecisions(sam, '?page=2')
    assert.deepEqual([last.results.map(({ collection }) => collection), last.next], [ids.slice(10), null])
    assert.equal((await sam.get('/admin/decisions/?page=3')).status, 404)
    assert.deepEqual(
      (await listDecisions(sue)).results.map(({ collection, title, submission }) => [collection, title, submission]),
      [[newest, 'Papers, mended', 2]],
    )
    assert.equal((await ada.get('/admin/decisions/')).status, 403)
  })

  test(`2.177 an approval and its withdrawal are decisions, each of who took it (${engine})`, async (t) => {
    let isHeld = false
    const server = await startTestServer(t, engine, {
      onApprovalStep: (step) => {
        if (step === 'seal-made' && isHeld) throw new Error('held up')
      },
    })
    const ada = await server.signIn('ada')
    const [sam, sue] = [
      await server.signIn('sam', { is_staff: true }),
      await server.signIn('sue', { is_superuser: true }),
    ]
    const approve = async (status: number): Promise<number> => {
      const id = await sendCollection(ada)
      await server.settle()
      server.clock.advance(1000)
      must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Seen.' }), status)
      return id
    }
    const outcomesOf = async (who: TestClient) =>
      (await listDecisions(who)).results.map(({ collection, outcome }) => [collection, outcome])
    const approved = await approve(200)
    assert.deepEqual(await outcomesOf(sam), [[approved, 'approved']])
    isHeld = true
    server.deps.approvalWaitMs = 500
    const withdrawn = await approve(202)
    must(await sue.post(`/admin/${withdrawn}/withdraw/`, { admin_desc: 'It cannot be sealed.' }), 200)
    assert.deepEqual(await outcomesOf(sue), [[withdrawn, 'withdrawn']])
    assert.deepEqual(await outcomesOf(sam), [[approved, 'approved']])
  })

  test(`2.177 of very many decisions the newest thousand are listed, and it says that there are more (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    const id = await openCollection(ada)
    const { id: reviewer } = must(await sam.get('/user/info'), 200) as { id: number }
    const plant = (numbers: number[]) =>
      server.deps.db
        .insertInto('submissions')
        .values(
          numbers.map((number) => ({
            collection_id: id,
            number,
            title: `Round ${number}`,
            username: 'ada',
            digest: null,
            sent_at: number,
            outcome: 'rejected' as const,
            decided_at: number,
            reviewer_id: reviewer,
            document_state: 'none' as const,
          })),
        )
        .execute()
    await plant(Array.from({ length: SEARCH_COUNT_MAX }, (_, at) => at + 1))
    const all = await listDecisions(sam)
    assert.deepEqual([all.count, all.count_capped], [SEARCH_COUNT_MAX, false])

    await plant([SEARCH_COUNT_MAX + 1])
    const more = await listDecisions(sam)
    assert.deepEqual([more.count, more.count_capped], [SEARCH_COUNT_MAX, true])
    assert.equal(more.results[0]?.title, `Round ${SEARCH_COUNT_MAX + 1}`)
    const last = await listDecisions(sam, '?page=100')
    assert.deepEqual([last.results.at(-1)?.title, last.next], ['Round 2', null])
    assert.equal((await sam.get('/admin/decisions/?page=101')).status, 404)
  })

  test(`2.177 a file that a reviewer deletes is no decision; what its owner deletes is listed no more (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const id = await openCollection(ada)
    const [content] = [await addFile(ada, id), await addFile(ada, id)]
    must(await ada.post(`/collections/${id}/save/`), 200)
    must(await sam.delete(`/contents/${content}/`), 204)
    assert.equal((await listDecisions(sam)).count, 0)
    must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 is not signed.' }), 200)
    assert.equal((await listDecisions(sam)).count, 1)
    must(await ada.delete(`/collections/${id}/`), 204)
    assert.equal((await listDecisions(sam)).count, 0)
  })
}
