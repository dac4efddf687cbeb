import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLatin1, writeLatin1 } from '../bytes.ts'
import type { PdfValue } from './objects.ts'
import { isAt, readValue, readWholeNumber, skipText, type Cursor } from './reader.ts'

const at = (text: string, references?: Map<number, number>): Cursor => ({
  bytes: writeLatin1(text),
  at: 0,
  ...(references && { references }),
})
const rest = (cursor: Cursor) => readLatin1(cursor.bytes, cursor.at)
const name = (text: string): PdfValue => ({ kind: 'name', text })
const reference = (object: number): PdfValue => ({ kind: 'reference', object })
const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** Text, the value it starts with, and what is left of it afterwards. ISO 32000-2 section 7.3. */
const VALUES: [text: string, value: PdfValue, rest: string][] = [
  ['null\n', null, '\n'],
  ['true/A', true, '/A'],
  ['false]', false, ']'],
  ['\0\t\n\f\r 7 ', 7, ' '],
  ['0', 0, ''],
  ['007', 7, ''],
  ['-1', -1, ''],
  ['+2.5>', 2.5, '>'],
  ['-.5', -0.5, ''],
  ['4.', 4, ''],
  ['/Type/Page', name('Type'), '/Page'],
  ['/A#42#7a(', name('ABz'), '('],
  ['/A#4', name('A#4'), ''],
  ['/ 1', name(''), ' 1'],
  ['/A\0B', name('A'), '\0B'],
  ['/A{', name('A'), '{'],
  ['/A%', name('A'), '%'],
  ['()', '', ''],
  ['(a(b(c))d)e)', 'a(b(c))d', 'e)'],
  ['(\\n\\r\\t\\b\\f\\(\\)\\\\\\x)', '\n\r\t\b\f()\\x', ''],
  ['(\\101\\1011\\1019\\7\\08\\78\\400\\377)', 'AA1A9\u0007\u00008\u00078\u0000\u00FF', ''],
  ['(\\8\\9\\/)', '89/', ''],
  ['(a\r\nb\rc\nd\n\re)', 'a\nb\nc\nd\n\ne', ''],
  ['(a\\\r\nb\\\rc\\\nd\\\n\ne)', 'abcd\ne', ''],
  ['(\u00E9\u0000)', '\u00E9\0', ''],
  ['<>', '', ''],
  ['<414a4A>0', 'AJJ', '0'],
  ['<4 1\t4\n2\f4\r3\0>', 'ABC', ''],
  ['<417>', 'Ap', ''],
  ['[]', [], ''],
  ['[ 1[2 ]/A(b)<63>null ]x', [1, [2], name('A'), 'b', 'c', null], 'x'],
  ['<<>>>', new Map(), '>'],
  [
    '<< /A 1/B<</C[]>> /D null>>',
    new Map<string, PdfValue>([
      ['A', 1],
      ['B', new Map([['C', []]])],
      ['D', null],
    ]),
    '',
  ],
  ['12 0 R', reference(12), ''],
  ['12\n00\t0 R', 12, '\n00\t0 R'],
  ['12 0 RX', 12, ' 0 RX'],
  ['12 0 obj', 12, ' 0 obj'],
  ['[1 0 R 2 3 0 R]', [reference(1), 2, reference(3)], ''],
  ['12 -0 R', 12, ' -0 R'],
  ['12 .0 R', 12, ' .0 R'],
  ['1. 0 R', 1, ' 0 R'],
]

for (const [text, value, left] of VALUES)
  test(`${JSON.stringify(text)} is read as PDF has it, and not a byte further`, () => {
    const cursor = at(text)
    assert.deepEqual(readValue(cursor), value)
    assert.equal(rest(cursor), left)
  })

const FAULTS = ['', ' ', '(', '(a', '(a(b)', '(a\\', '<', '<41', '<4G>', '<4-1>', '<4%1>', '<4\v1>', '[', '[1', '[1 2)']
FAULTS.push('<<', '<</A', '<</A 1', '<</A 1>', '<<1 2>>', '<<(A) 1>>', '<</A>>', '<</A 1/B>>', '<</A 1/A 1>>')
FAULTS.push(
  '<</A 1/#41 1>>',
  '1 1 R',
  '1 10 R',
  '%',
  '% x\n1',
  '{',
  '}',
  ')',
  '>',
  '>>',
  ']',
  '+',
  '-',
  '.',
  '--1',
  '+-1',
)
FAULTS.push('1.2.3', '1-', '1e5', '0x1', 'Null', 'TRUE', 'truefalse', 'R', 'xnull', 'nullx', '1a', 'a1', '-.', '1..')

test('what is no value, or has no end, is refused', () => {
  for (const text of FAULTS)
    assert.throws(() => readValue(at(text)), { name: 'ProofError', code: 'rev0_layout' }, JSON.stringify(text))
})

