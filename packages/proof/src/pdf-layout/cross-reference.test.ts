import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeLatin1 } from '../bytes.ts'
import { readCrossReferenceStream, readCrossReferenceTable } from './cross-reference.ts'
import { readValue } from './reader.ts'

const OFFSETS = [0, 15, 0x01_02_03_04]
const ID = '<00112233445566778899AABBCCDDEEFF>'
const REST = `/Root 1 0 R/Info 2 0 R/ID[${ID}<00>]`
const FOUND = { catalog: 1, info: 2, id: '00112233445566778899aabbccddeeff' }

const readTable = (trailer: string, lines = '0000000015 00000 n\r\n0016909060 00000 n\r\n') =>
  readCrossReferenceTable(
    { bytes: writeLatin1(`xref\n0 3\n0000000000 65535 f\r\n${lines}trailer\n<<${trailer}>>\n`), at: 0 },
    OFFSETS,
  )

function readStream(widths: string, entries: number[][], rest = REST) {
  const text = `<</Type/XRef/Size ${OFFSETS.length}/W ${widths}/Length 9${rest}>>`
  const dictionary = readValue({ bytes: writeLatin1(text), at: 0 })
  assert.ok(dictionary instanceof Map)
  return readCrossReferenceStream(dictionary, Uint8Array.from(entries.flat()), OFFSETS)
}

test('a trailer tells the catalog, the document information, if any, and the first identifier', () => {
  assert.deepEqual(readTable(`/Size 3${REST}`), FOUND)
  assert.deepEqual(readTable(`/Size 3/Root 2 0 R/ID[${ID}()]`), { ...FOUND, catalog: 2, info: null })
})

test('a trailer of any other shape is refused', () => {
  const faults = [
    REST,
    `/Size 2${REST}`,
    `/Size 4${REST}`,
    `/Size (3)${REST}`,
    `/Size 3${REST}/Prev 15`,
    `/Size 3${REST}/W[1 1 1]`,
    ...['', '/Root null', '/Root 1', '/Root<<>>', '/Root/A', '/Root[1 0 R]'].map(
      (root) => `/Size 3${root}/ID[${ID}()]`,
    ),
    ...['null', '2', '<<>>', '/A'].map((info) => `/Size 3/Root 1 0 R/Info ${info}/ID[${ID}()]`),
    ...['', `/ID ${ID}`, '/ID[]', `/ID[${ID}]`, `/ID[${ID}()()]`, `/ID[${ID} 1]`, `/ID[${ID} null]`].map(
      (id) => `/Size 3/Root 1 0 R${id}`,
    ),
    ...[
      '[/0123456789abcdef()]',
      '[(0123456789abcde)()]',
      '[(0123456789abcdefg)()]',
      '[[()()()()()()()()()()()()()()()()]()]',
    ].map((id) => `/Size 3/Root 1 0 R/ID${id}`),
  ]
  for (const trailer of faults)
    assert.throws(() => readTable(trailer), { name: 'ProofError', code: 'rev0_layout' }, trailer)
})

test('a table lists every object where it was found, in order, in its one form', () => {
  const [first, second] = ['0000000015 00000 n\r\n', '0016909060 00000 n\r\n']
  for (const lines of [
    first,
    second + first,
    first + first,
    `${first}${second}${second}`,
    first + second.replace('n', 'f'),
  ])
    assert.throws(() => readTable(`/Size 3${REST}`, lines), { code: 'rev0_layout' }, lines)
})

test('a cross-reference stream is read with any width that can hold its offsets', () => {
  const [free, one, two] = [
    [0, 9, 9, 9, 9, 9],
    [1, 0, 0, 0, 15, 0],
    [1, 1, 2, 3, 4, 0],
  ]
  assert.deepEqual(readStream('[1 4 1]', [free, one, two]), FOUND)
  assert.deepEqual(
    readStream(
      '[1 4 0]',
      [free, one, two].map((entry) => entry.slice(0, 5)),
    ),
    FOUND,
  )
  assert.deepEqual(
    readStream(
      '[1 4 2]',
      [free, one, two].map((entry) => [...entry, 0]),
    ),
    FOUND,
  )
  assert.deepEqual(
    readStream('[1 6 0]', [
      [...free, 0],
      [1, 0, 0, 0, 0, 0, 15],
      [1, 0, 0, 1, 2, 3, 4],
    ]),
    FOUND,
  )
})

test('a cross-reference stream of any other shape is refused', () => {
  const [free, one, two] = [
    [0, 0, 0, 0, 0, 0],
    [1, 0, 0, 0, 15, 0],
    [1, 1, 2, 3, 4, 0],
  ]
  const faults: [widths: string, entries: number[][], rest?: string][] = [
    ['[1 4 1]', [free, one]],
    ['[1 4 1]', [free, one, two, two]],
    ['[1 4 1]', [free, one, two.slice(0, 5)]],
    ['[1 4 1]', [[1, 0, 0, 0, 0, 0], one, two]],
    ['[1 4 1]', [free, [0, ...one.slice(1)], two]],
    ['[1 4 1]', [free, [2, ...one.slice(1)], two]],
    ['[1 4 1]', [free, [1, 0, 0, 0, 16, 0], two]],
    ['[1 4 1]', [free, one, [1, 4, 3, 2, 1, 0]]],
    ['[1 4 1]', [free, one, [1, 1, 2, 3, 4, 1]]],
    ['[1 4 1]', [free, two, one]],
    ['[1 4 1]', [free, one, two], `${REST}/Prev 15`],
    ['[1 4 1]', [free, one, two], `${REST}/Index[0 3]`],
    ['[1 4 1]', [free, one, two], `${REST}/Filter/FlateDecode`],
    ['[1 4 1]', [free, one, two], ''],
    ['[0 5 1]', [free, one, two]],
    ['[2 3 1]', [free, one, two]],
    ['[1 -1 6]', [free, one, two]],
    ['[1 4.5 .5]', [free, one, two]],
    ['[1 /4 1]', [free, one, two]],
    ['[1 4]', [free, one, two].map((entry) => entry.slice(0, 5))],
    ['[1 4 -1]', [free, one, two].map((entry) => entry.slice(0, 4))],
    ['[1 4 1 0]', [free, one, two]],
    ['[1 4 3]', [free, one, two].map((entry) => [...entry, 0, 0])],
    [
      '[1 7 0]',
      [
        [...free, 0, 0],
        [1, 0, 0, 0, 0, 0, 0, 15],
        [1, 0, 0, 0, 1, 2, 3, 4],
      ],
    ],
    ['1', [free, one, two]],
  ]
  for (const [widths, entries, rest] of faults)
    assert.throws(
      () => readStream(widths, entries, rest),
      { name: 'ProofError', code: 'rev0_layout' },
      `${widths} ${entries.join(' ')} ${rest}`,
    )
})
