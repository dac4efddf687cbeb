import assert from 'node:assert/strict'
import test from 'node:test'
import { expectWithin } from '../testing/pace.ts'
import { withTypefaces } from './choose-typeface.ts'
import { countInk, type PlacedGlyph } from './shape-run.ts'
import type { ShapedLine } from './shape-line.ts'
import { countSlices, MAX_KEPT_BYTES } from './slices.ts'
import { FALLBACK, type TextStyle } from './typefaces.ts'
import { setLine, wrapText } from './wrap-lines.ts'

const STYLES = Object.keys(FALLBACK) as TextStyle[]
const readGlyphs = (line: ShapedLine): PlacedGlyph[] => line.runs.flat()

function set(text: string, style: TextStyle = 'text'): Promise<ShapedLine> {
  return withTypefaces([text], () => setLine(text, style))
}

/** The families of the slices that the line is set with, e.g. `sc`. */
async function listFamilies(text: string): Promise<string[]> {
  const faces = readGlyphs(await set(text)).map(({ face }) => face)
  return [...new Set(faces.filter((face) => face.weight !== undefined).map((face) => face.source.split(' ')[0]!))]
}

test('Texts in Latin, Greek, Cyrillic, Vietnamese, Arabic or Persian open no slice', async () => {
  const texts = ['Übergabe – “№7” … 12 €', 'Ελληνικά', 'Привет', 'Tiếng Việt', 'قرارداد ۱۴۰۵', 'عقد إيجار']
  await withTypefaces(texts, () => texts.forEach((text) => STYLES.forEach((style) => setLine(text, style))))
  assert.deepEqual(countSlices(), { open: 0, bytes: 0, reads: 0 })
})

test('Chinese, Japanese, Korean, Hebrew, Devanagari, Thai and emoji have their glyphs in every style', async () => {
  const samples = [
    '租赁合同（第二版）',
    '賃貸借契約書とサービス',
    '임대차 계약서',
    'חוזה שכירות בְּרֵאשִׁית',
    'किराया अनुबंध',
    'สัญญาเช่า กำแพง',
    '🧾✅👍🏽👩‍💻🇩🇪1️⃣❤️',
  ]
  for (const text of samples) {
    for (const style of STYLES) {
      const line = await set(text, style)
      const mark = readGlyphs(setLine('\ufffd', style))[0]!
      const isWhole = readGlyphs(line).every(
        ({ face, glyph }) => glyph !== 0 && (face !== mark.face || glyph !== mark.glyph),
      )
      assert.ok(isWhole, `${style}: ${text}`)
    }
  }
})

test('A line that was set before its slice was open is set anew', async () => {
  const unprepared = readGlyphs(setLine('鼎', 'text'))
  assert.equal(unprepared[0]!.face.source, 'noto')
  assert.match(readGlyphs(await set('鼎'))[0]!.face.source, /^sc /)
})

test('A slice is read once and only when a text needs it', async () => {
  const { reads } = countSlices()
  await set('租赁合同')
  const { reads: again, bytes } = countSlices()
  await set('租赁合同')
  assert.ok(again - reads <= 4)
  assert.equal(countSlices().reads, again)
  assert.ok(bytes < MAX_KEPT_BYTES)
})

test('What is kept is bounded: after a text with very many characters slices are put away, and read again when needed', async () => {
  const characters = (first: number, count: number): string =>
    Array.from({ length: count }, (_, i) => String.fromCodePoint(first + i)).join('')
  const texts = [characters(0x4e00, 6000), `か${characters(0x4e00, 6000)}`, characters(0xac00, 6000)]
  const openBytes = await withTypefaces(texts, () => countSlices().bytes)
  assert.ok(openBytes > MAX_KEPT_BYTES)
  assert.ok(countSlices().bytes <= MAX_KEPT_BYTES)
  const line = await set('租赁')
  assert.ok(readGlyphs(line).every(({ glyph, text }) => glyph !== 0 && text !== '\ufffd'))
})

test('Han characters are drawn Japanese beside kana, Korean beside hangul, otherwise Chinese', async () => {
  assert.deepEqual(await listFamilies('直接 骨'), ['sc'])
  assert.deepEqual(await listFamilies('直接の骨'), ['jp'])
  assert.deepEqual(await listFamilies('直接 골격 骨'), ['kr'])
  const both = readGlyphs(await set('骨の 그림 骨')).filter(({ text }) => text === '骨')
  assert.deepEqual(
    both.map(({ face }) => face.source.split(' ')[0]),
    ['jp', 'kr'],
  )
})

test('Latin and digits beside other scripts stay in the face of the style', async () => {
  const line = await set('合同 v2 חוזה 14 🧾 x')
  const latin = readGlyphs(line).filter(({ text }) => /[a-z0-9]/.test(text))
  assert.equal(latin.length, 5)
  assert.ok(latin.every(({ face }) => face.source === 'sans'))
})

test('Emoji sequences are one picture where the font has it, otherwise the picture they begin with, and keep their text', async () => {
  for (const emoji of ['👩‍💻', '🇩🇪', '1️⃣', '👍🏽', '❤️', '👨‍👩‍👧‍👦', '🏳️‍🌈']) {
    const glyphs = readGlyphs(await set(emoji))
    assert.equal(glyphs.filter(({ text }) => text !== '').length, 1, emoji)
    assert.equal(glyphs[0]!.text, emoji)
  }
  const unknown = '🧾\u200d✈️\u200d🐫'
  const glyphs = readGlyphs(await set(unknown))
  assert.ok(glyphs.every(({ glyph }) => glyph !== 0))
  assert.equal(glyphs.map(({ text }) => text).join(''), unknown)
})

