import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { deflateSync } from 'node:zlib'
import { PdfArray, PdfName, PdfStream } from '@libpdf/core'
import { deflateZeros, encodeAscii85, lzwZeros, runLengthZeros } from '../testing/hostile/inflating-data.ts'
import { decodeText } from './decode-ascii.ts'
import { exceedsBytes } from './measure-stream.ts'

const MEBIBYTE = 1 << 20

function makeFiltered(data: Uint8Array | string, ...labels: string[]): PdfStream {
  const filters = new PdfArray(labels.map((label) => PdfName.of(label)))
  return PdfStream.fromDict({ Filter: filters }, Buffer.from(data as string, 'latin1'))
}

/** The stream is not said to exceed what it becomes, and is said to exceed one byte less. */
async function expectBytes(stream: PdfStream, bytes: number): Promise<void> {
  assert.equal(await exceedsBytes(stream, bytes, (object) => object), false, `more than ${bytes}`)
  assert.equal(await exceedsBytes(stream, bytes - 1, (object) => object), true, `no more than ${bytes - 1}`)
}

test('Streams are measured to the byte, whatever compresses them', async () => {
  await expectBytes(makeFiltered(deflateZeros(3), 'FlateDecode'), 3 * MEBIBYTE)
  await expectBytes(makeFiltered(runLengthZeros(2), 'RL'), 2 * MEBIBYTE)
  // one cycle of codes: a zero, then runs of 2, 3, … 3838 zeros
  await expectBytes(makeFiltered(lzwZeros(2), 'LZWDecode'), 2 * ((3838 * 3839) / 2))
  await expectBytes(makeFiltered(encodeAscii85(deflateZeros(2)), 'A85', 'Fl'), 2 * MEBIBYTE)
  await expectBytes(makeFiltered(`${deflateZeros(2).toString('hex')}>`, 'ASCIIHexDecode', 'FlateDecode'), 2 * MEBIBYTE)
  await expectBytes(makeFiltered(deflateSync(deflateZeros(5)), 'FlateDecode', 'FlateDecode'), 5 * MEBIBYTE)
})

test('Image codecs and data without a filter are as long as they are', async () => {
  for (const labels of [[], ['DCTDecode'], ['JPXDecode'], ['Unheard']]) {
    const stream = makeFiltered(randomBytes(5000), ...labels)
    assert.equal(await exceedsBytes(stream, 100_000_000, (object) => object), false)
  }
})

test('Broken deflate counts as far as it can be read', async () => {
  const broken = deflateSync(randomBytes(400_000))
  broken.fill(0xff, 200_000)
  assert.equal(await exceedsBytes(makeFiltered(broken, 'FlateDecode'), 400_000, (object) => object), false)
})

test('Bytes written as text are read back, whole groups and rests, with white space between', () => {
  for (const length of [0, 1, 2, 3, 4, 5, 403]) {
    const bytes = length === 403 ? Buffer.concat([Buffer.alloc(40), randomBytes(363)]) : randomBytes(length)
    const spaced = encodeAscii85(bytes).replaceAll(/(.{7})/g, '$1\n')
    assert.deepEqual(Buffer.from(decodeText(Buffer.from(spaced), 'ASCII85Decode')!), bytes)
    assert.deepEqual(Buffer.from(decodeText(Buffer.from(`${bytes.toString('hex')} >ff`), 'AHx')!), bytes)
  }
})
