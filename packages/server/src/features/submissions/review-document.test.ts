import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Submission } from '@proofdesk/contract/submissions'
import { CertifyError } from '@proofdesk/certify/errors'
import type { CertifyPool } from '@proofdesk/certify/pool'
import { expectWithin, needJudge, runJudge } from '@proofdesk/certify/testing'
import { makeOpensslSigner, signBy } from '@proofdesk/certify/testing/openssl-signer'
import { signPdf } from '@proofdesk/certify/testing/signed-pdfs'
import { AppError } from '../../errors.ts'
import { ENGINES, startTestServer, type TestClient, type TestServer } from '../../testing.ts'
import { addFile, must, openCollection, sendCollection } from '../../testing/collections.ts'
import { makeJpeg, makePdf } from '../../testing/small-files.ts'
import { findOriginal, listExpectedFiles, listStoredFiles } from '../../testing/stored-files.ts'
import { makeDocument } from './make-document.ts'

const show = async (client: TestClient, id: number) => must(await client.get(`/collections/${id}`), 200)
const readRound = async (client: TestClient, id: number): Promise<Submission> =>
  must(await client.get(`/collections/${id}/submissions/`), 200).results[0]
const open = (client: TestClient, id: number, number = 1) =>
  client.get(`/collections/${id}/submissions/${number}/document/`)
const approve = (by: TestClient, id: number, digest?: string) =>
  by.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', ...(digest === undefined ? {} : { digest }) })
const reject = (by: TestClient, id: number, digest?: string) =>
  by.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 is missing', ...(digest === undefined ? {} : { digest }) })
const findRow = ({ deps: { db } }: TestServer, id: number) =>
  db
    .selectFrom('submissions')
    .selectAll()
    .where('collection_id', '=', id)
    .orderBy('number', 'desc')
    .executeTakeFirstOrThrow()
const storedPath = ({ config }: TestServer, key: string | null) =>
  join(config.dataDir, 'blobs', ...String(key).split('/'))

async function signInAll(server: TestServer) {
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  return { ada, sam }
}

/** Nothing is stored that no row points at, and nothing is missing. */
async function expectTidy(server: TestServer): Promise<void> {
  await server.settle()
  assert.deepEqual(await listStoredFiles(server), await listExpectedFiles(server))
  assert.deepEqual(await server.deps.db.selectFrom('blob_intents').selectAll().execute(), [])
}

