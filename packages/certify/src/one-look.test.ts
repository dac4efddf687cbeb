import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { needJudge, runJudge } from './testing.ts'
import { readDrawnWords } from './testing/drawn-words.ts'
import { openWorkshop, type Workshop } from './testing/sample-request.ts'
import * as unlike from './testing/unlike-looks.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const taken = { ok: true, type: 'PDF', pages: 1, isPictured: false }
const unreadable = { ok: false, reason: 'unreadable' }
const ambiguous = { ok: false, reason: 'ambiguous' }

interface Certified {
  path: string
  /** Of the one page, by the reviewer's reader, without those of the stamp. */
  words: string
  /** Of the page by Poppler. */
  printed: string
  /** The whole file, unpacked. */
  source: string
}

async function certify(bytes: Uint8Array): Promise<Certified> {
  assert.deepEqual(await workshop.inspect(bytes), taken)
  const { path } = await workshop.certify([await workshop.addOriginal(bytes, 'PDF')])
  assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
  const [, words = ''] = await readDrawnWords(await readFile(path))
  const { text: printed } = await runJudge('pdftotext', '-f', '2', '-l', '2', path, '-')
  const { text: source } = await runJudge('qpdf', '--qdf', '--object-streams=disable', path, '-')
  return { path, words: cutStamp(words), printed, source }
}

/** The stamp is drawn last; its words are not in the original. */
const cutStamp = (words: string): string => words.replace(/ ?(?:Page|7Q3K).*$/s, '').trim()

/** The copy shows the words that the reviewer's reader shows of the original, in every reader, and no sign of anything hidden. */
async function expectSameWords(bytes: Uint8Array): Promise<Certified> {
  const [original = ''] = await readDrawnWords(bytes)
  const certified = await certify(bytes)
  assert.equal(certified.words, original)
  const printed = certified.printed.replaceAll(/\s+/g, '')
  for (const word of original.split(' ')) assert.ok(printed.includes(word), `${word} in ${certified.printed}`)
  assert.ok(!/\/OC\b|\/OCProperties|\/OCG\b|\/OCMD/.test(certified.source))
  return certified
}

/** Points: a page of 842 with the foot that its stamp stands in. */
const CERTIFIED_HEIGHT = 858

const judges = ['qpdf', 'pdftotext'] as const

test('A layer that is off on screens is off everywhere, whatever events and printers say', async (t) => {
  if (!needJudge(t, ...judges)) return
  const { printed, source } = await expectSameWords(unlike.makeScreenOffLayer())
  assert.match(printed, /FAILED/)
  assert.doesNotMatch(printed, /PASSED/)
  assert.ok(!source.includes('PASSED'))
})

test('What a hidden layer owns is cut out of pages, forms and annotations; what it does to the state of drawing stays', async (t) => {
  if (!needJudge(t, ...judges)) return
  const { words, source } = await expectSameWords(unlike.makeLayeredEverything())
  assert.equal(words, 'Seen mark Still drawn Seen form Seen inside')
  assert.ok(!source.includes('Unseen'))
})

test('Membership in several layers is decided by policy and by expression as the reviewer’s reader does', async (t) => {
  if (!needJudge(t, ...judges)) return
  const members = [
    '/OCGs [6 0 R 7 0 R] /P /AllOn',
    '/OCGs [6 0 R 7 0 R] /P /AnyOff',
    '/OCGs [6 0 R 7 0 R] /P /AllOff',
    '/OCGs 7 0 R',
    '/VE [/And 6 0 R [/Not 7 0 R]]',
    '/VE [/Or 7 0 R [/Not 6 0 R]] /OCGs 6 0 R',
    '/OCGs [99 0 R 7 0 R]',
    '/OCGs []',
    '/P /Unheard /OCGs [7 0 R]',
  ]
  const content = members.map(
    (_, i) => `/OC /M${i + 1} BDC BT /F1 12 Tf 60 ${700 - 20 * i} Td (Member${i + 1}) Tj ET EMC`,
  )
  const { words } = await expectSameWords(
    unlike.makeLayered({ groups: ['', ''], shown: '/OFF [7 0 R]', members, content: content.join(' ') }),
  )
  assert.equal(words, 'Member2 Member5 Member7 Member9')
})

