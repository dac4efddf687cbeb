import type { Submission } from '@proofdesk/contract/submissions'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ENGINES, startTestServer, type TestClient, type TestServer } from '../../testing.ts'
import { addFile, must, openCollection } from '../../testing/collections.ts'
import { makePdf } from '../../testing/small-files.ts'
import { findLastDecision } from './queries.ts'

const read = async (client: TestClient, id: number): Promise<Submission[]> =>
  must(await client.get(`/collections/${id}/submissions/`), 200).results
const show = async (client: TestClient, id: number) => must(await client.get(`/collections/${id}`), 200)
const send = async (owner: TestClient, id: number) => must(await owner.post(`/collections/${id}/save/`), 200)
const name = async (owner: TestClient, content: number, title: string) =>
  must(await owner.patch(`/contents/${content}/`, { title_type: 'OTHER', title }), 200)

/** Two named files, sent, with their review document prepared. */
async function sendTwo(server: TestServer, ada: TestClient): Promise<{ id: number; diploma: number; grades: number }> {
  const id = await openCollection(ada)
  const [diploma, grades] = [await addFile(ada, id), await addFile(ada, id, makePdf(2))]
  await name(ada, diploma, 'Diploma')
  await name(ada, grades, 'Grades')
  await send(ada, id)
  await server.settle()
  return { id, diploma, grades }
}

const DECISIONS = {
  approve: { admin_desc: 'Fine', expire_time: null },
  reject: { admin_desc: 'Page 2 is missing' },
} as const
type DecisionName = keyof typeof DECISIONS
const decide = (by: TestClient, id: number, decision: DecisionName, digest?: string) =>
  by.post(`/admin/${id}/${decision}/`, { ...DECISIONS[decision], ...(digest === undefined ? {} : { digest }) })

async function signInAll(server: TestServer) {
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  const tess = await server.signIn('tess', { is_staff: true })
  return { ada, sam, tess }
}

