import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePdf, needJudge } from '@proofdesk/certify/testing'
import { toHex } from '@proofdesk/proof/bytes'
import { parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { computeFilesRoot } from '@proofdesk/proof/paper/files-root'
import { verifyPaper } from '@proofdesk/proof/paper/verify-paper'
import { ENGINES, startTestServer } from '../../testing.ts'
import { addFile, must, openCollection } from '../../testing/collections.ts'
import { findDocument } from '../submissions/queries.ts'
import { printFirstPage, readPrintedCode } from '../../testing/printed-code.ts'

for (const engine of ENGINES)
  describe(`a certificate on paper (${engine})`, () => {
    test('16.9 the printed code of an approval is signed, and says what the proof says', async (t) => {
      if (!needJudge(t, 'pdftoppm')) return
      const server = await startTestServer(t, engine)
      const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
      const id = await openCollection(ada)
      for (const pages of [1, 3]) await addFile(ada, id, makePdf({ pages, text: `Deed ${pages}` }))
      must(await ada.post(`/collections/${id}/save/`), 200)
      await server.settle()
      const document = await findDocument(server.deps.reads, id, 1)
      const decision = { admin_desc: 'Fine', expire_time: '2040-01-02T03:04:05.678Z' }
      const { proofid } = must(await sam.post(`/admin/${id}/approve/`, decision), 200)
      const asked = new URLSearchParams({ proofid, username: 'ada' })
      const pdf = (await server.inject(`/backend/api/v1/service-content-servers/get-pdfs/?${asked}`)).rawPayload
      const printed = await readPrintedCode(await printFirstPage(server, pdf))
      assert.match(printed, /^http:\/\/127\.0\.0\.1:8000\/service-content#[A-Z2-7]+$/)

      const policy = parseInstancePolicy(new Uint8Array((await server.inject('/log/instance-policy')).rawPayload))
      const report = await verifyPaper(printed, { policy, now: server.clock.now() })
      const { db, paperKey } = server.deps
      const proof = await db.selectFrom('proofs').selectAll().where('proofid', '=', proofid).executeTakeFirstOrThrow()
      const files = await db
        .selectFrom('contents')
        .select('sha256')
        .where('collection_id', '=', id)
        .orderBy('id')
        .execute()
      assert.deepEqual([report.verdict, report.keyId], ['valid', toHex(paperKey.keyId)])
      assert.deepEqual(report.claims, {
        proofId: proofid,
        username: 'ada',
        title: proof.title,
        isTitleCut: false,
        organisation: 'Test Registry',
        isOrganisationCut: false,
        approvedAt: Math.floor(proof.approved_at / 1000),
        expiresAt: Date.parse('2040-01-02T03:04:05Z') / 1000,
        pages: 4,
        filesRoot: computeFilesRoot(files.map(({ sha256 }) => sha256)),
        reviewDocument: document!.sha256,
      })
    })
  })
