import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { needJudge, runJudge } from '../testing.ts'
import { readDrawnWords } from '../testing/drawn-words.ts'
import { makeForm, makeFreeTexts, makeTextFields, writeUtf16, writeUtf8 } from '../testing/form-fields.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

interface Sealed {
  path: string
  /** Letters of the one page without blanks: by Poppler, and by the reviewer's reader. */
  printed: string
  drawn: string
}

async function seal(bytes: Uint8Array): Promise<Sealed> {
  assert.deepEqual(await workshop.inspect(bytes), { ok: true, type: 'PDF', pages: 1, isPictured: false })
  const { path } = await workshop.certify([await workshop.addOriginal(bytes, 'PDF')])
  assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
  const { text } = await runJudge('pdftotext', '-f', '2', '-l', '2', path, '-')
  return { path, printed: joinLetters(text), drawn: joinLetters((await readDrawnWords(await readFile(path), 2))[0]!) }
}

/** Marks of direction are no letters: pdftotext puts them around what runs from right to left. */
const joinLetters = (text: string): string => text.normalize('NFC').replaceAll(/[\s\p{Cf}]+/gu, '')

/** The value as it was entered, and nothing that stands for a character which is not there. */
function expectShown({ printed, drawn }: Sealed, values: readonly string[]): void {
  for (const value of values) assert.ok(printed.includes(joinLetters(value)), `${value} in ${printed}`)
  for (const text of [printed, drawn]) assert.doesNotMatch(text, /\ufffd/)
}

/** The grey pixels of each field of `makeForm`, at one pixel for a point. */
async function drawFields(path: string, count: number): Promise<Buffer[]> {
  const { output } = await runJudge('pdftoppm', '-r', '72', '-gray', '-f', '2', '-l', '2', path)
  const page = output.subarray(output.indexOf('\n255\n') + 5)
  return Array.from({ length: count }, (_, i) => page.subarray(595 * (842 - 784 + 30 * i), 595 * (842 - 760 + 30 * i)))
}

const judges = ['qpdf', 'pdftotext', 'pdftoppm'] as const
const SCRIPTS = [
  '東京都千代田区 さくら',
  '租赁合同 二〇二六年',
  '서울특별시 값',
  'שלום עולם',
  'مرحبا بالعالم',
  'สวัสดีครับ',
  'नमस्ते',
  '☐ no ☑ yes ✔ ✘',
  'Договор №7',
]

test('Values and words on the page are drawn in any script that a certificate can be set in', async (t) => {
  if (!needJudge(t, ...judges)) return
  const texts = SCRIPTS.map(writeUtf16)
  // a letter that no face has would still be copied out as what it was: how it is drawn tells
  const missing = SCRIPTS.map((text) => writeUtf16(text.replaceAll(/[^\p{ASCII}]\p{M}*/gu, '\ufffd')))
  for (const make of [makeTextFields, (values: string[]) => makeTextFields(values, { asked: true }), makeFreeTexts]) {
    const sealed = await seal(make(texts))
    expectShown(sealed, SCRIPTS)
    const [fields, boxes] = [
      await drawFields(sealed.path, texts.length),
      await drawFields((await seal(make(missing))).path, texts.length),
    ]
    for (const [i, field] of fields.entries()) assert.ok(!field.equals(boxes[i]!), SCRIPTS[i])
  }
})

const OLD = 'BT /Helv 14 Tf 2 6 Td (Old picture) Tj ET'
const picture = (content: string): string =>
  '<< /Type /XObject /Subtype /Form /BBox [0 0 340 24] /Resources << /Font << /Helv 5 0 R >> >> ' +
  `/Length ${content.length} >>\nstream\n${content}\nendstream`