test('Where hidden text moves text that is seen, or content cannot be read for sure, the file is not copied', async () => {
  assert.deepEqual(await workshop.inspect(unlike.makeAdriftText()), { ...taken, isPictured: true })
  const hidden = (content: string): Buffer => unlike.makeLayered({ groups: [''], shown: '/OFF [6 0 R]', content })
  const pictured = { ...taken, isPictured: true }
  const blank = { ok: false, reason: 'ambiguous' }
  for (const [content, expected] of [
    ['/OC /L1 BDC BT /F1 9 Tf 9 9 Td (a) Tj ET EMCQ', blank],
    ['/OC BDC EMC /OC /L1 BDC 0 0 9 9 re f EMC', blank],
    ['/OC /L1 BDC BT 7 Tr /F1 9 Tf (a) Tj ET EMC 0 0 99 99 re f', pictured],
  ] as const)
    assert.deepEqual(await workshop.inspect(hidden(content)), expected, content)
})

test('A page tree that says another number of pages than it has is refused, also by negative counts and in branches', async () => {
  const branch = (count: number): string => `<< /Type /Pages /Parent 2 0 R /Count ${count} /Kids [6 0 R] >>`
  for (const bytes of [
    unlike.makeTree('3 0 R 6 0 R', '/Count 1'),
    unlike.makeTree('3 0 R 6 0 R', '/Count -5'),
    unlike.makeTree('3 0 R 6 0 R', '/Count 3'),
    unlike.makeTree('3 0 R 7 0 R', '/Count 2', [branch(0)]),
    unlike.makeTree('3 0 R 7 0 R', '/Count 2', [branch(2)]),
    unlike.makeTree('3 0 R 7 0 R', '/Count 2', ['<< /Type /Pages /Count 1 >>']),
    unlike.makeLyingLinearization(),
  ])
    assert.deepEqual(await workshop.inspect(bytes), ambiguous)
  for (const bytes of [unlike.makeTree('3 0 R 6 0 R', ''), unlike.makeTree('3 0 R 7 0 R', '/Count 2', [branch(1)])])
    assert.deepEqual(await workshop.inspect(bytes), { ...taken, pages: 2 })
})

test('A kid of the page tree that is no page is refused, never a blank page', async () => {
  for (const kid of ['5 0 R', '4 0 R', '7 0 R', '99 0 R', '(page)', 'null', '<< /Type /Annot /Subtype /Text >>'])
    assert.deepEqual(await workshop.inspect(unlike.makeTree(`3 0 R ${kid}`, '/Count 2', ['[1 2]'])), ambiguous, kid)
})

test('Annotations show what a screen shows, on paper too, and nothing that only paper would show', async (t) => {
  if (!needJudge(t, ...judges)) return
  const flags = [
    { words: 'Plain', flags: 0 },
    { words: 'Printed', flags: 4 },
    { words: 'Unseen', flags: 2 },
    { words: 'Paper', flags: 36 },
    { words: 'Toggled', flags: 256 },
    { words: 'Invisible', flags: 1 },
  ]
  const { printed, source } = await expectSameWords(unlike.makeFlaggedStamps(flags))
  for (const word of ['Plain', 'Printed', 'Toggled', 'Invisible']) assert.ok(printed.includes(word), word)
  assert.doesNotMatch(printed, /Unseen|Paper/)
  assert.ok(!/Unseen|Paper|\/Subtype \/Stamp/.test(source))
})

test('What is to stay upright on a turned page does, at the place that other readers give it', async (t) => {
  if (!needJudge(t, ...judges)) return
  const flags = [
    { words: 'Upright', flags: 20 },
    { words: 'Turned', flags: 4 },
  ]
  const place = async (path: string): Promise<string[]> =>
    (await runJudge('pdftotext', '-bbox', path, '-')).text.split('\n').filter((line) => line.includes('<word'))
  const places = new Set<string>()
  for (const turned of [0, 90, 180, 270]) {
    const bytes = unlike.makeFlaggedStamps(flags, '[200 300 500 340]', `/Rotate ${turned}`)
    const original = await workshop.addOriginal(bytes, 'PDF')
    const words = await place((await workshop.prepare([original])).path)
    assert.deepEqual(words, await place(original.path), `turned by ${turned}`)
    places.add(words.find((line) => line.includes('Upright'))!)
  }
  assert.equal(places.size, 4)
})

