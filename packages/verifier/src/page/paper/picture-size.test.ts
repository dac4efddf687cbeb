import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPictureSize } from './picture-size.ts'

const read = (...parts: (string | number[] | Buffer)[]) => readPictureSize(new Blob([join(...parts)]))
const join = (...parts: (string | number[] | Buffer)[]): Buffer<ArrayBuffer> =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
const START = [0xff, 0xd8]
/** 0x1234 by 0x0321 */
const FRAME = [0xff, 0xc2, 0, 17, 8, 0x03, 0x21, 0x12, 0x34, 3, 1, 0x22, 0]
const SIZE = { width: 0x1234, height: 0x0321 }
const segment = (marker: number, length: number): Buffer =>
  join([0xff, marker, (length + 2) >> 8, (length + 2) & 0xff], Buffer.alloc(length, 0xff))

test('16.23 the size of a picture is read from its header, whatever stands before it', async () => {
  assert.deepEqual(await read(PNG, [0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x21, 1, 0]), { width: 20_000, height: 20_001 })
  const before = [
    segment(0xe0, 14),
    segment(0xe1, 60_000),
    segment(0xdb, 65),
    [0xff, 0xff],
    segment(0xfe, 0),
    segment(0xc4, 30),
  ]
  assert.deepEqual(await read(START, ...before, FRAME), SIZE)
  assert.deepEqual(await read(START, [0xff, 0xff, 0xff, 0xd0, 0xff, 0x01], FRAME), SIZE)
  const vp8 = ['RIFF\0\0\0\0WEBPVP8 ', [9, 9, 9, 9, 0, 0, 0, 0x9d, 0x01, 0x2a, 0x34, 0x52, 0x21, 0x43]]
  assert.deepEqual(await read(...vp8), SIZE)
  // of 14 bits each, one less than it is: 16,384 by 2
  const vp8l = ['RIFF\0\0\0\0WEBPVP8L', [9, 9, 9, 9, 0x2f, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0]]
  assert.deepEqual(await read(...vp8l), { width: 16_384, height: 2 })
  const vp8x = ['RIFF\0\0\0\0WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0x1f, 0x4e, 1, 1, 0, 0]]
  assert.deepEqual(await read(...vp8x), { width: 0x1_4e20, height: 2 })
})

test('16.23 what does not say how large it is, or is read otherwise by others, has no size', async () => {
  const nothing: (string | number[] | Buffer)[][] = [
    [],
    ['no picture'],
    ['GIF89a', [1, 0, 1, 0]],
    ['BM', Buffer.alloc(60)],
    ['\0\0\0\x1cftypavif', Buffer.alloc(60)],
    ['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    [PNG, [0, 0, 1]],
    [PNG.replace('IHDR', 'IEND'), Buffer.alloc(20, 1)],
    [PNG, Buffer.alloc(20)],
    ['RIFF\0\0\0\0WEBPALPH', Buffer.alloc(20, 1)],
    [START],
    [START, [0xff, 0xd9], FRAME],
    [START, segment(0xda, 8), FRAME],
    // A frame without a height, which comes only behind the picture.
    [START, [0xff, 0xc0, 0, 17, 8, 0, 0, 0x12, 0x34]],
    // Decoders skip these two and read on at once; whoever takes them for a length would miss the frame behind them.
    [START, [0xff, 0x00, 0, 40], Buffer.alloc(38), FRAME],
    [START, [0, 0], FRAME],
    [START, [0xff, 0xe0, 0, 0], FRAME],
    [START, segment(0xf0, 4), FRAME],
    [START, ...Array<Buffer>(3000).fill(segment(0xfe, 0)), FRAME],
  ]
  for (const parts of nothing) assert.equal(await read(...parts), undefined, JSON.stringify(parts).slice(0, 60))
})
