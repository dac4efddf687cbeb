import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { PDF } from '@libpdf/core'
import { expectWithin, makePdf, needJudge, runJudge } from '../testing.ts'
import { readDrawnWords } from '../testing/drawn-words.ts'
import * as odd from '../testing/odd-pdfs.ts'
import { makePlaceless, makeWidePlaces } from '../testing/odd-tables.ts'
import { writeRawPdf } from '../testing/raw-pdf.ts'
import { makeRepeatedPages } from '../testing/repeated-pages.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import { guardDecoding } from './guard-decoding.ts'
import { blankStrays, WatchedBytes } from './mend-syntax.ts'
import { narrowEntries } from './narrow-entries.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

/** Certifies one file. @returns where it is, and the text of each original page. */
async function certify(bytes: Uint8Array): Promise<{ path: string; pages: string[]; removed: string[] }> {
  const { path, prepared } = await workshop.certify([await workshop.addOriginal(bytes, 'PDF')])
  const { text } = await runJudge('pdftotext', '-layout', '-f', '2', path, '-')
  return { path, pages: text.split('\f').slice(0, -1), removed: prepared.originals.flatMap(({ removed }) => removed) }
}

const onePage = { ok: true, type: 'PDF', pages: 1, isPictured: false }

test('A stray delimiter where a key is due is stepped over at once, also inside an object stream', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const files = [odd.makeStrayDelimiter(')'), odd.makeStrayDelimiter('{'), odd.makeStrayDelimiter('}')]
  for (const bytes of [...files, odd.makeStrayInObjectStream()]) {
    const start = performance.now()
    assert.deepEqual(await workshop.inspect(bytes), onePage)
    expectWithin(performance.now() - start, 1000, 'inspecting')
    const { path, pages } = await certify(bytes)
    assert.ok(pages[0]!.includes('Original words'))
    assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
  }
})

test('What stands behind a stray delimiter is read as if it were not there', async (t) => {
  if (!needJudge(t, 'qpdf')) return
  const { path } = await certify(odd.makeStrayDelimiter())
  const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', path, '-')
  assert.match(text, /\/Contents \(see \\?\(1\\?\)\)/)
  assert.match(text, /\/NM \/Note/)
})

