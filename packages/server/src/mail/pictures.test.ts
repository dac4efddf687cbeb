import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { drawMark, drawProofFigure } from './rosette-picture.ts'

const PROOF = 'AAAA-BBBB-CCCC-DDDD-E'

/** Shades of a PNG of ours, row by row, and its one colour. */
function readPng(png: Buffer): { size: number; shades: number[]; colour: number[] } {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  const size = chunks.get('IHDR')?.readUInt32BE(0) ?? 0
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))
  const rowBytes = 1 + size / 2
  const shades = Array.from({ length: size * size }, (_, pixel) => {
    const [y, x] = [Math.floor(pixel / size), pixel % size]
    const pair = rows[y * rowBytes + 1 + (x >> 1)] ?? 0
    return x % 2 === 0 ? pair >> 4 : pair & 15
  })
  return { size, shades, colour: [...(chunks.get('PLTE') ?? Buffer.alloc(0)).subarray(0, 3)] }
}

test('a mail shows the product’s mark and the proof’s own figure, the same each time and small', () => {
  assert.equal(drawMark(), drawMark())
  assert.deepEqual(drawProofFigure(PROOF), drawProofFigure(PROOF))
  assert.notDeepEqual(drawProofFigure(PROOF), drawProofFigure('AAAA-BBBB-CCCC-DDDD-F'))
  assert.ok(drawMark().length < 2500, `${drawMark().length} bytes`)
  assert.ok(drawProofFigure(PROOF).length < 11_000, `${drawProofFigure(PROOF).length} bytes`)
})

test('the figure is drawn whole: transparent at its corners, with lines around its middle', () => {
  const { size, shades } = readPng(drawProofFigure(PROOF))
  const at = (x: number, y: number) => shades[y * size + x]
  for (const corner of [at(0, 0), at(size - 1, 0), at(0, size - 1), at(size - 1, size - 1)]) assert.equal(corner, 0)
  const quarters = [0, 0, 0, 0]
  for (const [pixel, shade] of shades.entries()) {
    const quarter = (pixel % size < size / 2 ? 0 : 1) + (pixel < shades.length / 2 ? 0 : 2)
    quarters[quarter] = (quarters[quarter] ?? 0) + shade
  }
  const [least, most] = [Math.min(...quarters), Math.max(...quarters)]
  assert.ok(least > size * 7 && most < least * 1.3, String(quarters))
  assert.ok(shades.some((shade) => shade >= 6))
})

test('a mail’s pictures stand out on light and on dark paper alike (3:1, WCAG 1.4.11)', () => {
  for (const png of [drawMark(), drawProofFigure(PROOF)])
    for (const ground of [0xf6f4ee, 0xfffefb, 0x12161c, 0x1a1f27]) {
      const { colour } = readPng(png)
      const paper = [ground >> 16, (ground >> 8) & 255, ground & 255]
      const [darker, lighter] = [measureLight(colour), measureLight(paper)].sort((a, b) => a - b)
      const contrast = ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
      assert.ok(contrast >= 3, `${colour.join()} on ${paper.join()}: ${contrast}`)
    }
})

/** Relative luminance (WCAG 2.2). */
function measureLight(colour: number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
