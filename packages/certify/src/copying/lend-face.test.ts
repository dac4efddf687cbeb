import { PdfArray, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import assert from 'node:assert/strict'
import test from 'node:test'
import { createObjectStore, nameOf, type ObjectStore, registerObject, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { readSfnt } from '../text/sfnt.ts'
import { lendFace } from './lend-face.ts'

/** The outline of the glyph that each code has afterwards, in bytes. */
function lend(map: string): number[] | undefined {
  const store = createObjectStore()
  const descendant = new PdfDict()
  const font = PdfDict.of({
    BaseFont: nameOf('Arial'),
    DescendantFonts: new PdfArray([registerObject(store, descendant)]),
    ToUnicode: registerObject(store, PdfStream.fromDict({}, Buffer.from(map))),
  })
  if (!lendFace(store, font, descendant)) return undefined
  const descriptor = resolveObject(store, descendant.get('FontDescriptor'))
  assert.ok(descriptor instanceof PdfDict)
  const { loca, head } = readSfnt(read(store, descriptor, 'FontFile2'))
  const isLong = head.getInt16(50) === 1
  const offset = (glyph: number): number => (isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph))
  const glyphs = Buffer.from(read(store, descendant, 'CIDToGIDMap'))
  return Array.from({ length: glyphs.length / 2 }, (_, code) => {
    const glyph = glyphs.readUInt16BE(2 * code)
    return offset(glyph + 1) - offset(glyph)
  })
}

function read(store: ObjectStore, owner: PdfDict, key: string): Uint8Array {
  const stream = resolveObject(store, owner.get(key))
  assert.ok(stream instanceof PdfStream)
  return decodeContent(store, stream, 1 << 24)!
}

test('a letter that is lent has an outline, a soft hyphen that of a hyphen, and what no face shows none', () => {
  const [, minus, soft, joiner, letter] = lend(
    '4 beginbfchar <0001> <002D> <0002> <00AD> <0003> <200D> <0004> <0041> endbfchar',
  )!
  assert.ok(minus! > 0 && letter! > minus!)
  assert.equal(soft, minus)
  assert.equal(joiner, 0)
})

test('a letter that no face of ours has is a mark that is seen', () => {
  const [, han, half, mark] = lend(
    '2 beginbfchar <0001> <6F22> <0003> <FFFD> endbfchar 1 beginbfrange <0002> <0002> [<D83D>] endbfrange',
  )!
  assert.ok(mark! > 0)
  assert.deepEqual([han, half], [mark, mark])
})

test('a font that does not say what its codes mean is lent nothing', () => {
  for (const map of [
    '',
    'beginbfchar endbfchar',
    '1 beginbfchar <zz> <0041> endbfchar',
    '1 beginbfchar <FFFFFF> <0041> endbfchar',
  ])
    assert.equal(lend(map), undefined)
  const name = PdfName.of('Arial')
  assert.equal(lendFace(createObjectStore(), PdfDict.of({ BaseFont: name, ToUnicode: name }), new PdfDict()), false)
})

test('a letter that all codes mean is lent once', () => {
  const outlines = lend('1 beginbfrange <0000> <FFFF> <0041> endbfrange 1 beginbfchar <FFFF> <0042> endbfchar')!
  assert.equal(outlines.length, 65_536)
  const same = lend(`1 beginbfrange <0000> <FFFF> [${'<0041>'.repeat(65_536)}] endbfrange`)!
  assert.equal(new Set(same).size, 1)
})
