import assert from 'node:assert/strict'
import test from 'node:test'
import { makeJpeg } from '../testing.ts'
import { settleJpegColours } from './settle-jpeg-colours.ts'

const JFIF = Buffer.from('\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00', 'latin1')
const adobe = (transform: number): Buffer =>
  Buffer.concat([Buffer.from('\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00', 'latin1'), Buffer.of(transform)])

/** A photograph with other marks of its colours than those that it came with. */
async function markJpeg(...marks: Buffer[]): Promise<Buffer> {
  const jpeg = await makeJpeg()
  const body = [jpeg.subarray(0, 2), ...marks]
  let at = 2
  while (jpeg[at + 1] !== 0xda) {
    const end = at + 2 + jpeg.readUInt16BE(at + 2)
    if (jpeg[at + 1] !== 0xe0 && jpeg[at + 1] !== 0xee) body.push(jpeg.subarray(at, end))
    at = end
  }
  return Buffer.concat([...body, jpeg.subarray(at)])
}

test('A JPEG whose marks say the same of its colours keeps its bytes', async () => {
  for (const marks of [[], [JFIF], [adobe(1)], [JFIF, adobe(1)], [adobe(0)]]) {
    const jpeg = await markJpeg(...marks)
    assert.equal(settleJpegColours(jpeg), jpeg)
  }
})

test('A JPEG whose marks contradict each other keeps one, which says what the reviewer sees', async () => {
  const contradicting = await markJpeg(JFIF, adobe(0))
  assert.deepEqual(Buffer.from(settleJpegColours(contradicting)), await markJpeg(adobe(0)))
})

test('What a PDF says of the colours of a JPEG counts where the JPEG itself has no Adobe marker', async () => {
  assert.deepEqual(Buffer.from(settleJpegColours(await markJpeg(JFIF), 0)), await markJpeg(adobe(0)))
  assert.deepEqual(Buffer.from(settleJpegColours(await markJpeg(JFIF, adobe(1)), 0)), await markJpeg(adobe(1)))
})
