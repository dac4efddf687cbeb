import { PdfDict } from '@libpdf/core'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { Refusal } from '../errors.ts'
import { needJudge, runJudge } from '../testing.ts'
import { readDrawnWords } from '../testing/drawn-words.ts'
import { makeForm } from '../testing/form-fields.ts'
import { writeRawPdf } from '../testing/raw-pdf.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import { type Call, checkOperators, type Drawn, type Start } from './check-operators.ts'
import { UNKNOWN } from './follow-colours.ts'
import type { Paint } from '../drawing/read-paint.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const PAINT: Paint = {
  spaces: new Map([
    ['Inks', { kind: 'plain', components: 2 }],
    ['Few', { kind: 'palette', components: 1, last: 1 }],
    ['Tinted', { kind: 'pattern', components: 3 }],
  ]),
  patterns: new Map([
    ['Plain', 'no colours'],
    ['Own', 'own colours'],
  ]),
  forms: new Map(),
  stencils: new Map([['Stencil', { isBlank: () => false, isPixel: false }]]),
  images: new Set(['Im0']),
  fonts: undefined,
  drawnFonts: new Map([['Drawn', PdfDict.of({})]]),
  tiles: new Map(),
  masks: new Map(),
  opacities: new Map(),
  dashes: new Map([['Short', 0.01]]),
  shadings: new Set(['Sh0']),
  hasLines: () => false,
  properties: new Set(),
}
const check = (content: string, drawn: Drawn = 'page', start?: Start): readonly Call[] =>
  checkOperators(Buffer.from(content, 'latin1'), drawn, PAINT, start)

/** Each hides something from the reviewer that others show, or the other way round. */
const FAULTY: [content: string, why: RegExp, drawn?: Drawn][] = [
  [') BT /F1 9 Tf (not seen) Tj ET', /nothing opened/],
  ['1 0 0 rg > 0 0 9 9 re f', /nothing opened/],
  ['{ 0 0 9 9 re f }', /nothing opened/],
  ['[ 1 2 0 0 9 9 re f', /within a bracket/],
  [`${'1 '.repeat(40)} n`, /too many operands/],
  ['l l l', /operands of l/],
  ['5 5 l S', /does not begin/],
  ['0 0 m 5 5 l S 9 9 l S', /does not begin/],
  ['(one) (two) Tj', /operands of Tj/],
  ['(one) zz Tj', /the operator zz/],
  ['1 gx 0 0 9 9 re f', /the operator gx/],
  [`q ${'z'.repeat(140)} Q`, /the operator zzz/],
  ['constructor', /the operator constructor/],
  ['--100 0 Td', /the number --100/],
  ['10-900 0 Td', /the number 10-900/],
  ['1e3 0 Td', /the number 1e3/],
  ['1.2.3 0 Td', /the number 1.2.3/],
  ['. 0 Td', /the number \./],
  ['4294967396 0 Td', /too large/],
  ['1 0 0 1 -99999999999 0 cm', /too large/],
  ['(\\516\\517) Tj', /beyond 255/],
  ['11 Tr', /rendering mode/],
  ['-1 Tr', /rendering mode/],
  ['1.5 Tr', /rendering mode/],
  ['-30 w', /a width that is none/],
  ['3 J', /ends of lines/],
  ['1.5 j', /ends of lines/],
  ['[0 0] 0 d', /dashes/],
  ['[.001 .001] 0 d 0 0 m 9 9 l S', /dashes that are too short/],
  ['[10 10] 0 d q .0001 0 0 .0001 0 0 cm BT 1 Tr (a) Tj ET Q', /dashes that are too short/],
  ['/Short gs q Q 0 0 9 9 re b', /dashes that are too short/],
  ['[-5 5] 0 d', /dashes/],
  ['[(a) 5] 0 d', /dashes/],
  ['/DeviceRGB cs 1 0 sc', /colours of another/],
  ['0 0 0 1 k 1 sc', /colours of another/],
  ['q 1 g Q /DeviceRGB CS 1 g 0 SC', /colours of another/],
  ['/DeviceGray cs q /DeviceRGB cs Q 1 0 0 sc', /colours of another/],
  ['/Inks cs 1 scn', /colours of another/],
  ['/In#6bs cs 1 scn', /colours of another/],
  ['/Few cs 2 scn', /beyond a palette/],
  ['/Few cs -1 scn', /beyond a palette/],
  ['/Few cs .5 scn', /beyond a palette/],
  ['/Pattern cs /Plain scn', /pattern without/],
  ['/Tinted cs 1 /Plain scn', /colours of a pattern/],
  ['1 g 0 0 9 9 re f', /must be none/, 'stencil'],
  ['/Im0 Do', /must be none/, 'stencil'],
  ['BI /W 1 /H 1 /BPC 8 /CS /G ID x EI', /must be none/, 'stencil'],
  ['5 0 0 0 9 9 d1 /Sh0 sh', /must be none/, 'glyph'],
  ['5 0 0 0 9 9 d1 /Im0 Do', /must be none/, 'glyph'],
  ['/Pattern cs /Own scn /Drawn 1 Tf (a) Tj', /drawn letters/],
  ['1 1 1 sc', /colours of another/],
  ['1 1 1 SC', /colours of another/],
  ['Q Q 1 1 1 sc', /colours of another/],
  ['/Nope cs', /space of colours that is not there/],
  ['/Nope CS', /space of colours that is not there/],
  ['q /Pattern cs /Nope scn Q', /pattern that is not there/],
  ['/Pattern CS /Nope SCN', /pattern that is not there/],
  ['/Own scn', /colours of another/],
  ['0 0 0 0 1 1 d1 0 0 9 9 re f', /box of a glyph/],
  ['5 0 0 0 9 9 d1 0 0 9 9 re f 0 0 0 0 1 1 d1', /box of a glyph/, 'glyph'],
  ['[(a) [(b)]] TJ', /no list of strings/],
  ['[(a) /b] TJ', /no list of strings/],
  ['<41G2> Tj', /other than its digits/],
  [`1.${'0'.repeat(200)} w`, /the number 1/],
  ['40000 g', /a colour beyond all/],
  ['0 0 0 -40000 K', /a colour beyond all/],
  ['BT (a) Tj 0 0 9 9 re f (b) Tj ET', /behind a path/],
  ['BT q (a) Tj Q (b) Tj ET', /behind a path/],
  ['/Pattern CS /Own SCN BT 1 Tr (a) Tj ET', /outlines of letters/],
  ['/Pattern cs /Own scn BT 2 Tr (a) Tj ET', /outlines of letters/],
  ['/Pattern CS /Own SCN 0 0 9 9 re B', /around an area/],
  ['/Tinted CS 1 1 1 /Plain SCN', /lines with tiles/],
  ['/F1 Tf', /operands of Tf/],
  ['/Name 3 scn', /operands of scn/],
  ['scn', /operands of scn/],
]