test('A value with a character that no face has keeps its picture, and without one the file is refused', async (t) => {
  if (!needJudge(t, ...judges)) return
  for (const value of ['ქართული', 'Private \ue000 use']) {
    const says = `/FT /Tx /V ${writeUtf16(value)}`
    const kept = await seal(makeForm([{ says: `${says} /AP << /N 7 0 R >>` }], { asked: true, more: [picture(OLD)] }))
    assert.match(kept.printed, /Oldpicture/)
    const refused = { ok: false, reason: 'ambiguous' }
    assert.deepEqual(await workshop.inspect(makeForm([{ says }])), refused, value)
    assert.deepEqual(await workshop.inspect(makeFreeTexts([writeUtf16(value)])), refused, value)
    // what a screen does not show is not lost
    assert.ok((await workshop.inspect(makeForm([{ says: `${says} /F 2` }]))).ok)
  }
})

test('Letters come out as they were entered, whatever code the form’s font has for them', async (t) => {
  if (!needJudge(t, ...judges)) return
  const helvetica = (encoding: string): string => `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${encoding} >>`
  const pdfDoc =
    '24 /breve /caron /circumflex /dotaccent /hungarumlaut /ogonek /ring /tilde 39 /quotesingle 96 /grave 128 /bullet /dagger /daggerdbl ' +
    '/ellipsis /emdash /endash /florin /fraction /guilsinglleft /guilsinglright /minus /perthousand /quotedblbase /quotedblleft ' +
    '/quotedblright /quoteleft /quoteright /quotesinglbase /trademark /fi /fl /Lslash /OE /Scaron /Ydieresis /Zcaron /dotlessi ' +
    '/lslash /oe /scaron /zcaron 160 /Euro 164 /currency 168 /dieresis 180 /acute 183 /periodcentered 196 /Adieresis 228 /adieresis'
  const fonts = [
    helvetica(''),
    helvetica('/Encoding /StandardEncoding'),
    helvetica('/Encoding /MacRomanEncoding'),
    helvetica('/Encoding /WinAnsiEncoding'),
    helvetica(`/Encoding << /Type /Encoding /Differences [${pdfDoc}] >>`),
    helvetica('/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [65 /B /A 228 /odieresis 246 /.notdef] >>'),
    // it has two letters
    helvetica('/Encoding /WinAnsiEncoding /FirstChar 65 /LastChar 66 /Widths [667 667]'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier- >>',
  ]
  const values = ['Plain words', 'BABA Ä ä ö Ö', "it's `so`", '“Œuvre” – 5 € • ™', 'Łódka']
  for (const value of values) {
    for (const write of [writeUtf16, writeUtf8]) {
      const fields = fonts.map((_, i) => ({
        says: `/FT /Tx /V ${write(`${i} ${value}`)} /DA (/F#${61 + i} 14 Tf 0 g)`,
      }))
      const names = fonts.map((_, i) => `/F${String.fromCharCode(0x61 + i)} ${6 + fonts.length + i} 0 R`)
      const sealed = await seal(makeForm(fields, { fonts: names.join(' '), more: fonts }))
      expectShown(
        sealed,
        fonts.map((_, i) => `${i} ${value}`),
      )
    }
  }
})

test('A value that names languages, or turns letters around, is shown without that', async (t) => {
  if (!needJudge(t, ...judges)) return
  const values = ['\u001bde\u001bGuten \u001ben\u001bday', 'Pay \u202e42\u202c now']
  expectShown(await seal(makeTextFields(values.map(writeUtf16))), ['Guten day', 'Pay 42 now'])
})

test('No part of a value is cut off: not of words without blanks, nor of long lines, nor of more letters than there are cells', async (t) => {
  if (!needJudge(t, ...judges)) return
  const endless = `START${'x'.repeat(300)}END`
  const eastern = `始${'東京都千代田区'.repeat(30)}終`
  const lines = Array.from({ length: 30 }, (_, i) => `Line${i + 1}.`).join('\r')
  const values = [endless, eastern, `שלום${'ארוכה '.repeat(60)}סוף`, lines]
  for (const flags of ['/Ff 4096', '']) {
    for (const da of ['/Helv 0 Tf', '/Helv 14 Tf']) {
      const fields = values.map((value, i) => ({
        says: `/FT /Tx ${flags} /V ${writeUtf16(value)} /DA (${da} 0 g)`,
        rect: `60 ${700 - 60 * i} 300 ${750 - 60 * i}`,
      }))
      const sealed = await seal(makeForm(fields))
      expectShown(sealed, [endless, eastern, 'Line1.', 'Line30.'])
      // no letter is outside of the fields: what runs over their edge is not seen
      const { text } = await runJudge('pdftotext', '-bbox', '-f', '2', '-l', '2', sealed.path, '-')
      const words = [...text.matchAll(/xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.+?)</g)]
      for (const [, left, top, right, bottom, word] of words.filter(([, , y]) => Number(y) < 800)) {
        const [middle, field] = [(Number(top) + Number(bottom)) / 2, values.length]
        const isInside = middle > 842 - 750 && middle < 842 - 700 + 60 * (field - 1)
        assert.ok(
          Number(left) >= 60 && Number(right) <= 300.5 && isInside,
          `${word}: ${left} ${top} ${right} ${bottom}`,
        )
      }
    }
  }
  const comb = (value: string, cells: number) => ({
    says: `/FT /Tx /Ff 16777216 /MaxLen ${cells} /V ${writeUtf16(value)}`,
  })
  const combs = [comb('12345', 5), comb('ABCDEF', 3), comb('No cells', 0), comb('東京12', 4), comb('שלום 12', 8)]
  const sealed = await seal(makeForm(combs))
  // in the order in which cells are drawn, from left to right; pdftotext takes them for columns
  for (const value of ['12345', 'ABCDEF', 'Nocells', '東京12', '12םולש']) assert.ok(sealed.drawn.includes(value), value)
})