for (const engine of ENGINES) {
  test(`11.10 sending has one document made of every page of every file, in order (${engine})`, async (t) => {
    if (!needJudge(t, 'qpdf', 'pdftotext')) return
    const server = await startTestServer(t, engine)
    const { ada, sam } = await signInAll(server)
    const id = await openCollection(ada, 'Degree')
    await addFile(ada, id, makePdf(3, 'Transcript'))
    await addFile(ada, id, makeJpeg())
    await addFile(ada, id, makePdf(2, 'Grades'))
    const sent = must(await ada.post(`/collections/${id}/save/`), 200)
    const { sent_at } = sent.submission
    const waits = { number: 1, sent_at, state: 'preparing', digest: null, document: 'preparing' }
    assert.deepEqual(sent.submission, waits)
    await server.settle()

    const round = await readRound(sam, id)
    const { bytes, headers } = await open(sam, id)
    await t.test('its pages and its SHA-256 are told', async () => {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      assert.deepEqual(round.document, { state: 'ready', pages: 6, size: bytes.length, sha256, problem: null })
      assert.deepEqual(
        round.files.map(({ first_page }) => first_page),
        [1, 4, 5],
      )
      const ready = { ...waits, state: 'ready', digest: round.digest, document: 'ready' }
      assert.deepEqual((await show(sam, id)).submission, ready)
    })
    await t.test('outside judges find it sound, with the words of the files in their order', async () => {
      const path = join(server.config.dataDir, 'document.pdf')
      await writeFile(path, bytes)
      const checked = await runJudge('qpdf', '--check', path)
      assert.equal(checked.code, 0, checked.text)
      const { text } = await runJudge('pdftotext', path, '-')
      assert.deepEqual(
        text.split('\f').map((page) => page.trim()),
        ['Transcript 1', 'Transcript 2', 'Transcript 3', '', 'Grades 1', 'Grades 2', ''],
      )
    })
    await t.test('it comes as a PDF for the page, whole or in parts', async () => {
      assert.equal(headers['content-type'], 'application/pdf')
      assert.match(String(headers['content-disposition']), /^inline;.*Degree\.pdf/)
      const path = `/collections/${id}/submissions/1/document/`
      const part = await ada.get(path, { range: 'bytes=0-4' })
      assert.deepEqual([part.status, part.body], [206, '%PDF-'])
      assert.equal((await ada.get(path, { 'if-none-match': String(headers['etag']) })).status, 304)
    })
    await t.test('and for nobody but its owner and the reviewers', async () => {
      const eve = await server.signIn('eve')
      assert.equal((await open(eve, id)).json().code, 'collection_not_found')
      assert.equal((await open(server.stranger, id)).status, 401)
      for (const number of ['2', '0', '-1', 'x', '1e0'])
        assert.equal((await ada.get(`/collections/${id}/submissions/${number}/document/`)).status, 404, number)
    })
    await t.test('that a reviewer was sent it is recorded', async () => {
      const entries = await server.deps.db
        .selectFrom('audit_entries')
        .select(['details', 'collection_id'])
        .where('action', '=', 'document_downloaded')
        .execute()
      assert.deepEqual(
        entries.map(({ details, collection_id }) => [JSON.parse(details), collection_id]),
        [[{ submission: 1 }, id]],
      )
    })
    await t.test('also of the next round, at once, where it is fetched in parts', async () => {
      const path = (number: number) => `/collections/${id}/submissions/${number}/document/`
      const range = { range: 'bytes=0-4' }
      assert.equal((await sam.get(path(1), range)).status, 206)
      must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'The second page is missing.' }), 200)
      await addFile(ada, id)
      must(await ada.post(`/collections/${id}/save/`), 200)
      await server.settle()
      for (let n = 0; n < 2; n++) assert.equal((await sam.get(path(2), range)).status, 206)
      const entries = await server.deps.db
        .selectFrom('audit_entries')
        .select('details')
        .where('action', '=', 'document_downloaded')
        .orderBy('id')
        .execute()
      assert.deepEqual(
        entries.map(({ details }) => JSON.parse(details).submission),
        [1, 1, 2],
      )
    })
  })

  test(`11.17 who signed an uploaded PDF is told, and kept in the manifest (${engine})`, async (t) => {
    if (!needJudge(t, 'openssl', 'qpdf')) return
    const server = await startTestServer(t, engine)
    const { ada, sam } = await signInAll(server)
    const signer = await makeOpensslSigner(server.config.dataDir, 'P-256', '/O=Registry/CN=Grace Hopper')
    const signed = await signPdf({ sign: signBy(server.config.dataDir, signer) })
    const id = await openCollection(ada)
    for (const bytes of [signed, Buffer.concat([signed, Buffer.from('\n% more\n')]), makePdf()])
      await addFile(ada, id, bytes)
    must(await ada.post(`/collections/${id}/save/`), 200)
    await server.settle()
    const { files } = await readRound(sam, id)
    const told = files.map(({ signatures }) =>
      signatures.map(({ kind, signer: name, issuer, time_by, state }) => [kind, name, issuer, time_by, state]),
    )
    const grace = ['signature', 'Grace Hopper', 'Grace Hopper', 'signer']
    assert.deepEqual(told, [[[...grace, 'whole']], [[...grace, 'part']], []])
    assert.ok(Math.abs(Date.parse(files[0]?.signatures[0]?.signed_at ?? '') - Date.now()) < 3_600_000)

    const { proofid } = must(await approve(sam, id), 200)
    const query = new URLSearchParams({ proofid, username: 'ada' })
    const { bytes } = await server.stranger.get(`/service-content-servers/get-pdfs/?${query}`)
    const path = join(server.config.dataDir, 'certified.pdf')
    await writeFile(path, bytes)
    const { text } = await runJudge('qpdf', '--show-attachment=proofdesk.json', path)
    const { originals } = JSON.parse(text) as { originals: { signatures: object[] }[] }
    assert.deepEqual(
      originals.map(({ signatures }) => signatures),
      files.map(({ signatures }) => signatures),
    )
  })

  test(`11.11 it goes with what replaces it: an approval, another round, the collection (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam } = await signInAll(server)
    const id = await sendCollection(ada)
    await expectTidy(server)
    must(await reject(sam, id), 200)
    assert.equal((await open(ada, id)).status, 200, 'what was rejected can still be read')
    must(await ada.post(`/collections/${id}/save/`), 200)
    await expectTidy(server)
    assert.equal((await open(sam, id, 1)).json().code, 'document_not_found')
    assert.equal((await open(sam, id, 2)).status, 200)
    must(await approve(sam, id), 200)
    await expectTidy(server)
    assert.equal((await open(sam, id, 2)).json().code, 'document_not_found')
    assert.equal((await readRound(sam, id)).document.state, 'none')

    const other = await sendCollection(ada)
    await server.settle()
    must(await reject(sam, other), 200)
    must(await ada.delete(`/collections/${other}/`), 204)
    await expectTidy(server)
  })

  test(`11.12 whoever decides before it is made waits for it, and nobody names what they cannot have seen (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam } = await signInAll(server)
    const tess = await server.signIn('tess', { is_staff: true })
    const id = await sendCollection(ada, makePdf(40))
    const approved = must(await approve(sam, id), 200)
    assert.ok(approved.proofid)

    // The original is away: there is no document to wait for.
    const late = await openCollection(ada)
    const original = await findOriginal(server, await addFile(ada, late))
    await rename(original, join(server.config.dataDir, 'aside'))
    must(await ada.post(`/collections/${late}/save/`), 200)
    const { approvalWaitMs } = server.deps
    server.deps.approvalWaitMs = 1000
    const asked = performance.now()
    const refused = await approve(sam, late)
    assert.deepEqual([refused.status, refused.json().code], [503, 'document_preparing'])
    expectWithin(performance.now() - asked, 900, 'an answer that leaves time to build and seal')
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.equal((await approve(sam, late, 'f'.repeat(64))).json().code, 'collection_changed')
    assert.equal((await show(sam, late)).submission.document, 'preparing')

    server.deps.approvalWaitMs = approvalWaitMs
    const began = performance.now()
    const [waited] = await Promise.all([approve(sam, late), reject(tess, late)])
    assert.equal(waited.json().code, 'collection_not_reviewable')
    expectWithin(performance.now() - began, 4000, 'an answer to who waits for what somebody else rejects')
    must(await ada.post(`/collections/${late}/save/`), 200)
    await server.settle()

    await rename(join(server.config.dataDir, 'aside'), original)
    server.clock.advance(60_000)
    await server.settle()
    must(await approve(sam, late, (await show(sam, late)).submission.digest), 200)
  })

  test(`11.13 files of which none can be made can only be rejected, and it is said which and why (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam } = await signInAll(server)
    const id = await openCollection(ada)
    await addFile(ada, id)
    const bad = await addFile(ada, id)
    must(await ada.patch(`/contents/${bad}/`, { title_type: 'OTHER', title: 'Scan' }), 200)
    // As an older version might have accepted it.
    await server.deps.db.updateTable('contents').set({ type: 'PNG' }).where('id', '=', bad).execute()
    must(await ada.post(`/collections/${id}/save/`), 200)
    await server.settle()
    const { submission } = await show(sam, id)
    assert.equal(submission.document, 'failed')
    const { document } = await readRound(ada, id)
    assert.deepEqual([document.state, document.problem?.file, document.sha256], ['failed', 'Scan', null])
    assert.ok((document.problem?.detail ?? '').length > 10)
    assert.equal((await open(sam, id)).json().code, 'document_not_found')
    for (const digest of [undefined, submission.digest])
      assert.equal((await approve(sam, id, digest)).json().code, 'document_failed')
    must(await reject(sam, id, submission.digest), 200)
    await expectTidy(server)
  })

  test(`11.13 what the files are to blame for is said at once, or once it was tried often; what may go away is tried again (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { certify } = server.deps
    const failWith = (...failure: ConstructorParameters<typeof CertifyError>): CertifyPool => ({
      ...certify,
      prepare: () => Promise.reject(new CertifyError(...failure)),
    })
    await server.restart({ certify: failWith('no_process', 'for now') })
    const { deps } = server
    const ada = await server.signIn('ada')
    const send = async (): Promise<[id: number, submission: number]> => {
      const id = await sendCollection(ada)
      await server.settle()
      return [id, (await findRow(server, id)).id]
    }
    const [waiting, submission] = await send()
    for (const [code, failures] of [
      ['build_failed', 2],
      ['worker_lost', 2],
      ['no_process', 3],
      ['crowded', 3],
    ] as const) {
      const failing = { ...deps, certify: failWith(code, 'for now') }
      await assert.rejects(makeDocument(failing, submission, failures), { code })
      assert.equal((await readRound(ada, waiting)).document.state, 'preparing', code)
    }
    await t.test('a store that is away takes no other file in, and nothing is left of it', async () => {
      const blobs = { ...deps.blobs, putFile: () => Promise.reject(new AppError('storage_unavailable')) }
      await assert.rejects(makeDocument({ ...deps, certify, blobs }, submission, 3), { code: 'storage_unavailable' })
      assert.equal((await readRound(ada, waiting)).document.state, 'preparing')
    })
    await makeDocument({ ...deps, certify }, submission, 3)
    assert.equal((await readRound(ada, waiting)).document.state, 'ready')

    for (const [code, failures, problem] of [
      ['build_too_slow', 0, { file: null, detail: 'Reading this file takes too long, so it is refused.' }],
      [
        'build_too_much_memory',
        0,
        { file: null, detail: 'Reading this file takes too much memory, so it is refused.' },
      ],
      ['build_failed', 3, { file: null, detail: 'This file is damaged and cannot be read.' }],
      ['worker_lost', 3, { file: null, detail: 'This file is damaged and cannot be read.' }],
      ['document_refused', 0, { file: 'TYPE1', detail: 'This PDF has no pages.' }],
    ] as const) {
      const [id, refused] = await send()
      const failing = { ...deps, certify: failWith(code, 'for good', { document: 0, reason: 'no_pages' }) }
      await makeDocument(failing, refused, failures)
      const { document } = await readRound(ada, id)
      assert.deepEqual([document.state, document.problem], ['failed', problem], code)
    }
    await expectTidy(server)
  })

  test(`11.20 of what was prepared before there were pictures, none was kept as pictures (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam } = await signInAll(server)
    const id = await sendCollection(ada)
    await server.settle()
    const { id: submission } = await findRow(server, id)
    const files = server.deps.db
      .selectFrom('submission_files')
      .select('prepared')
      .where('submission_id', '=', submission)
    const { isPictured, ...before } = JSON.parse((await files.executeTakeFirstOrThrow()).prepared ?? '')
    assert.equal(isPictured, false)
    await server.deps.db
      .updateTable('submission_files')
      .set({ prepared: JSON.stringify(before) })
      .where('submission_id', '=', submission)
      .execute()
    assert.deepEqual(
      (await readRound(sam, id)).files.map(({ is_pictured }) => is_pictured),
      [false],
    )
    must(await approve(sam, id), 200)
  })

  test(`11.14 a decision or a deletion that comes first leaves nothing of what was being made (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam } = await signInAll(server)
    for (const first of ['reject', 'delete a file', 'prepare'] as const) {
      const id = await openCollection(ada)
      const files = [await addFile(ada, id, makePdf(20)), await addFile(ada, id)]
      must(await ada.post(`/collections/${id}/save/`), 200)
      const { id: submission } = await findRow(server, id)
      const end = {
        reject: () => reject(sam, id),
        'delete a file': () => sam.delete(`/contents/${files[1]}/`),
        prepare: () => makeDocument(server.deps, submission, 0),
      }[first]
      // Two processes may be at it at once as well.
      await Promise.all([makeDocument(server.deps, submission, 0), end(), makeDocument(server.deps, submission, 0)])
      await expectTidy(server)
      const rounds: Submission[] = must(await ada.get(`/collections/${id}/submissions/`), 200).results
      assert.ok(rounds.every(({ document }) => document.state !== 'preparing'))
      const [{ outcome, document }] = rounds as [Submission]
      if (first !== 'reject') assert.deepEqual([outcome, document.state], ['waiting', 'ready'])
    }
  })

  test(`11.14 of two that make one at the same time, the first to end decides, whatever the other finds (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam } = await signInAll(server)
    const { deps } = server
    const id = await openCollection(ada)
    const place = await findOriginal(server, await addFile(ada, id))
    const aside = join(server.config.dataDir, 'aside')
    // The server tries in vain, and not again before the clock goes on: nobody but the two below makes it.
    await rename(place, aside)
    must(await ada.post(`/collections/${id}/save/`), 200)
    await server.settle()
    await rename(aside, place)
    const { id: submission } = await findRow(server, id)
    const late: CertifyPool['prepare'] = async () => {
      await makeDocument(deps, submission, 0)
      throw new CertifyError('build_too_slow', 'it took longer than it may')
    }
    assert.equal((await show(sam, id)).submission.document, 'preparing')
    await makeDocument({ ...deps, certify: { ...deps.certify, prepare: late } }, submission, 0)
    const [round, { submission: waits }] = [await readRound(sam, id), await show(sam, id)]
    assert.deepEqual([round.document.state, round.document.problem], ['ready', null])
    assert.deepEqual([waits.document, waits.digest], ['ready', round.digest])
    must(await approve(sam, id, waits.digest), 200)
    await expectTidy(server)
  })

  test(`11.15 other pages than those of the digest are never sealed, whoever put them there (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, sam } = await signInAll(server)
    const [id, other] = [
      await sendCollection(ada, makePdf(1, 'Failed')),
      await sendCollection(ada, makePdf(1, 'Passed')),
    ]
    await server.settle()
    const { submission } = await show(sam, id)
    const [honest, foreign] = [await findRow(server, id), await findRow(server, other)]
    const swap = (row: typeof honest) =>
      server.deps.db
        .updateTable('submissions')
        .set({ document_key: row.document_key, document_size: row.document_size, document_sha256: row.document_sha256 })
        .where('id', '=', honest.id)
        .execute()

    await t.test('in the database', async () => {
      await swap(foreign)
      const answer = await approve(sam, id, submission.digest)
      assert.deepEqual([answer.status, answer.json().code], [500, 'file_altered'])
      await swap(honest)
    })
    await t.test('in the file store', async () => {
      const path = storedPath(server, honest.document_key)
      const bytes = await readFile(path)
      const changed = Buffer.from(bytes)
      const at = changed.indexOf('endobj') - 3
      changed[at] = (changed[at] ?? 0) ^ 1
      for (const wrong of [changed, await readFile(storedPath(server, foreign.document_key)), bytes.subarray(0, -1)]) {
        await writeFile(path, wrong)
        assert.equal((await open(sam, id)).json().code, 'file_altered')
        const answer = await approve(sam, id, submission.digest)
        assert.deepEqual([answer.status, answer.json().code], [500, 'file_altered'])
      }
      await rm(path)
      assert.equal((await approve(sam, id, submission.digest)).json().code, 'file_missing')
      await writeFile(path, bytes)
    })
    const seen = await show(sam, id)
    assert.deepEqual([seen.is_locked, seen.proofid], [true, null])
    must(await approve(sam, id, submission.digest), 200)
  })
}
