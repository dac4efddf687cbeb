import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { needJudge, runJudge } from '../testing.ts'
import { makeBehindLead, makeLinearizedBehindLead, makeSearchedTwice, makeTwoTables } from '../testing/behind-lead.ts'
import { readDrawnWords } from '../testing/drawn-words.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const onePage = { ok: true, type: 'PDF', pages: 1, isPictured: false }

const MARK = '\xef\xbb\xbf'

test('A byte-order mark and blank lines before the header change nothing of what is seen, wherever places count from', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  for (const lead of [MARK, '\n\n', `${MARK}\r\n \t\f`, ' '.repeat(1000)]) {
    for (const countedFrom of ['header', 'start'] as const) {
      const original = makeBehindLead(lead, countedFrom)
      assert.deepEqual(await workshop.inspect(original), onePage, `${lead.length} ${countedFrom}`)
      const { path } = await workshop.certify([await workshop.addOriginal(original, 'PDF')])
      assert.match((await runJudge('pdftotext', '-f', '2', path, '-')).text, /Original words/)
      assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
      // so does the reader in the page read it, and so do others
      assert.deepEqual(await readDrawnWords(original), ['Original words'])
    }
  }
})

test('A file that is another one for readers that count places from the first byte is refused', async () => {
  const ambiguous = { ok: false, reason: 'ambiguous' }
  assert.deepEqual(await workshop.inspect(makeTwoTables()), ambiguous)
  assert.deepEqual(await workshop.inspect(makeSearchedTwice()), ambiguous)
  assert.deepEqual(await workshop.inspect(makeLinearizedBehindLead('\n\n\n', 2)), ambiguous)
  assert.deepEqual(await workshop.inspect(makeLinearizedBehindLead('\n\n\n', 1)), onePage)
})
