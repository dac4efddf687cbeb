import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeCoveredUnlikePdf, makeUnlikePdf, needJudge, runJudge } from '@proofdesk/certify/testing'
import { ENGINES, startTestServer } from '../../testing.ts'
import { addFile, must, openCollection } from '../../testing/collections.ts'
import { makePdf } from '../../testing/small-files.ts'

for (const engine of ENGINES) {
  test(`11.20 a PDF that programs show in different ways is taken, and pictures of its pages are reviewed and certified (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const id = await openCollection(ada, 'Diploma')
    await addFile(ada, id, makeUnlikePdf())
    await addFile(ada, id, makePdf(1, 'Grades'))
    const listed = must(await ada.get(`/contents/?collection=${id}&ordering=created_at`), 200).results
    const kept = (files: { is_pictured: boolean }[]) => files.map(({ is_pictured }) => is_pictured)
    assert.deepEqual(kept(listed), [true, false])

    await t.test('the reviewers are told', async () => {
      must(await ada.post(`/collections/${id}/save/`), 200)
      await server.settle()
      const [round] = must(await sam.get(`/collections/${id}/submissions/`), 200).results
      assert.equal(round.document.state, 'ready')
      assert.deepEqual(kept(round.files), [true, false])
    })
    await t.test('the certificate says so, and its words can be searched', async (inner) => {
      if (!needJudge(inner, 'pdftotext')) return
      must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200)
      await server.settle()
      const { proofid } = must(await ada.get(`/collections/${id}`), 200)
      const asked = new URLSearchParams({ proofid, username: 'ada' })
      const { bytes } = await server.stranger.get(`/service-content-servers/get-pdfs/?${asked}`)
      const path = join(server.config.dataDir, 'certified.pdf')
      await writeFile(path, bytes)
      const { text } = await runJudge('pdftotext', path, '-')
      assert.match(text, /Kept as pictures of its pages/)
      assert.match(text, /DIPLOMA/)
    })
    await t.test(
      'a collection holds at most 100 pages of them, also of two that come at once and one in the place of another',
      async () => {
        const full = await openCollection(ada, 'Many')
        const send = () =>
          ada.upload('/contents/', { collection: String(full) }, { name: 'many.pdf', bytes: makeUnlikePdf('', 40) })
        must(await send(), 201)
        const answers = await Promise.all([send(), send()])
        assert.deepEqual(
          answers.map(({ status }) => status).toSorted((a, b) => a - b),
          [201, 400],
        )
        const codes = answers.filter(({ status }) => status === 400).map((answer) => answer.json().code)
        assert.deepEqual(codes, ['collection_too_many_pictured'])
        const plain = await addFile(ada, full, makePdf(30, 'Plain'))
        const replaced = await ada.upload(
          `/contents/${plain}/replace/`,
          {},
          { name: 'many.pdf', bytes: makeUnlikePdf('', 40) },
        )
        assert.equal(replaced.json().code, 'collection_too_many_pictured')
        const there = must(await ada.get(`/contents/?collection=${full}`), 200).results
        assert.deepEqual(there.map(({ pages }: { pages: number }) => pages).sort(), [30, 40, 40])
      },
    )
    await t.test('another file in its place is what it is', async () => {
      const other = await openCollection(ada, 'Other')
      const content = await addFile(ada, other, makeUnlikePdf())
      const replaced = must(
        await ada.upload(`/contents/${content}/replace/`, {}, { name: 'new.pdf', bytes: makePdf(1, 'New') }),
        200,
      )
      assert.equal(replaced.is_pictured, false)
    })
    await t.test('one of which no picture can be made is refused, and that says why', async () => {
      const other = await openCollection(ada, 'Covered')
      const refused = await ada.upload(
        '/contents/',
        { collection: String(other) },
        { name: 'a.pdf', bytes: makeCoveredUnlikePdf() },
      )
      assert.deepEqual([refused.status, refused.json().code], [400, 'file_ambiguous'])
    })
  })
}