for (const [content, why, drawn] of FAULTY)
  test(`content that readers read in different ways is refused: ${content.slice(0, 40)}`, () => {
    assert.throws(
      () => check(content, drawn),
      (error) => error instanceof Refusal && error.reason === 'unreadable' && why.test(error.message),
    )
  })

test('what programs write, and what all readers pass over alike, is taken', () => {
  for (const content of [
    '',
    'BT (a) Tj 0 0 9 9 re f 0 -9 Td (b) Tj T* (c) Tj ET 0 0 9 9 re f BT (a) Tj ET',
    '/Pattern cs /Own scn BT (a) Tj 1 Tr (b) Tj ET 0 0 9 9 re B /Pattern CS /Own SCN 0 0 9 9 re S',
    '255 g <41 4> Tj [(a) -.5 <42>] TJ 50 Tz (b) Tj',
    '% a comment ) > ]\nq Q',
    'q 1 0 0 -1 .5 +3. cm BT /F1 12 Tf 3 Tr [(a\\)\\(b) -20 <4142>] TJ (\\377\\0053) \' 1 2 (x) " T* ET Q',
    '/OC /MC0 BDC /Span << /ActualText (x) /Lang [ /a << >> ] >> BDC EMC EMC /P BMC EMC /M MP /M /N DP',
    '/Inks cs 0.1 0.2 sc 0 SC 0 G 0 0 0 1 k /Sh0 sh /Gs0 gs /Im0 Do /RelativeColorimetric ri',
    '[] 0 d [3 2] 1 d 0 w 1 J 1 j 10 M 50 i 0 0 m 5 5 l 1 2 3 4 5 6 c 1 2 3 4 v 1 2 3 4 y h W n 0 0 5 5 re 9 9 l f*',
    'BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q',
    'BX EX \xb0h 0 0 9 9 re f 1 2 3',
    '0 0 9 9 re f (cut off',
    '0 0 9 9 re f <01',
    '0 0 9 9 re f [ (cut off) 2',
    '0 0 9 9 re f 1 2 z',
    '/W 90000 DP',
  ])
    check(content)
  for (const content of [
    '[0 8] 0 d [] 0 d [3 2.5] 1 d 2 J 0. j',
    '/Inks cs 1 .5 scn /Few cs 1 scn 0. scn /Tinted cs 1 0 0 /Plain scn /Own scn /Pattern cs /Own scn',
    '/DeviceRGB cs 1 0 0 scn q 1 g Q 1 0 0 scn Q Q .5 sc',
    '/Pattern cs /Own scn /F1 1 Tf (a) Tj q /Drawn 1 Tf 0 g (a) Tj Q (a) Tj',
  ])
    check(content)
  check('q 0 0 9 9 re f /Stencil Do BI /W 1 /H 1 /IM true ID x EI Q', 'stencil')
  check('5 0 0 0 9 9 d1 1 0 0 rg 0 0 9 9 re f /Stencil Do', 'glyph')
  check('q 5 0 d0 0 0 9 9 re f Q', 'glyph')
})

