import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { makeSmallPage, streamOf } from '../testing/ambiguous-file.ts'
import { ADOBE, addProfileToJpeg, makeProfile, SWAPPED } from '../testing/colour-profile.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import { segment } from '../testing/jpeg-segments.ts'
import { adobeSegment, makeSmallJpeg } from '../testing/small-jpeg.ts'
import type { DocumentType } from '../types.ts'
import { dropJpegMarks } from './drop-jpeg-marks.ts'

const JFIF = segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0])
const COMMENT = segment(0xfe, [...Buffer.from('so it is')])
const BRIGHTER = segment(0xe2, [...Buffer.from('MPF\0'), 1, 2, 3])
/** A picture that is to be turned upside down. */
const EXIF = segment(0xe1, [
  ...Buffer.from('Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x03\0\0\0\0\0\0\0', 'latin1'),
])

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

/** What of the file is a JPEG. */
async function readPrepared(bytes: Buffer, type: DocumentType): Promise<string> {
  const { path } = await workshop.prepare([await workshop.addOriginal(bytes, type)])
  const whole = (await readFile(path)).toString('latin1')
  return whole.slice(whole.indexOf('\xff\xd8'))
}

test('Of a JPEG goes what only browsers heed, wherever it stands', () => {
  const plain = makeSmallJpeg(3, { head: [...JFIF, ...COMMENT, ...adobeSegment(1)] })
  const marked = makeSmallJpeg(3, { head: [...JFIF, ...EXIF, ...COMMENT, ...adobeSegment(1), ...BRIGHTER] })
  assert.deepEqual(Buffer.from(dropJpegMarks(marked)), plain)
  assert.equal(dropJpegMarks(plain), plain)
  const scan = plain.indexOf('\xff\xda', 0, 'latin1')
  const late = Buffer.concat([plain.subarray(0, scan), Buffer.from(EXIF), plain.subarray(scan)])
  assert.deepEqual(Buffer.from(dropJpegMarks(late)), plain)
})

test('A JPEG within a PDF has no profile in the review document, which browsers would heed and readers would not', async () => {
  const jpeg = addProfileToJpeg(makeSmallJpeg(3, { head: EXIF }), makeProfile({ tags: SWAPPED }))
  const image = streamOf(
    jpeg.toString('latin1'),
    '/Type /XObject /Subtype /Image /Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode',
  )
  const bytes = makeSmallPage({
    content: 'q 160 0 0 160 20 20 cm /Im Do Q',
    resources: '/XObject << /Im 6 0 R >>',
    more: [image],
  })
  const prepared = await readPrepared(bytes, 'PDF')
  assert.ok(!prepared.includes('ICC_PROFILE'))
  assert.ok(!prepared.includes('Exif'))
})

test('A photograph keeps its profile only where the certified PDF names it too', async () => {
  const jpeg = makeSmallJpeg(3, { head: EXIF })
  const harmless = await readPrepared(addProfileToJpeg(jpeg, makeProfile({ tags: ADOBE })), 'JPEG')
  assert.equal(harmless.split('ICC_PROFILE').length, 2)
  assert.ok(!harmless.includes('Exif'))
  const swapped = await readPrepared(addProfileToJpeg(jpeg, makeProfile({ tags: SWAPPED })), 'JPEG')
  assert.ok(!swapped.includes('ICC_PROFILE'))
})
