import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { needJudge } from '../testing.ts'
import { streamOf } from '../testing/ambiguous-file.ts'
import { drawAsOthers, drawAsReviewer } from '../testing/four-readers.ts'
import { writeRawPdf } from '../testing/raw-pdf.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import { tellApart } from '../testing/tell-apart.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

/** A page with three letters of a font that is not there. */
const withFont = (font: string, entries: string, more: string[] = []): Buffer =>
  writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << /Font << /F2 5 0 R >> >> /Contents 4 0 R >>',
    streamOf('BT /F2 60 Tf 20 80 Td (abn) Tj ET'),
    `<< /Type /Font /Subtype /Type1 /BaseFont /${font} ${entries} >>`,
    ...more,
  ])
/** Names of the glyphs of the codes of "a", "b" and "n". */
const withNames = ([a, b, n]: readonly [string, string, string], entries = '', more: string[] = []): Buffer =>
  withFont('Helvetica', `/Encoding << /Type /Encoding /Differences [97 /${a} /${b} 110 /${n}] >> ${entries}`, more)
const meaning = (pairs: string): string =>
  streamOf(
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def 1 begincodespacerange <00> <ff> ' +
      `endcodespacerange 3 beginbfchar ${pairs} endbfchar endcmap end end`,
  )

async function prepare(bytes: Buffer): Promise<{ bytes: Buffer; path: string }> {
  const { path } = await workshop.prepare([await workshop.addOriginal(bytes, 'PDF')])
  return { bytes: await readFile(path), path }
}

/** What all readers show of both is the same. */
async function expectAlike(bytes: Buffer, plain: Buffer): Promise<void> {
  const [odd, usual] = [await prepare(bytes), await prepare(plain)]
  const expected = await drawAsReviewer(usual.bytes)
  for (const picture of [await drawAsReviewer(odd.bytes), ...(await drawAsOthers(odd.bytes, odd.path))])
    assert.equal(tellApart(picture, expected), undefined)
}

const PLAIN = withNames(['A', 'one', 'B'])

test('Letters of a font that is not there with names such as A.alt are the letters', async (t) => {
  if (needJudge(t, 'pdftoppm')) await expectAlike(withNames(['A.alt', 'one.oldstyle', 'B.sc']), PLAIN)
})

test('Letters of a font that is not there that are named by number are those of the common names', async (t) => {
  if (needJudge(t, 'pdftoppm')) await expectAlike(withNames(['uni0041', 'u0031', 'uni0042']), PLAIN)
})

test('Letters of a font that is not there with unknown names are what they are said to mean', async (t) => {
  const map = meaning('<61> <0041> <62> <0031> <6e> <0042>')
  if (needJudge(t, 'pdftoppm')) await expectAlike(withNames(['g1', 'g2', 'g3'], '/ToUnicode 6 0 R', [map]), PLAIN)
})

test('What is missing by name in a font that is not there is nothing, whatever it is said to mean', async (t) => {
  const map = meaning('<61> <0041> <62> <0058> <6e> <0058>')
  const names = ['A', '.notdef', '.notdef'] as const
  if (needJudge(t, 'pdftoppm')) await expectAlike(withNames(names, '/ToUnicode 6 0 R', [map]), withNames(names))
})

test('Symbols of fonts that are not there are their own, whatever encoding is named', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  for (const font of ['Symbol', 'ZapfDingbats'])
    await expectAlike(withFont(font, '/Encoding /WinAnsiEncoding'), withFont(font, ''))
})

test('Names of letters that all readers know stay as they are', async () => {
  const names = '/Encoding << /Type /Encoding /Differences [97 /A /one 110 /Euro] >> /ToUnicode 6 0 R'
  const { bytes } = await prepare(withFont('Helvetica', names, [meaning('<61> <0041> <62> <0031> <6e> <20AC>')]))
  const text = bytes.toString('latin1')
  assert.match(text, /\/Differences\s*\[\s*97\s*\/A\s*\/one\s*110\s*\/Euro\s*\]/)
  assert.match(text, /\/ToUnicode/)
})
