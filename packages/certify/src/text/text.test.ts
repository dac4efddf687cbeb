import assert from 'node:assert/strict'
import test from 'node:test'
import { createObjectStore } from '../pdf/object-store.ts'
import { createInk, drawLine, embedInk } from './ink.ts'
import type { ShapedLine } from './shape-line.ts'
import type { PlacedGlyph } from './shape-run.ts'
import { subsetFont } from './subset-font.ts'
import { loadTypeface, type TextStyle } from './typefaces.ts'
import { clampText, setLine, wrapText } from './wrap-lines.ts'

const STYLES: TextStyle[] = ['heading', 'text', 'strong', 'mono', 'monoStrong']
const readGlyphs = (line: ShapedLine): PlacedGlyph[] => line.runs.flat()
const PERSIAN = 'قرارداد اجارهٔ آپارتمان'

test('Latin with accents, Greek, Cyrillic, Vietnamese, Arabic and Persian never become an empty box, in any style', () => {
  const samples = [
    'Übergabe façade Łódź Čeština',
    'Ελληνικά',
    'Привет',
    'Tiếng Việt Đường',
    PERSIAN,
    'عقد إيجار',
    '۱۴۰۵ ١٢٣',
    '«»–—…№€',
  ]
  for (const style of STYLES) {
    for (const text of samples) {
      const line = setLine(text, style)
      assert.ok(
        readGlyphs(line).every(({ glyph }) => glyph !== 0),
        `${style}: ${text}`,
      )
      assert.ok(!readGlyphs(line).some(({ text: shown }) => shown.includes('\ufffd')), `${style}: ${text}`)
    }
  }
})

test('Characters that no face has are shown as a replacement mark and keep their text for copying', () => {
  const line = setLine('চু \ue000 x', 'text')
  const mark = readGlyphs(setLine('\ufffd', 'text'))[0]!.glyph
  const marks = readGlyphs(line).filter(({ glyph }) => glyph === mark)
  assert.deepEqual(
    marks.map(({ text }) => text),
    ['চু', '\ue000'],
  )
  assert.equal(line.text, 'চু \ue000 x')
})

test('Lone surrogates, control characters and direction overrides are set without a crash', () => {
  for (const text of ['\ud800', '\u0000\u0007', '\u202eabc', '\u2066\u2069', '', ' ', '\u0301', '\u200d\u200c', '👍🏽']) {
    for (const style of STYLES) assert.ok(Number.isFinite(setLine(text, style).width))
  }
})

test('A Proof ID is set one glyph a character: no ligature swallows its dash or its check symbol', () => {
  const proofIds = ['-~', '-=', '-$', '-*', '-U'].map((end) => `7ZQK-3M9D-XW2C-VB4T${end}`)
  for (const style of ['mono', 'monoStrong'] as const) {
    for (const text of [...proofIds, 'https://proof.example/service-content', '0xff 1->2 != ~~ www']) {
      const shaped = readGlyphs(setLine(text, style))
      const alone = [...text].map((character) => readGlyphs(setLine(character, style))[0]!.glyph)
      assert.deepEqual(
        shaped.map(({ glyph }) => glyph),
        alone,
        `${style}: ${text}`,
      )
      assert.equal(shaped.map((glyph) => glyph.text).join(''), text)
    }
  }
})

test('Arabic letters are joined: inside a word they have other forms than alone', () => {
  const word = setLine('محمد', 'text')
  const forms = new Set(readGlyphs(word).map(({ glyph }) => glyph))
  const isolated = new Set(
    [...'محمد'].flatMap((letter) => readGlyphs(setLine(letter, 'text')).map(({ glyph }) => glyph)),
  )
  assert.ok([...forms].some((glyph) => !isolated.has(glyph)))
})

test('A right-to-left line runs from right to left, with Latin and digits inside it from left to right', () => {
  const line = setLine('قرارداد v2 نسخه', 'text')
  assert.equal(line.isRightToLeft, true)
  const left = (part: string): number => readGlyphs(line).find(({ text }) => text.startsWith(part))!.x
  assert.ok(left('ق') > left('v') && left('v') > left('ن'))
  assert.ok(left('2') > left('v'))
})

test('A left-to-right line keeps its direction although it ends in Persian', () => {
  const line = setLine('File of سارا', 'text')
  assert.equal(line.isRightToLeft, false)
  const left = (part: string): number => readGlyphs(line).find(({ text }) => text.startsWith(part))!.x
  assert.ok(left('F') < left('س') && left('س') > left('ا'))
})

test('Lines are no wider than asked, and nothing is lost between them', () => {
  const texts = [
    'The quick brown fox jumps over the lazy dog, again and again, until the line is full.',
    PERSIAN.repeat(6),
    'an_unbroken_file_name-'.repeat(12) + 'x'.repeat(200),
    `${PERSIAN} and Latin `.repeat(8),
  ]
  for (const text of texts) {
    for (const width of [60, 140, 400]) {
      const lines = wrapText(text, 'text', 10, width)
      for (const line of lines) assert.ok((line.width * 10) / 1000 <= width + 1, `${line.text} in ${width}`)
      const joined = lines.map((line) => line.text).join('')
      assert.equal(joined.replaceAll(/\s/g, ''), text.replaceAll(/\s/g, ''))
    }
  }
})

test('Line breaks in the text stay', () => {
  assert.deepEqual(
    wrapText('one\ntwo\r\nthree', 'text', 10, 400).map((line) => line.text),
    ['one', 'two', 'three'],
  )
})

test('Text that is too long ends in an ellipsis on its last line', () => {
  const lines = clampText('word '.repeat(200), 'text', 10, 100, 3)
  assert.equal(lines.length, 3)
  assert.ok(lines[2]!.text.endsWith('…'))
  assert.ok((lines[2]!.width * 10) / 1000 <= 100)
})

test('Pitfall 9: a font in the file holds the outlines of the used glyphs alone', () => {
  const face = loadTypeface('noto')
  const few = subsetFont(
    face.bytes,
    readGlyphs(setLine('Đ', 'text')).map(({ glyph }) => glyph),
  )
  assert.ok(few.length < face.bytes.length / 10)
  assert.ok(
    Buffer.from(subsetFont(face.bytes, [36])).equals(Buffer.from(subsetFont(face.bytes, [36]))),
    'always the same',
  )
})

test('Each face is embedded once, with its characters for copying out', () => {
  const store = createObjectStore()
  const ink = createInk(store)
  const operators =
    drawLine(ink, setLine('Grüße', 'text'), 10, 20, 12) + drawLine(ink, setLine(PERSIAN, 'text'), 10, 40, 12)
  embedInk(ink, store)
  assert.equal([...ink.fonts.keys()].length, 2)
  assert.equal(operators.match(/ TJ$/gm)!.length, 2)
})