test('A field shows its default as long as nothing was entered, and of a list what was chosen', async (t) => {
  if (!needJudge(t, ...judges)) return
  const options = Array.from({ length: 20 }, (_, i) => `[(${i}) (Choice${i})]`).join(' ')
  const list = `/FT /Ch /Opt [${options}]`
  const sealed = await seal(
    makeForm([
      { says: '/FT /Tx /DV (Default words)' },
      { says: '/FT /Tx /V null /DV (Second default)' },
      { says: '/FT /Ch /Ff 131072 /Opt [(de) (fr)] /DV (fr)' },
      { says: `${list} /DV (17)`, rect: '60 600 300 650' },
      { says: `${list} /V [(3) (4)] /TI 9`, rect: '60 500 300 550' },
      { says: '/FT /Ch /V (No lines)', rect: '60 440 300 460' },
    ]),
  )
  expectShown(sealed, ['Default words', 'Second default', 'fr', 'Choice17', 'Choice3', 'Choice4', 'No lines'])
  assert.doesNotMatch(sealed.printed, /Choice0/)
})

test('Of a list all that was chosen is seen, however far apart it is, and marked by what it exports', async (t) => {
  if (!needJudge(t, ...judges)) return
  const options = Array.from({ length: 20 }, (_, i) => `[(${i}) (Choice${i})]`).join(' ')
  const { printed } = await seal(makeForm([{ says: `/FT /Ch /Ff 2097152 /Opt [${options}] /V [(0) (19)]` }]))
  assert.match(printed, /^Choice0Choice1Choice2.*Choice19/)
  const { path } = await seal(makeForm([{ says: '/FT /Ch /Opt [[(1) (0)] [(2) (1)] [(3) (2)]] /V (1)' }]))
  const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', path, '-')
  assert.equal(text.split('0.6 0.75 0.86 rg').length - 1, 1)
})

test('A value is seen in a field whose border would fill it, and whose font has no size that is a number', async (t) => {
  if (!needJudge(t, ...judges)) return
  const says = (value: string): string => `/FT /Tx /V (${value}) /BS << /W 12 >> /DA (/Helv ${'9'.repeat(400)} Tf 0 g)`
  const sealed = await seal(makeForm([{ says: says('Seen') }, { says: says('') }]))
  expectShown(sealed, ['Seen'])
  const [seen, empty] = await drawFields(sealed.path, 2)
  assert.ok(!seen!.equals(empty!))
})

