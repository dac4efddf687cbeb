import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLOUR_JPX, GREY_JPX } from '../testing/small-jpx.ts'
import { readJpxHeader } from './jpx-header.ts'

const boxOf = (kind: string, data = ''): Buffer => {
  const box = Buffer.from(`0000${kind}${data}`, 'latin1')
  box.writeUInt32BE(box.length)
  return box
}

test('a JPEG 2000 file is read wherever it is cut, and whatever its boxes lack', () => {
  for (const whole of [GREY_JPX, COLOUR_JPX]) {
    assert.equal(readJpxHeader(whole)?.isSound, true)
    for (let length = 0; length < whole.length; length++) {
      const header = readJpxHeader(whole.subarray(0, length))
      assert.notEqual(header?.hasEnd, true, `${length} bytes`)
    }
    for (const kind of ['pclr', 'ihdr', 'cmap', 'colr', 'jp2h'])
      for (const data of ['', '\x01'])
        assert.notEqual(readJpxHeader(Buffer.concat([whole, boxOf(kind, data)]))?.isSound, undefined, kind)
  }
  assert.equal(readJpxHeader(Buffer.concat([GREY_JPX, boxOf('pclr')]))?.isSound, false)
})