for (const engine of ENGINES) {
  test(`what is sent (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam, tess } = await signInAll(server)
    const { id, diploma, grades } = await sendTwo(server, ada)

    await t.test(
      '11.1 is kept with title, username and the hashes of its files, under a number and a digest',
      async () => {
        const [first, ...others] = await read(sam, id)
        assert.deepEqual(others, [])
        assert.deepEqual(
          {
            ...first,
            document: first?.document.state,
            files: first?.files.map(({ content, title, pages }) => [content, title, pages]),
          },
          {
            number: 1,
            sent_at: first?.sent_at,
            title: 'Degree',
            digest: first?.digest,
            document: 'ready',
            files: [
              [diploma, 'Diploma', 1],
              [grades, 'Grades', 2],
            ],
            changes: null,
            outcome: 'waiting',
            decided_at: null,
            reviewer: null,
            admin_desc: null,
          },
        )
        assert.ok(Math.abs(Date.parse(first?.sent_at ?? '') - server.clock.now()) < 60_000)
        const { submission } = await show(sam, id)
        assert.deepEqual(submission, showWaiting(first))
        const { results: contents } = must(await sam.get(`/contents/?collection=${id}`), 200)
        for (const content of contents) assert.equal(content.collection.digest, first?.digest)
        assert.deepEqual(
          first?.files.map(({ sha256 }) => sha256),
          [diploma, grades].map((wanted) => contents.find((content: { id: number }) => content.id === wanted).sha256),
        )
      },
    )

    await t.test('11.2 has a digest that follows from the facts alone, by the formula that is documented', async () => {
      const [first] = await read(ada, id)
      const files = first!.files.map((file) => [file.title, file.file_name, file.type, file.sha256])
      const json = JSON.stringify(['proofdesk submission v2', 1, 'Degree', 'ada', files, first?.document.sha256])
      assert.equal(first?.digest, createHash('sha256').update(json).digest('hex'))
    })

    await t.test('11.3 is another submission once a reviewer has deleted one of its files', async () => {
      must(await sam.delete(`/contents/${grades}/`), 204)
      await server.settle()
      const [second, first] = await read(ada, id)
      assert.deepEqual([first?.outcome, first?.reviewer, first?.admin_desc], ['replaced', 'sam', null])
      assert.deepEqual([second?.number, second?.outcome, second?.files.length], [2, 'waiting', 1])
      assert.deepEqual(second?.changes, {
        title: null,
        added: [],
        gone: ['Grades'],
        replaced: [],
        renamed: [],
        file_names: { added: [], gone: ['degree.pdf'], replaced: [], renamed: [] },
        reordered: false,
      })
      assert.equal(second?.sent_at, first?.sent_at)
      assert.deepEqual((await show(ada, id)).submission, showWaiting(second))
    })

    await t.test(
      'who deletes a file of it has decided nothing: a mail about a decision goes back to who made that',
      async () => {
        const { id: another, grades: hers } = await sendTwo(server, ada)
        assert.equal(await findLastDecision(server.deps.reads, another), undefined)
        must(await decide(tess, another, 'reject'), 200)
        await send(ada, another)
        await server.settle()
        must(await sam.delete(`/contents/${hers}/`), 204)
        const [{ id: tessId }] = [must(await tess.get('/user/info'), 200)]
        assert.deepEqual(await findLastDecision(server.deps.reads, another), { reviewer_id: tessId, title: 'Degree' })
        await server.settle()
      },
    )

    await t.test('waits no longer once it is its owner’s again: no digest is offered', async () => {
      must(await decide(sam, id, 'reject'), 200)
      assert.equal((await show(sam, id)).submission, null)
      const { results } = must(await sam.get(`/contents/?collection=${id}`), 200)
      assert.equal(results[0].collection.digest, null)
    })

    await t.test('is nothing while files of an open collection come and go', async () => {
      const open = await openCollection(ada)
      const file = await addFile(ada, open)
      must(await ada.delete(`/contents/${file}/`), 204)
      assert.deepEqual(await read(ada, open), [])
    })

    await t.test('is read by nobody else', async () => {
      const eve = await server.signIn('eve')
      assert.equal((await eve.get(`/collections/${id}/submissions/`)).status, 404)
      assert.equal((await server.stranger.get(`/collections/${id}/submissions/`)).status, 401)
      assert.equal((await ada.get(`/collections/${id}/submissions/?page=2`)).status, 404)
    })
  })

  for (const decision of ['approve', 'reject'] as const)
    test(`11.4 ${decision}: a page that was opened before another round decides nothing, and says what changed (${engine})`, async (t) => {
      const server = await startTestServer(t, engine)
      const { ada, sam, tess } = await signInAll(server)
      const { id, diploma, grades } = await sendTwo(server, ada)
      const looked = (await show(sam, id)).submission.digest

      // The attack: another reviewer gives it back, the owner swaps file and title and sends again.
      must(await decide(tess, id, 'reject', looked), 200)
      must(await ada.patch(`/collections/${id}/`, { title: 'Doctorate' }), 200)
      must(await ada.upload(`/contents/${diploma}/replace/`, {}, { name: 'other.pdf', bytes: makePdf(3) }), 200)
      await name(ada, grades, 'Marks')
      const letter = await addFile(ada, id)
      await name(ada, letter, 'Letter')
      must(await ada.post('/contents/order/', { collection: id, contents: [letter, grades, diploma] }), 200)
      await send(ada, id)
      await server.settle()

      const answer = await decide(sam, id, decision, looked)
      assert.equal(answer.status, 409)
      const { code, detail } = answer.json()
      assert.equal(code, 'collection_changed')
      assert.equal(
        detail,
        'This collection has changed since you looked at it. Please look at it again. It was titled “Degree” before. ' +
          'New: “Letter” (degree.pdf). Another file: “Diploma” (other.pdf). “Grades” (degree.pdf) is now “Marks”. ' +
          'The order of the files is another.',
      )
      const seen = await show(sam, id)
      assert.deepEqual([seen.is_locked, seen.proofid, seen.may.review], [true, null, true])
      assert.equal((await decide(sam, id, decision, 'f'.repeat(64))).status, 409)
      assert.equal((await decide(sam, id, decision, 'F'.repeat(64))).status, 400)

      must(await decide(sam, id, decision, seen.submission.digest), 200)
      const rounds = await read(ada, id)
      assert.deepEqual(
        rounds.map(({ number, outcome, reviewer, admin_desc }) => [number, outcome, reviewer, admin_desc]),
        [
          [2, decision === 'approve' ? 'approved' : 'rejected', 'sam', DECISIONS[decision].admin_desc],
          [1, 'rejected', 'tess', 'Page 2 is missing'],
        ],
      )
    })

  test(`11.4 a file that another reviewer deletes meanwhile keeps who saw it from deciding (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam, tess } = await signInAll(server)
    const { id, grades } = await sendTwo(server, ada)
    const looked = (await show(sam, id)).submission.digest
    must(await tess.delete(`/contents/${grades}/`), 204)
    for (const decision of ['approve', 'reject'] as const) {
      const answer = await decide(sam, id, decision, looked)
      assert.equal(answer.status, 409)
      assert.match(answer.json().detail, /Gone: “Grades” \(degree\.pdf\)\.$/)
    }
  })

  test(`11.5 of a decision and the deletion of a file at once, nothing is decided that was not looked at (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam, tess } = await signInAll(server)
    for (let round = 0; round < 8; round++) {
      const { id, grades } = await sendTwo(server, ada)
      const looked = (await show(sam, id)).submission.digest
      const decision = round % 2 === 0 ? 'approve' : 'reject'
      const [decided, deleted] = await Promise.all([
        decide(sam, id, decision, looked),
        tess.delete(`/contents/${grades}/`),
      ])
      const waiting = (await read(sam, id)).filter(({ outcome }) => outcome === 'waiting')
      if (decided.status === 200) {
        const decidedOn = (await read(sam, id)).find(({ digest }) => digest === looked)
        assert.equal(decidedOn?.outcome, decision === 'approve' ? 'approved' : 'rejected')
        // A reviewer may delete a file of what was given back; that opens no round.
        assert.ok(decision === 'reject' || deleted.status === 409)
        assert.deepEqual(waiting, [])
      } else {
        assert.deepEqual([decided.status, decided.json().code, deleted.status], [409, 'collection_changed', 204])
        assert.equal(waiting.length, 1)
        assert.notEqual(waiting[0]?.digest, looked)
      }
    }
  })

  test(`11.6 the two fields of the specification decide on what waits, and the audit trail says so (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam } = await signInAll(server)
    const { id } = await sendTwo(server, ada)
    must(await decide(sam, id, 'reject'), 200)
    await send(ada, id)
    await server.settle()
    must(await decide(sam, id, 'approve', (await show(sam, id)).submission.digest), 200)
    const entries = await server.deps.db
      .selectFrom('audit_entries')
      .select(['action', 'details'])
      .where('action', 'in', ['collection_sent', 'collection_rejected', 'approval_claimed'])
      .orderBy('id')
      .execute()
    const facts = entries.map(({ action, details }) => {
      const { submission, named } = JSON.parse(details)
      return [action, submission, named]
    })
    assert.deepEqual(facts, [
      ['collection_sent', 1, undefined],
      ['collection_rejected', 1, false],
      ['collection_sent', 2, undefined],
      ['approval_claimed', 2, true],
    ])
  })

  test(`an approval that was taken back reads as a rejection to the owner, who was never told of it, and as what it was to staff (${engine})`, async (t) => {
    let atClaim = async () => {}
    const server = await startTestServer(t, engine, {
      onApprovalStep: async (step) => {
        if (step === 'claimed') await atClaim()
      },
    })
    const { ada, sam } = await signInAll(server)
    const sue = await server.signIn('sue', { is_superuser: true })
    const { id } = await sendTwo(server, ada)
    must(await decide(sam, id, 'reject'), 200)
    await send(ada, id)
    await server.settle()
    atClaim = async () => void must(await sue.post(`/admin/${id}/withdraw/`, { admin_desc: 'Cannot be sealed' }), 200)
    assert.equal((await decide(sam, id, 'approve')).status, 409)
    const tell = async (client: TestClient) =>
      (await read(client, id)).map(({ outcome, admin_desc, reviewer }) => [outcome, admin_desc, reviewer])
    const rejected = ['rejected', 'Page 2 is missing', 'sam']
    assert.deepEqual(await tell(ada), [['rejected', 'Cannot be sealed', 'sue'], rejected])
    for (const reviewer of [sam, sue])
      assert.deepEqual(await tell(reviewer), [['withdrawn', 'Cannot be sealed', 'sue'], rejected])
    // What has become of the collection says the same.
    const lastStep = async (client: TestClient) =>
      must(await client.get(`/collections/${id}/activity/`), 200).results.at(-1)
    assert.deepEqual([(await lastStep(ada)).kind, (await lastStep(sam)).kind], ['rejected', 'withdrawn'])
  })

  test(`11.8 rounds come ten a page, and each is compared with the one before, across pages too (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam } = await signInAll(server)
    const id = await openCollection(ada)
    const file = await addFile(ada, id)
    for (let round = 1; round <= 11; round++) {
      await name(ada, file, `Name ${round}`)
      await send(ada, id)
      must(await decide(sam, id, 'reject'), 200)
    }
    const first = must(await ada.get(`/collections/${id}/submissions/`), 200)
    assert.deepEqual([first.count, first.results.length, first.results[9].number], [11, 10, 2])
    assert.deepEqual(first.results[9].changes.renamed, [{ from: 'Name 1', to: 'Name 2' }])
    const { results } = must(await ada.get(`/collections/${id}/submissions/?page=2`), 200)
    assert.deepEqual([results.length, results[0].number, results[0].changes], [1, 1, null])
    must(await ada.delete(`/collections/${id}/`), 204)
    assert.deepEqual(await server.deps.db.selectFrom('submissions').selectAll().execute(), [])
    assert.deepEqual(await server.deps.db.selectFrom('submission_files').selectAll().execute(), [])
  })
}

/** What a collection shows of the submission that waits, once its review document is there. */
function showWaiting(round: Submission | undefined) {
  return { number: round?.number, sent_at: round?.sent_at, state: 'ready', digest: round?.digest, document: 'ready' }
}