test('What a page draws by a stream that says more of itself, or that another page draws as a form, stays where and what it was', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  const write = (pages: string[], ...objects: string[]) => {
    const kids = pages.map((_, at) => `${3 + at} 0 R`).join(' ')
    const whole = pages.map((page) => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] ${page} >>`)
    const tree = `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`
    return Buffer.from(writeRawPdf(['<< /Type /Catalog /Pages 2 0 R >>', tree, ...whole, ...objects]))
  }
  const font = (more = '') => `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${more} >>`
  const stream = (text: string, entries = '') => `<< ${entries} /Length ${text.length} >>\nstream\n${text}\nendstream`
  const words = 'BT /F1 24 Tf 20 300 Td (AB) Tj ET'

  const moved = write(
    ['/Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>'],
    stream(words, '/Matrix [0 0 0 0 0 0]'),
    font(),
  )
  assert.match((await certify(moved)).pages[0]!, /AB/)
  const shared = write(
    [
      '/Contents 5 0 R /Resources << /Font << /F1 6 0 R >> >>',
      '/Contents 7 0 R /Resources << /XObject << /Fm 5 0 R >> >>',
    ],
    stream(words, '/Type /XObject /Subtype /Form /BBox [0 0 400 400] /Resources << /Font << /F1 8 0 R >> >>'),
    font('/Encoding << /Differences [65 /X /Y] >>'),
    stream('/Fm Do'),
    font(),
  )
  const { pages } = await certify(shared)
  assert.match(pages[0]!, /XY/)
  assert.match(pages[1]!, /AB/)
})

test('What programs leave to themselves in figures is not looked at and not copied', async () => {
  const left = `/PTEX.FileName (./private/figure.pdf) /PTEX.InfoDict << /Subject (${'x'.repeat(1_300_000)}) >>`
  const figure = `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] ${left} /Length 10 >>\nstream\n0 0 9 9 re\nendstream`
  const bytes = odd.makeOnePage({
    content: '/Fm Do BT /F1 24 Tf 60 500 Td (Original words) Tj ET',
    page: '/Resources << /Font << /F1 5 0 R >> /XObject << /Fm 6 0 R >> >>',
    more: [figure],
  })
  assert.deepEqual(await workshop.inspect(bytes), onePage)
  const { path } = await certify(bytes)
  const written = await readFile(path)
  assert.ok(!written.includes('private/figure') && written.length < 300_000, `${written.length} bytes`)
})

test('An object that the table places at the first byte is none, and the page is read without it', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  assert.deepEqual(await workshop.inspect(makePlaceless()), onePage)
  const { path, pages } = await certify(makePlaceless())
  assert.ok(pages[0]!.includes('Original words'))
  const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', path, '-')
  assert.equal(text.match(/\/Im \d+ 0 R/), null, 'what the parser takes there is not copied')
})

test('A stream of entries may have places of eight bytes, and is no broken table', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  guardDecoding()
  const pdf = await PDF.load(new Uint8Array(makeWidePlaces()))
  assert.equal(pdf.recoveredViaBruteForce, false)
  assert.ok((await certify(makeWidePlaces())).pages[0]!.includes('Original words'))
})

test('Entries lose the leading bytes of wide fields, unless these say something', () => {
  const row = (first: number) => [1, first, 0, 0, 0, 0, 0, 1, 2, 0, 7]
  const narrow = [1, 0, 0, 0, 0, 1, 2, 0, 7]
  assert.deepEqual([...narrowEntries(Uint8Array.from([...row(0), ...row(0), 1]), [1, 8, 2])], [...narrow, ...narrow])
  assert.throws(() => narrowEntries(Uint8Array.from(row(1)), [1, 8, 2]), /beyond any file/)
})

test('A name with a blank in it costs a font neither its other entries nor the page its words', async (t) => {
  if (!needJudge(t, 'pdffonts', 'pdftotext')) return
  assert.deepEqual(await workshop.inspect(odd.makeBrokenName()), onePage)
  const { path, pages } = await certify(odd.makeBrokenName())
  assert.ok(pages[0]!.includes('Original words'))
  assert.match((await runJudge('pdffonts', '-f', '2', path)).text, /Helvetica\s+Type 1/)
})

test('Mending syntax changes no byte of what a page draws', async () => {
  const bytes = odd.makeContentLikeStrays()
  const { path } = await certify(bytes)
  const written = (await readFile(path)).toString('latin1')
  const original = bytes.toString('latin1')
  const content = original.slice(original.indexOf('stream\n') + 7, original.indexOf('\nendstream'))
  assert.ok(content.includes('BT ) } >>') && written.includes(content))
})

test('Strays are told from strings, names, comments and words of the language', () => {
  const cases: [string, string][] = [
    ['<< /A (x\\)) ) /B 1 >>', '<< /A (x\\))   /B 1 >>'],
    ['<< /A (one (two) three) } >>', '<< /A (one (two) three)   >>'],
    ['<< /A Foo /B Bar >>', '<< /A Foo /B Bar >>'],
    ['<< /A /Open Sans /B 1 0 R oops /C true >>', '<< /A /Open      /B 1 0 R      /C true >>'],
    ['[ a b ) ] % ) word\n<< /A << /B [1 ( ) ] word >> >>', '[ a b   ] % ) word\n<< /A << /B [1 ( ) ]      >> >>'],
    ['<< /A <29 29> /B null >>', '<< /A <29 29> /B null >>'],
  ]
  for (const [given, wanted] of cases) {
    const bytes = Buffer.from(given, 'latin1')
    blankStrays(bytes, 0, bytes.length)
    assert.equal(bytes.toString('latin1'), wanted)
  }
})

test('A stray delimiter in stream data is never replaced: the parser is stopped instead', () => {
  const text = '1 0 obj << /Length 9 >> stream\n)abcdefgh\nendstream endobj'
  const bytes = new WatchedBytes(Buffer.from(text, 'latin1'))
  const at = text.indexOf(')')
  assert.throws(() => bytes.subarray(at, at))
  assert.equal(bytes[at], 0x29)
  assert.ok(bytes.isHopeless && bytes.strays === 0)
})

test('Words without end are neither mended one by one nor in the way', async () => {
  const start = performance.now()
  assert.deepEqual(await workshop.inspect(odd.makeManyWords()), onePage)
  expectWithin(performance.now() - start, 5000, 'inspecting')
})

test('A file whose tree declares more pages than can be read is refused: none is left out silently', async () => {
  assert.deepEqual(await workshop.inspect(odd.makeMissingPage()), { ok: false, reason: 'ambiguous' })
})

test('Pages are found by what they are, not by what they call themselves, with what they inherit', async (t) => {
  if (!needJudge(t, 'pdfinfo')) return
  assert.deepEqual(await workshop.inspect(odd.makeUntypedTree()), {
    ok: true,
    type: 'PDF',
    pages: 3,
    isPictured: false,
  })
  const { path, pages } = await certify(odd.makeUntypedTree())
  assert.equal(pages.filter((page) => page.includes('Original words')).length, 3)
  const { text } = await runJudge('pdfinfo', '-f', '2', '-l', '4', path)
  assert.deepEqual(
    [...text.matchAll(/rot:\s+(\d+)/g)].map(([, turns]) => turns),
    ['0', '0', '90'],
  )
})

test('A revision that searching would leave out is found, or the file is refused: never an older page without a word', async (t) => {
  if (!needJudge(t, 'pdfinfo')) return
  const { path } = await certify(odd.makeGluedRevision())
  assert.match((await runJudge('pdfinfo', '-f', '2', '-l', '2', path)).text, /rot:\s+90/)
  assert.deepEqual(await workshop.inspect(odd.makeHiddenRevision()), { ok: false, reason: 'ambiguous' })
})

test('Content in several streams is one text, however each is packed', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const { path, pages } = await certify(odd.makeOddlyPackedContent())
  assert.ok(pages[0]!.includes('Original words'))
  assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
})

test('A page that the tree names twice is there twice, with its notes, fields and links, as all readers show it', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  for (const order of [
    [1, 1],
    [1, 2, 1],
    [1, 2, 2, 1, 2, 1],
    [1, 1, 2],
  ] as const) {
    const original = makeRepeatedPages(order)
    assert.deepEqual(await workshop.inspect(original), {
      ok: true,
      type: 'PDF',
      pages: order.length,
      isPictured: false,
    })
    const { path, pages } = await certify(original)
    const read = (texts: string[]): string[] => texts.map((text) => text.split(/\s+/).filter(Boolean).sort().join(' '))
    const wanted = order.map((number) => `Margin Value ${number === 1 ? 'First' : 'Second'} note words`)
    assert.deepEqual(read(await readDrawnWords(original)), read(wanted))
    for (const [i, text] of pages.entries()) {
      for (const word of wanted[i]!.split(' ')) assert.equal(text.split(word).length, 2, `${word} on page ${i + 1}`)
      assert.ok(!text.includes('HIDDEN'))
    }
    assert.equal(pages.length, order.length)
    assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
    const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', path, '-')
    assert.equal(text.split('/Subtype /Link').length - 1, order.length, 'each page has a link')
  }
})

test('A page named twice is refused where the reviewer’s reader would not find it, and so is a branch named twice', async () => {
  const ambiguous = { ok: false, reason: 'ambiguous' }
  for (const order of [
    [2, 1, 1],
    [1, 2, 1, 2],
    [1, 2, 2],
  ] as const) {
    const original = makeRepeatedPages(order)
    assert.deepEqual(await workshop.inspect(original), ambiguous, order.join())
    await assert.rejects(readDrawnWords(original), /circular/)
  }
  const tree = odd.makeUntypedTree().toString('latin1')
  for (const changes of [
    [
      ['/Count 3', '/Count 4'],
      ['[3 0 R 6 0 R]', '[6 0 R 6 0 R]'],
    ],
    [['[8 0 R <<', '[3 0 R <<']],
  ] as const) {
    const file = changes.reduce((text, [from, to]) => text.replace(from, to), tree)
    assert.notEqual(file, tree)
    assert.deepEqual(await workshop.inspect(Buffer.from(file, 'latin1')), ambiguous, changes[0][1])
  }
})

test('Branches of the page tree without pages may be named twice; those that only say they have none are refused', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  assert.deepEqual(await workshop.inspect(odd.makeEmptyBranches()), onePage)
  const { pages } = await certify(odd.makeEmptyBranches())
  assert.ok(pages.length === 1 && pages[0]!.includes('Original words'))
  for (const kids of ['3 0 R', '6 0 R 3 0 R', '<< /Type /Page /MediaBox [0 0 9 9] >>']) {
    assert.deepEqual(await workshop.inspect(odd.makeEmptyBranches(kids)), { ok: false, reason: 'ambiguous' }, kids)
  }
})

test('Fields of every kind without a picture get one that says what they hold, where the form asks for it', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const { path, pages } = await certify(odd.makeFieldsWithoutAppearance())
  const [page] = pages
  for (const words of [
    'Single line',
    'First words of a text',
    'and goes on',
    'France',
    'Alpha',
    'Beta',
    'Gamma',
    'Press',
    'Inherited value',
  ]) {
    assert.ok(page!.includes(words), words)
  }
  assert.match(page!, /1\s+2\s+3\s+4\s+5\s+6\s+7\s+8/)
  assert.ok(!page!.includes('hunter') && page!.includes('******'), 'a password is not shown')
  assert.ok(!page!.includes('Germany'), 'what was not chosen is not shown')
  assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
  const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', path, '-')
  // the box that is not ticked shows nothing
  assert.equal(new Set(text.match(/\/PdNote\d+/g)).size, 10)
})

test('A field without a picture that holds another script gets it shaped, never as question marks or boxes', async (t) => {
  if (!needJudge(t, 'pdffonts', 'pdftotext', 'pdftoppm', 'qpdf')) return
  const { path, pages } = await certify(odd.makeForeignField('Договор №7 – سلام'))
  assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
  assert.ok(pages[0]!.includes('Договор №7'), pages[0])
  // every font but the form's own, which the page uses, is in the file
  const { text } = await runJudge('pdffonts', '-f', '2', path)
  assert.ok(text.split('\n').filter((line) => /CID TrueType\s+Identity-H\s+yes yes yes/.test(line)).length >= 2)
  const { output } = await runJudge('pdftoppm', '-r', '72', '-gray', '-f', '2', '-l', '2', path)
  const row = (y: number): Buffer => output.subarray(output.length - 595 * (858 - y), output.length - 595 * (857 - y))
  const dark = Array.from({ length: 24 }, (_, i) => row(842 - 724 + i)).flatMap((line) => [...line.subarray(60, 400)])
  assert.ok(dark.filter((value) => value < 128).length > 100, 'words are seen in the field')
})

test('Layers show what they show by default, also where all are off but those named', async (t) => {
  if (!needJudge(t, 'pdftoppm', 'qpdf')) return
  const { path } = await certify(odd.makeLayersOffByDefault())
  const { output } = await runJudge('pdftoppm', '-r', '72', '-gray', '-f', '2', '-l', '2', path)
  // with the foot for the stamp
  const pixels = output.subarray(output.length - 595 * 858)
  const isInked = (y: number): boolean =>
    pixels.subarray(595 * (842 - y - 20), 595 * (842 - y)).some((value) => value < 128)
  assert.deepEqual([500, 400, 300, 200].map(isInked), [true, true, false, true])
  assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
})

test('Of annotations what they show is drawn into the page, and links that lead to pages of the copy stay', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const { path, pages } = await certify(odd.makeAnnotated())
  assert.ok(pages[0]!.includes('Margin note'))
  const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', path, '-')
  for (const kind of ['FreeText', 'Highlight']) assert.ok(!text.includes(`/Subtype /${kind}`), kind)
  assert.match(text, /\/BM \/Multiply/)
  assert.ok(text.includes('/Subtype /Link') && /\/Border \[\s+0\s+0\s+0/.test(text))
  const target = /\/Dest \[\s+(\d+) 0 R\s+\/Fit/.exec(text)?.[1]
  const object = text.split(`\n${target} 0 obj\n`)[1]?.split('endobj')[0]
  assert.match(object ?? '', /\/Type \/Page\n/)
})

test('A player loses what it would play and keeps its picture on the page', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const { path, pages, removed } = await certify(odd.makePlayers())
  assert.ok(pages[0]!.includes('Poster of the film'))
  assert.deepEqual(removed, ['RichMedia', 'Sound'])
  const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', path, '-')
  assert.ok(!text.includes('RichMedia') || !/\/Subtype \/RichMedia|\/RichMediaContent/.test(text))
  assert.ok(!text.includes('soundsound') && !text.includes('/Subtype /Sound'))
})

test('An encrypted file that cannot be decrypted in part is refused, never certified with a blank page', async (t) => {
  if (!needJudge(t, 'qpdf')) return
  const plain = join(workshop.folder, 'plain.pdf')
  const sealed = join(workshop.folder, 'sealed.pdf')
  await writeFile(plain, makePdf({ pages: 3, text: 'Sealed '.repeat(40) }))
  await runJudge(
    'qpdf',
    '--compress-streams=y',
    '--object-streams=disable',
    '--encrypt',
    '',
    'owner',
    '256',
    '--',
    plain,
    sealed,
  )
  const bytes = await readFile(sealed)
  assert.deepEqual(await workshop.inspect(bytes), { ok: true, type: 'PDF', pages: 3, isPictured: false })
  const at = bytes.indexOf('stream\n', bytes.indexOf('/FlateDecode')) + 7
  bytes.fill(0x41, at, at + 32)
  assert.deepEqual(await workshop.inspect(bytes), { ok: false, reason: 'unreadable' })
})

test('A file whose very list of objects is encrypted is refused as password-protected', async (t) => {
  if (!needJudge(t, 'qpdf')) return
  const plain = join(workshop.folder, 'plain.pdf')
  const sealed = join(workshop.folder, 'sealed.pdf')
  await writeFile(plain, makePdf({ pages: 40 }))
  await runJudge('qpdf', '--object-streams=generate', '--encrypt', 'user', 'owner', '256', '--', plain, sealed)
  assert.deepEqual(await workshop.inspect(await readFile(sealed)), { ok: false, reason: 'password_protected' })
})