test('Devanagari is shaped: conjuncts are one glyph, and the short i stands before its consonant', async () => {
  const conjunct = readGlyphs(await set('क्ष'))
  assert.equal(conjunct.filter(({ text }) => text !== '').length, 1)
  const face = conjunct[0]!.face
  assert.equal(countInk(face, 'क्ष'), 1)
  const [first, second] = readGlyphs(await set('कि'))
  const [consonant] = readGlyphs(await set('क'))
  assert.equal(second!.glyph, consonant!.glyph)
  assert.notEqual(first!.glyph, consonant!.glyph)
})

test('Hebrew runs from right to left, with digits and Latin inside it from left to right', async () => {
  const line = await set('חוזה 14 (Lease) סופי')
  assert.equal(line.isRightToLeft, true)
  const left = (part: string): number => readGlyphs(line).find(({ text }) => text.includes(part))!.x
  assert.ok(left('ח') > left('1') && left('4') > left('1') && left('1') > left('L') && left('L') > left('ס'))
})

test('Chinese and Japanese break between any characters, but not before closing or after opening marks', async () => {
  const text = '本契約（以下「契約」という。）は、甲と乙の間で締結される。'.repeat(4)
  const lines = await withTypefaces([text], () => wrapText(text, 'text', 10, 95))
  assert.ok(lines.length > 8)
  for (const line of lines) {
    assert.ok(line.width * 10 <= 95_000)
    assert.doesNotMatch(line.text, /^[。、）」]|[（「]$/)
  }
  assert.equal(lines.map((line) => line.text).join(''), text)
})

test('Thai breaks between words', async () => {
  const text = 'สัญญาเช่าอาคารพาณิชย์ในกรุงเทพมหานคร'.repeat(3)
  const words = new Set<number>()
  for (const { index } of new Intl.Segmenter('th', { granularity: 'word' }).segment(text)) words.add(index)
  const lines = await withTypefaces([text], () => wrapText(text, 'text', 10, 120))
  assert.ok(lines.length > 3)
  let offset = 0
  for (const line of lines) {
    assert.ok(words.has(offset), line.text)
    offset += line.text.length
  }
})

test('Direction overrides have no effect and are shown as a mark; isolates work', async () => {
  const line = await set('invoice\u202efdp.exe')
  const shown = readGlyphs(line).toSorted((a, b) => a.x - b.x)
  assert.equal(shown.map(({ text }) => text).join(''), 'invoice\u202efdp.exe')
  assert.equal(line.isRightToLeft, false)
  assert.equal((await set('a\u2067ב\u2069c')).text, 'a\u2067ב\u2069c')
})

test('Hundreds of marks on one letter are cut to a few, and floods of invisible characters take no room', async () => {
  const marks = await set(`a${'\u0301'.repeat(500)}`)
  assert.ok(readGlyphs(marks).filter(({ text }) => text === '').length <= 5)
  assert.equal(
    readGlyphs(marks)
      .map(({ text }) => text)
      .join(''),
    `a${'\u0301'.repeat(500)}`,
  )
  const flood = await set(`a${'\u200b'.repeat(5000)}b`)
  assert.equal(flood.width, (await set('ab')).width)
})

test('Whatever is typed: every character reaches a glyph that readers take it from, once', async () => {
  const ranges = [
    [0x20, 0x7e],
    [0x300, 0x36f],
    [0x590, 0x6ff],
    [0x900, 0x97f],
    [0xe00, 0xe7f],
    [0x200b, 0x206f],
    [0x3040, 0x30ff],
    [0x4e00, 0x4e80],
    [0xac00, 0xac40],
    [0xd800, 0xe010],
    [0xfe00, 0xfe0f],
    [0x1f1e6, 0x1f1ff],
    [0x1f3fb, 0x1f64f],
    [0xe0020, 0xe007f],
  ] as const
  let seed = 7
  // a linear congruential generator, so that a failure can be repeated
  const draw = (below: number): number => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 1) % below
  const listCharacters = (text: string): string => [...text.replaceAll(/[\s\u200f]/g, '')].toSorted().join('')
  for (let round = 0; round < 300; round++) {
    let text = 'a'
    for (let i = draw(30); i >= 0; i--) {
      const [first, last] = ranges[draw(ranges.length)]!
      for (let repeat = draw(4); repeat >= 0; repeat--) text += String.fromCodePoint(first + draw(last - first + 1))
    }
    const expected = text.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    const line = await set(text)
    const read = readGlyphs(line)
      .map((glyph) => glyph.text)
      .join('')
    assert.equal(listCharacters(read), listCharacters(expected), JSON.stringify(text))
    assert.ok(Number.isFinite(line.width))
  }
})

test('10,000 characters of whatever kind are wrapped within a second', async () => {
  const samples = [
    '租赁合同最终版本',
    'किराया अनुबंध ',
    'สัญญาเช่า',
    'قرارداد اجاره ',
    'aא1(',
    '👩‍💻',
    '\u202ea',
    'x',
    '\u0301',
    '\ue000',
  ]
  for (const sample of samples) {
    const text = sample.repeat(10_000 / sample.length)
    await withTypefaces([text], () => {
      const start = performance.now()
      wrapText(text, 'text', 10, 500)
      expectWithin(performance.now() - start, 3000, sample)
    })
  }
})