test('A picture without extent on the page is nowhere in the copy', async (t) => {
  if (!needJudge(t, ...judges)) return
  const { printed } = await certify(unlike.makeFlaggedStamps([{ words: 'Shown', flags: 4 }]))
  assert.match(printed, /Shown/)
  for (const rect of ['[60 300 60 300]', '[60 300 360 300]', '[60 300 60 340]']) {
    const { source } = await certify(unlike.makeFlaggedStamps([{ words: 'Unseen', flags: 4 }], rect))
    assert.doesNotMatch(source, /Unseen/, rect)
  }
})

test('Marks without a picture get the one that the reviewer’s reader draws; notes without one stay unseen', async (t) => {
  if (!needJudge(t, ...judges, 'pdftoppm')) return
  const { path, source } = await expectSameWords(unlike.makeBareMarks())
  assert.ok(!source.includes('Only a note'))
  const { output } = await runJudge('pdftoppm', '-r', '72', '-f', '2', '-l', '2', path)
  const at = (x: number, y: number): number[] => {
    const start = output.length - 595 * CERTIFIED_HEIGHT * 3 + (595 * (842 - y) + x) * 3
    return [...output.subarray(start, start + 3)].map((value) => (value > 128 ? 1 : 0))
  }
  assert.deepEqual(at(62, 320), [1, 0, 0])
  assert.deepEqual(at(250, 320), [0, 1, 0])
  assert.deepEqual(at(180, 220), [0, 0, 0])
  assert.deepEqual(at(410, 710), [1, 1, 1])
})

test('Fields of a form that asks for it are drawn from their values, whatever their old pictures say', async (t) => {
  if (!needJudge(t, ...judges)) return
  const { printed } = await certify(unlike.makeOldAppearances())
  assert.match(printed, /New value/)
  assert.match(printed, /Value without a picture/)
  assert.doesNotMatch(printed, /Old value/)
  assert.deepEqual(await readDrawnWords(unlike.makeOldAppearances()), [
    'Original words New value Value without a picture',
  ])
})

test('A value without a picture is drawn also where the form does not ask for it: no value that was entered is lost', async (t) => {
  if (!needJudge(t, ...judges)) return
  const { words, printed } = await certify(unlike.makeSilentField())
  for (const text of [words, printed]) assert.match(text, /Silent value/)
})

test('Links keep the frame that a screen shows around them, on paper too, as a part of the page', async (t) => {
  if (!needJudge(t, ...judges, 'pdftoppm')) return
  const black = [0, 0, 0]
  const clear = [255, 255, 255]
  const frames: { says: string; side: number[]; foot: number[] }[] = [
    { says: '', side: black, foot: black },
    { says: '/C [1 0 0] /Border [0 0 4]', side: [255, 0, 0], foot: [255, 0, 0] },
    { says: '/C [0 1 0] /Border [9 9 1] /BS << /W 4 >>', side: [0, 255, 0], foot: [0, 255, 0] },
    { says: '/C [0 0 1] /BS << /W 4 /S /U >>', side: clear, foot: [0, 0, 255] },
    // the line begins at the left foot, and comes to a gap here
    { says: '/Border [0 0 4 [10 20]]', side: clear, foot: black },
    { says: '/Border [0 0 4 [0 0]]', side: black, foot: black },
    { says: '/Border [0 0 0]', side: clear, foot: clear },
    { says: '/Border []', side: clear, foot: clear },
    { says: '/C []', side: clear, foot: clear },
    { says: '/F 2', side: clear, foot: clear },
    { says: '/F 32', side: clear, foot: clear },
  ]
  const { path, source } = await certify(unlike.makeFramedLinks(frames.map(({ says }) => says)))
  assert.equal(source.match(/\/Border \[\s+0\s+0\s+0\s+\]/g)?.length, frames.length)
  const { output } = await runJudge('pdftoppm', '-r', '72', '-f', '2', '-l', '2', '-aa', 'no', '-aaVector', 'no', path)
  const at = (x: number, y: number): number[] => {
    const start = output.length - 595 * CERTIFIED_HEIGHT * 3 + (595 * (841 - y) + x) * 3
    return [...output.subarray(start, start + 3)]
  }
  for (const [i, { says, side, foot }] of frames.entries()) {
    const bottom = 100 + 30 * i
    // within the line where it is wide, on it where it is a point
    const inset = says === '' ? 0 : 1
    assert.deepEqual(at(60 + inset, bottom + 10), side, `side of ${says}`)
    assert.deepEqual(at(62, bottom + inset), foot, `foot of ${says}`)
    assert.deepEqual(at(56, bottom + 10), clear, `beside ${says}`)
    assert.deepEqual(at(160, bottom + 10), clear, `within ${says}`)
  }
})