test('A box whose state is a text is ticked as one whose state is a name; a button is not', async (t) => {
  if (!needJudge(t, ...judges)) return
  const looks = '/AP << /N << /Yes 7 0 R /Off 8 0 R >> >>'
  const more = [picture(OLD), picture('')]
  for (const [says, isTicked] of [
    ['/FT /Btn /V (Yes)', true],
    ['/FT /Btn /AS (Yes)', true],
    ['/FT /Btn /V /Yes', true],
    ['/FT /Btn /V (No)', false],
    ['/FT /Btn /Ff 32768 /V (Yes)', false],
  ] as const) {
    const { printed, drawn } = await seal(makeForm([{ says: `${says} ${looks}` }], { more }))
    for (const text of [printed, drawn]) assert.equal(text.includes('Oldpicture'), isTicked, says)
  }
})

test('Boxes and buttons keep the picture of their state where a form asks for new ones; one without gets one', async (t) => {
  if (!needJudge(t, ...judges)) return
  const looks = '/AP << /N << /Yes 7 0 R /Off 8 0 R >> >>'
  const more = [picture(''), picture(OLD)]
  for (const kind of ['/FT /Btn', '/FT /Btn /Ff 32768']) {
    const bare: Buffer[] = []
    for (const state of ['Off', 'Yes']) {
      const says = `${kind} /AS /${state} /V /${state} /MK << /CA (8) /BC [0] >>`
      const { printed, drawn } = await seal(makeForm([{ says: `${says} ${looks}` }], { asked: true, more }))
      for (const text of [printed, drawn]) assert.equal(text.includes('Oldpicture'), state === 'Off', says)
      const { path } = await seal(makeForm([{ says }], { asked: true }))
      bare.push(...(await drawFields(path, 1)))
    }
    assert.ok(bare.every((box) => box.includes(0)))
    assert.ok(!bare[0]!.equals(bare[1]!))
  }
})

test('A button without a picture shows its face and what it says, as other readers draw it; one with a picture keeps that', async (t) => {
  if (!needJudge(t, ...judges)) return
  const push = '/FT /Btn /Ff 65536'
  const says = `${push} /MK << /CA (Press) /BG [0.75] >>`
  const more = [picture(OLD)]
  for (const asked of [false, true]) {
    const bare = await seal(makeForm([{ says }], { asked }))
    for (const text of [bare.printed, bare.drawn]) assert.match(text, /^Press/)
    const [face] = await drawFields(bare.path, 1)
    assert.ok(face!.filter((value) => value === 191).length > 340 * 20)
    const kept = await seal(makeForm([{ says: `${says} /AP << /N 7 0 R >>` }], { asked, more }))
    for (const text of [kept.printed, kept.drawn]) assert.match(text, /^Oldpicture/)
    for (const hidden of ['/F 2', '/F 32', '/F 6']) {
      const { printed, path } = await seal(makeForm([{ says: says.replace('/FT', `${hidden} /FT`) }], { asked }))
      assert.doesNotMatch(printed, /Press/, hidden)
      assert.ok((await drawFields(path, 1))[0]!.every((value) => value === 255))
    }
  }
  // of an icon that is not there nothing is seen
  assert.doesNotMatch((await seal(makeForm([{ says: `${push} /MK << /CA (Press) /TP 1 >>` }]))).printed, /Press/)
  // what a button says is no value that could be lost
  assert.doesNotMatch((await seal(makeForm([{ says: `${push} /MK << /CA <feffe000e001> >>` }]))).printed, /\ue000/)
})

test('A password shows stars, whatever else its field is', async (t) => {
  if (!needJudge(t, ...judges)) return
  for (const flags of [0, 4096, 16777216, 4096 + 16777216]) {
    const says = `/FT /Tx /Ff ${8192 + flags} /MaxLen 8 /V (Secret1)`
    const sealed = await seal(makeForm([{ says }, { says: '/FT /Tx /V (Seen)' }], { asked: true }))
    for (const text of [sealed.printed, sealed.drawn]) assert.match(text, /^\*{7}Seen/, says)
    assert.ok(!(await readFile(sealed.path)).includes('Secret1'))
  }
  // of letters that no face has, too
  assert.match((await seal(makeForm([{ says: '/FT /Tx /Ff 8192 /V <feffe000e001>' }]))).printed, /^\*\*/)
})