test('content that is drawn from several places chooses its colours itself', () => {
  for (const content of ['1 sc', '1 0 0 SC', '/Own scn', 'q 1 g Q 1 sc'])
    assert.throws(() => check(content, 'page', { chosen: UNKNOWN, scale: undefined }), /colours before their space/)
  check('1 g 0 0 9 9 re f /DeviceRGB cs 1 0 0 sc q 0 G 1 SC Q', 'page', { chosen: UNKNOWN, scale: undefined })
})

test('what is drawn by its name begins with what is chosen there', () => {
  const calls = check('/Fm Do 1 0 0 rg /F#6d Do q /Pattern cs /Own scn /Drawn 1 Tf /Fm Do Q /Fm Do')
  assert.deepEqual(
    calls.map(({ name, chosen: { fill, isDrawn } }) => [name, fill?.kind, fill?.components, isDrawn]),
    [
      ['Fm', 'plain', 1, false],
      ['Fm', 'plain', 3, false],
      ['Fm', 'pattern', 0, true],
      ['Fm', 'plain', 3, false],
    ],
  )
})

const SAYS = 'BT /F1 12 Tf 60 700 Td (Seen) Tj ET'
const stream = (entries: string, content: string): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`

test('pages, forms and tiles are looked at alike, and what nothing draws is not', async () => {
  const inspect = ({ content, resources = '', more = [] }: { content: string; resources?: string; more?: string[] }) =>
    workshop.inspect(
      writeRawPdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> >>`,
        stream('', content),
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        ...more,
      ]),
    )
  const taken = { ok: true, type: 'PDF', pages: 1, isPictured: false }
  const pictured = { ...taken, isPictured: true }
  const form = (content: string): string => stream('/Type /XObject /Subtype /Form /BBox [0 0 600 800]', content)
  assert.deepEqual(await inspect({ content: `) ${SAYS}` }), pictured)
  const withForm = (content: string) => ({
    content: `${SAYS} /Fm Do`,
    resources: '/XObject << /Fm 6 0 R >>',
    more: [form(content)],
  })
  assert.deepEqual(await inspect(withForm(') 0 0 9 9 re f')), pictured)
  assert.deepEqual(await inspect(withForm('0 0 9 9 re f')), taken)
  const tile = stream(
    '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << >>',
    ') 0 0 5 5 re f',
  )
  const withTile = {
    content: '/Pattern cs /P1 scn 0 0 99 99 re f',
    resources: '/Pattern << /P1 6 0 R >>',
    more: [tile],
  }
  assert.deepEqual(await inspect(withTile), pictured)
  const unused = { content: SAYS, more: [form(') 0 0 9 9 re f')] }
  assert.deepEqual(await inspect(unused), taken)
})

test('a letter too many behind an operator of a field is left out, as in the reviewer’s reader, for all', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftoppm')) return
  const look = (words: string): string =>
    `<< /Type /XObject /Subtype /Form /BBox [0 0 340 24] /Length ${words.length} >>\nstream\n${words}\nendstream`
  const seal = async (words: string) => {
    const field = { says: '/FT /Btn /AS /Yes /AP << /N << /Yes 7 0 R >> >>' }
    const bytes = makeForm([field], { more: [look(words)] })
    assert.deepEqual(await workshop.inspect(bytes), { ok: true, type: 'PDF', pages: 1, isPictured: false })
    const { path } = await workshop.certify([await workshop.addOriginal(bytes, 'PDF')])
    const { output } = await runJudge('pdftoppm', '-r', '72', '-gray', '-f', '2', '-l', '2', path)
    assert.equal((await readDrawnWords(await readFile(path), 2)).length, 1)
    return output
  }
  const right = await seal('q 20 w 10 12 m 300 12 l s Q')
  assert.ok(right.equals(await seal('q 20 w 10 12 m 300 12 l se Q')))
  assert.ok(!right.equals(await seal('q 20 w 10 12 m 300 12 l n Q')))
})