test('Links are what they are on what is shown of the page, and nowhere else: none lies over the stamp', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftotext')) return
  const places: { rect: string; kept?: number[] }[] = [
    { rect: '0 -16 595 0' },
    { rect: '595 0 0 -16' },
    { rect: '0 84 595 99' },
    { rect: '700 300 800 400' },
    { rect: '60 300 60 400' },
    { rect: '0 -16 50 150 ] /QuadPoints [0 -16 50 -16 0 0 50 0', kept: [0, 100, 50, 150] },
    { rect: '300 900 100 800', kept: [100, 800, 300, 842] },
    { rect: '60 300 200 320 ] /QuadPoints [0 84 595 84 0 99 595 99', kept: [60, 300, 200, 320] },
    { rect: '60 400 200 420 ] /QuadPoints [60 400 200 400 60 420 200 420', kept: [60, 400, 200, 420] },
  ]
  const { path, source } = await certify(unlike.makePlacedLinks(places.map(({ rect }) => rect)))
  const links = source
    .split(/^endobj$/m)
    .filter((object) => object.includes('/Subtype /Link') && object.includes('/Dest'))
  const rects = links.map((link) => /\/Rect \[([^\]]*)\]/.exec(link)![1]!.trim().split(/\s+/).map(Number))
  const kept = places.flatMap((place) => place.kept ?? [])
  const byValue = (a: number, b: number) => a - b
  assert.deepEqual(rects.flat().toSorted(byValue), kept.toSorted(byValue), path)
  assert.equal(source.split('/QuadPoints').length - 1, 1)
})

test('Pictures of annotations without resources find the fonts of the page or the form', async (t) => {
  if (!needJudge(t, ...judges)) return
  const { words, printed } = await certify(unlike.makeBareAppearances())
  for (const text of [words, printed]) assert.match(text, /Stamp words[^]*Field words/)
})

test('Blanks behind the word stream, a wrong length and what follows endstream cost a page nothing', async (t) => {
  if (!needJudge(t, ...judges)) return
  for (const options of [
    { before: ' \n' },
    { before: '\t  \r\n' },
    { end: 'endstreams' },
    { end: 'endstream', length: 3 },
  ]) {
    const { words } = await expectSameWords(unlike.makeOddStream(options))
    assert.equal(words, 'Original words')
  }
})

test('Content that the reviewer’s reader does not find, and others do, is refused', async () => {
  const text = unlike.makeOddStream({}).toString('latin1')
  const entries = [...text.matchAll(/\d{10} 00000 n /g)].map(([entry]) => entry)
  const bytes = Buffer.from(text.replace(entries[3]!, entries[4]!), 'latin1')
  assert.deepEqual(await workshop.inspect(bytes), ambiguous)
  assert.deepEqual(await workshop.inspect(unlike.makeOddStream({ end: 'endstrem' })), ambiguous)
})

test('Content that cannot be unpacked, or has no end, is refused: never a blank page or the words of another', async () => {
  const packed = unlike.makeOddStream({})
  const at = packed.indexOf('stream\n') + 7
  const broken = Buffer.from(packed)
  broken.fill(0x41, at, at + 8)
  assert.deepEqual(await workshop.inspect(broken), unreadable)
  const endless = unlike.makeTree('3 0 R 6 0 R', '/Count 2').toString('latin1').replace('endstream', 'endstrm')
  const next = endless.replace('xref\n', '8 0 obj\n<< /Length 1 >>\nstream\n \nendstream\nendobj\nxref\n')
  assert.deepEqual(await workshop.inspect(Buffer.from(next, 'latin1')), unreadable)
})

test('Words written on a page without a picture are drawn', async (t) => {
  if (!needJudge(t, ...judges)) return
  const { printed } = await certify(unlike.makeBareFreeText())
  assert.match(printed, /Written on the page/)
})

test('Short names of filters are read wherever they stand, and written in full', async (t) => {
  if (!needJudge(t, ...judges)) return
  const { path, words } = await certify(unlike.makeShortFilter())
  assert.equal(words, 'Original words')
  assert.ok(!/\/Fl\b/.test((await readFile(path)).toString('latin1')))
})
