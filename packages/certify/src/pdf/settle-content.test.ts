import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { needJudge, runJudge } from '../testing.ts'
import { DAMAGED_LINES, makeDamagedContent, makeFaultyContent, makeUncheckedForm } from '../testing/damaged-content.ts'
import { readDrawnWords } from '../testing/drawn-words.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const onePage = { ok: true, type: 'PDF', pages: 1, isPictured: false }

test('Content whose deflated data have a wrong checksum, too small a window or no end is taken to its last word', async () => {
  for (const filters of ['one', 'two'] as const) {
    const wanted = Array.from({ length: DAMAGED_LINES }, (_, i) => i).join(' ')
    for (const damage of ['checksum', 'window', 'end'] as const) {
      const original = makeDamagedContent(damage, filters)
      assert.deepEqual(await workshop.inspect(original), onePage, damage)
      const { path } = await workshop.prepare([await workshop.addOriginal(original, 'PDF')])
      const [words] = await readDrawnWords(original)
      if (damage === 'end') assert.ok(wanted.startsWith(words!) && words!.length > wanted.length / 4)
      else assert.ok(words === wanted, damage)
      const [copied] = await readDrawnWords(await readFile(path))
      assert.ok(copied === words, damage)
    }
  }
})

test('Content with a fault in the midst of its data is refused: some readers go on behind it, others stop', async (t) => {
  const original = makeFaultyContent()
  for (const bytes of [original, makeFaultyContent('form')])
    assert.deepEqual(await workshop.inspect(bytes), { ok: false, reason: 'unreadable' })
  // what is packed is whole, and its operators are not
  assert.deepEqual(await workshop.inspect(makeUncheckedForm()), { ...onePage, isPictured: true })
  if (!needJudge(t, 'pdftotext')) return
  const path = join(workshop.folder, 'faulty.pdf')
  await writeFile(path, original)
  assert.match((await runJudge('pdftotext', path, '-')).text, /Original words\s+Later words/)
  assert.deepEqual(await readDrawnWords(original), ['Original words'])
})