test('values are nested 501 deep at most', () => {
  assert.ok(readValue(at(nest(501))))
  assert.throws(() => readValue(at(nest(502))), { code: 'rev0_layout' })
  const nestKeys = (depth: number) => '<</A '.repeat(depth) + '1' + '>>'.repeat(depth)
  assert.ok(readValue(at(nestKeys(500))))
  assert.throws(() => readValue(at(nestKeys(501))), { code: 'rev0_layout' })
})

test('every reference is counted, and what only looks like one is not', () => {
  const references = new Map<number, number>()
  readValue(at('[1 0 R 2 0 R<</A 1 0 R>> 3 0 (4 0 R)]', references))
  assert.deepEqual(
    [...references],
    [
      [1, 2],
      [2, 1],
    ],
  )
})

test('a refusal quotes no more than the beginning of what it found', () => {
  assert.throws(
    () => readValue(at('x'.repeat(1000))),
    (error: Error) => error.message.length < 100,
  )
})

test('a whole number has its shortest form and at most 15 digits', () => {
  for (const [text, number, left] of [
    ['0', 0, ''],
    ['10 0 obj', 10, ' 0 obj'],
    ['999999999999999', 999_999_999_999_999, ''],
    ['12/', 12, '/'],
    ['12:', 12, ':'],
  ] as const) {
    const cursor = at(text)
    assert.equal(readWholeNumber(cursor), number)
    assert.equal(rest(cursor), left)
  }
  for (const text of ['', ' 1', '-1', '+1', '01', '00', 'a', '/', ':', '1000000000000000', '9'.repeat(400)])
    assert.throws(() => readWholeNumber(at(text)), { name: 'ProofError', code: 'rev0_layout' }, text)
})

test('text is stepped over only where exactly it stands', () => {
  const cursor = at('xref\n0 1')
  assert.ok(isAt(cursor, 'xref') && isAt(cursor, 'xref\n0 1') && isAt(cursor, ''))
  for (const text of ['xreF', 'ref', 'xref\n0 12']) {
    assert.ok(!isAt(cursor, text))
    assert.throws(() => skipText(cursor, text), { code: 'rev0_layout' })
    assert.equal(cursor.at, 0)
  }
  skipText(cursor, 'xref\n')
  assert.equal(rest(cursor), '0 1')
})

test('a number has at most 64 characters, and a longer word takes no longer than others', () => {
  const cursor = at(`0.${'0'.repeat(61)}1 `)
  assert.equal(readValue(cursor), 1e-62)
  for (const digits of [65, 400_000])
    for (const word of ['1'.repeat(digits), `${'1'.repeat(digits)}x`, `1.${'1'.repeat(digits)}`]) {
      const began = performance.now()
      assert.throws(() => readValue(at(word)), { code: 'rev0_layout' })
      assert.ok(performance.now() - began < 1000)
    }
})

test('of a long string the first 4096 bytes are kept, and all of it is looked at', () => {
  const long = 'a'.repeat(5000)
  for (const text of [`(${long}) x`, `<${'61'.repeat(5000)}> x`, `(${'\\141'.repeat(5000)}) x`]) {
    const cursor = at(text)
    assert.equal(readValue(cursor), 'a'.repeat(4096))
    assert.equal(rest(cursor), ' x')
  }
  for (const text of [`(${long}`, `(${long}(a)`, `<${'61'.repeat(5000)}`, `<${'61'.repeat(5000)}g>`])
    assert.throws(() => readValue(at(text)), { code: 'rev0_layout' })
})

test('a word has at most 65,536 bytes, also as a name, a key and where a reference may stand', () => {
  assert.deepEqual(readValue(at(`/${'A'.repeat(65_536)} `)), name('A'.repeat(65_536)))
  const long = '#41'.repeat(21_846)
  for (const text of [`/${long}`, `<</${long} 1>>`, `[1 ${'1'.repeat(65_537)}]`, `[1 0 ${'R'.repeat(65_537)}]`])
    assert.throws(() => readValue(at(text)), { code: 'rev0_layout', message: /a word too long/ }, text.slice(0, 9))
})

test('one object holds so many values at most; containers, which take more memory than others, count for ten', () => {
  assert.ok(readValue(at(`[${'1 '.repeat(2_999_989)}]`)))
  for (const many of ['1 '.repeat(2_999_990), '[]'.repeat(299_999), '<<>>'.repeat(299_999)])
    assert.throws(() => readValue(at(`[${many}]`)), { code: 'rev0_layout', message: /too many values/ })
  const cursor = at(`[${'[]'.repeat(200_000)}][${'[]'.repeat(200_000)}]`)
  assert.ok(readValue(cursor) && readValue(cursor), 'each object anew')
})
