import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { needJudge, runJudge } from '@proofdesk/certify/testing'
import { digestSubmission } from '@proofdesk/proof/submission-digest'
import { ENGINES, startTestServer } from '../../testing.ts'
import { addFile, must, openCollection } from '../../testing/collections.ts'
import { makeJpeg, makePdf, makePng } from '../../testing/small-files.ts'

for (const engine of ENGINES) {
  test(`a stranger's copy of the certified PDF stands up to outside judges (${engine})`, async (t) => {
    if (!needJudge(t, 'qpdf', 'pdfsig', 'pdftotext', 'pdfinfo')) return
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const id = await openCollection(ada, 'دانشنامهٔ کارشناسی – Ünïversity')
    const originals = [makePdf(3, 'Transcript'), makeJpeg(), makePng()]
    for (const bytes of originals) await addFile(ada, id, bytes)
    must(await ada.post(`/collections/${id}/save/`), 200)
    await server.settle()
    const { digest: looked, number } = must(await sam.get(`/collections/${id}`), 200).submission
    const { bytes: reviewed } = await sam.get(`/collections/${id}/submissions/${number}/document/`)
    const expire_time = new Date(server.clock.now() + 86_400_000).toISOString()
    const { proofid } = must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Checked', expire_time }), 200)
    const query = new URLSearchParams({ proofid, username: 'ada' })
    const { bytes } = await server.stranger.get(`/service-content-servers/get-pdfs/?${query}`)

    const folder = await mkdtemp(join(tmpdir(), 'proofdesk-judged-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const path = join(folder, 'content_ada.pdf')
    await writeFile(path, bytes)

    await t.test('it is sound, signed as a whole, and names what it certifies', async () => {
      const checked = await runJudge('qpdf', '--check', path)
      assert.equal(checked.code, 0, checked.text)
      const signed = await runJudge('pdfsig', '-nocert', path)
      assert.match(signed.text, /Signature is Valid/)
      assert.match(signed.text, /Total document signed/)
      const { text } = await runJudge('pdftotext', '-layout', path, '-')
      for (const word of [proofid, 'Transcript 3', 'ada', 'sam', 'Test Registry']) assert.ok(text.includes(word), word)
      const pages = Number(/Pages:\s+(\d+)/.exec((await runJudge('pdfinfo', path)).text)?.[1])
      const { pages: recorded } = await server.deps.db.selectFrom('proofs').select('pages').executeTakeFirstOrThrow()
      assert.equal(pages, recorded)
      assert.ok(pages >= 3 + 1 + 1 + 1)
    })

    await t.test('its manifest holds the SHA-256 of every original', async () => {
      const manifest = await runJudge('qpdf', '--show-attachment=proofdesk.json', path)
      for (const original of originals)
        assert.ok(manifest.text.includes(createHash('sha256').update(original).digest('hex')))
    })

    await t.test('11.2 its manifest gives the digest that was decided on', async () => {
      const { text } = await runJudge('qpdf', '--show-attachment=proofdesk.json', path)
      const { submission, title, username, originals: listed } = JSON.parse(text)
      const files = listed.map((file: { file_name: string }) => ({ ...file, fileName: file.file_name }))
      const document = createHash('sha256').update(reviewed).digest('hex')
      assert.deepEqual(submission, { number: 1, digest: looked, document: { sha256: document } })
      assert.equal(digestSubmission({ number: submission.number, title, username, files, document }), looked)
    })

    await t.test('11.10 its pages are those of the review document, object for object', async () => {
      // What pages need stands first in the review document, each object as it was written.
      const text = Buffer.from(reviewed).toString('latin1')
      const firstPage = text.indexOf('/Type /Page\n')
      assert.ok(firstPage > 0, 'a page stands in it')
      const needed = text.slice(text.indexOf('1 0 obj'), text.lastIndexOf('endobj', firstPage))
      assert.ok(needed.length > 1000)
      assert.ok(Buffer.from(bytes).toString('latin1').includes(needed))
    })

    await t.test('and one changed byte is found', async () => {
      const altered = join(folder, 'altered.pdf')
      await copyFile(path, altered)
      const changed = Buffer.from(bytes)
      const at = changed.indexOf('/MediaBox') + '/MediaBox'.length + 3
      changed[at] = (changed[at] ?? 0) ^ 1
      await writeFile(altered, changed)
      const judged = await runJudge('pdfsig', '-nocert', altered)
      assert.doesNotMatch(judged.text, /Signature is Valid/)
    })
  })
}
