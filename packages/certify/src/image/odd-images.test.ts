import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expectWithin, makeJpeg, makePng, needJudge, runJudge } from '../testing.ts'
import { makeSmallPage, streamOf } from '../testing/ambiguous-file.ts'
import { addChunkToPng } from '../testing/colour-profile.ts'
import { drawImagePage, type DrawnImagePage, nameColour } from '../testing/draw-image-page.ts'
import { writeChunk, writeRawPng } from '../testing/raw-png.ts'
import { makeSampledJpeg, type Sampling } from '../testing/sampled-jpeg.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import type { DocumentType } from '../types.ts'
import { createObjectStore } from '../pdf/object-store.ts'
import { type EmbeddedImage, embedImage } from './embed-image.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const drawPage = (bytes: Uint8Array, type: DocumentType): Promise<DrawnImagePage> =>
  drawImagePage(workshop, bytes, type)

/** Noise does not compress: such a photograph is as large as real ones are. */
async function makePhotograph(type: DocumentType, width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const picture = sharp({ create: { width, height, channels: 3, background: '#000', noise } })
  return type === 'JPEG' ? picture.jpeg({ quality: 90 }).toBuffer() : picture.png({ compressionLevel: 1 }).toBuffer()
}

/** Where the two halves and the bar of the sample picture are once it stands upright, for each Exif orientation. */
const UPRIGHT = ['', 'red blue', 'blue red', 'blue red', 'red blue', 'red/blue', 'red/blue', 'blue/red', 'blue/red']
const BAR = ['', 'top', 'top', 'bottom', 'bottom', 'left', 'right', 'right', 'left']

/** The sample picture of 320 x 200 pixels, 240 x 150 points in the middle of the page, stands as an orientation wants it. */
function expectUpright(page: DrawnImagePage, orientation: number): void {
  const isTurned = orientation >= 5
  assert.equal(page.height > page.width, isTurned, `shape of ${orientation}`)
  const [dx, dy] = isTurned ? [40 / page.width, 60 / page.height] : [60 / page.width, 40 / page.height]
  const middle = (34 + (page.height - 64) / 2) / page.height
  const centre = 1 - middle
  const found = isTurned
    ? `${nameColour(page.at(0.5, centre - dy))}/${nameColour(page.at(0.5, centre + dy))}`
    : `${nameColour(page.at(0.5 - dx, centre))} ${nameColour(page.at(0.5 + dx, centre))}`
  assert.equal(found, UPRIGHT[orientation], `halves of ${orientation}`)
  const [ex, ey] = isTurned ? [72 / page.width, 0] : [0, 72 / page.height]
  const edges = {
    top: [0.5, centre - ey],
    bottom: [0.5, centre + ey],
    left: [0.5 - ex, centre],
    right: [0.5 + ex, centre],
  }
  const green = Object.entries(edges)
    .filter(([side]) => isTurned === (side === 'left' || side === 'right'))
    .filter(([, [x, y]]) => nameColour(page.at(x!, y!)) === 'green')
    .map(([side]) => side)
  assert.deepEqual(green, [BAR[orientation]], `bar of ${orientation}`)
}

test('A photograph stands upright in all eight Exif orientations, with the data it came with', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  for (let orientation = 1; orientation <= 8; orientation++) {
    const bytes = await makeJpeg({ width: 320, height: 200, orientation })
    const page = await drawPage(bytes, 'JPEG')
    // from its tables on: how the camera was held is left out
    assert.ok(page.file.includes(bytes.subarray(bytes.indexOf('\xff\xdb', 0, 'latin1'))))
    expectUpright(page, orientation)
  }
})

test('A PNG stands upright in all eight Exif orientations, opaque or not', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  for (let orientation = 1; orientation <= 8; orientation++) {
    for (const kind of ['rgb', 'palette', 'interlaced'] as const) {
      const png = await makePng({ width: 320, height: 200, kind })
      expectUpright(await drawPage(addChunkToPng(png, makeExifChunk(orientation)), 'PNG'), orientation)
    }
  }
})

test('A PNG is not turned by what browsers pass over: an orientation behind the rows, damaged, or the second of two', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  const png = await makePng({ width: 320, height: 200 })
  const passedOver = [
    Buffer.concat([png.subarray(0, -12), makeExifChunk(6), png.subarray(-12)]),
    addChunkToPng(png, makeExifChunk(6, 1)),
    addChunkToPng(png, Buffer.concat([makeExifChunk(1), makeExifChunk(6)])),
    addChunkToPng(png, writeChunk('eXIf', Buffer.from('Exif\0\0'))),
  ]
  for (const bytes of passedOver) expectUpright(await drawPage(bytes, 'PNG'), 1)
})

/** A directory of one entry. @param damage Added to the checksum. */
function makeExifChunk(orientation: number, damage = 0): Buffer {
  return writeChunk(
    'eXIf',
    Buffer.from([
      ...Buffer.from('MM\0*'),
      0,
      0,
      0,
      8,
      0,
      1,
      1,
      0x12,
      0,
      3,
      0,
      0,
      0,
      1,
      0,
      orientation,
      0,
      0,
      0,
      0,
      0,
      0,
    ]),
    damage,
  )
}

test('A palette index beyond the palette is black, as in the thumbnail', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  const size = { width: 320, height: 200, colourType: 3 }
  const palette = writeChunk('PLTE', Buffer.from([200, 20, 20, 20, 20, 200]))
  for (const [bitDepth, beyond] of [
    [8, 200],
    [4, 0x99],
    [2, 0xff],
  ] as const) {
    const row = Buffer.concat([Buffer.of(0), Buffer.alloc((320 * bitDepth) / 8, beyond)])
    const rows = deflateSync(Buffer.concat(Array.from({ length: 200 }, () => row)))
    const bytes = writeRawPng({ ...size, bitDepth }, rows, [palette])
    assert.equal((await workshop.inspect(bytes)).ok, true)
    assert.deepEqual((await drawPage(bytes, 'PNG')).at(0.5, 0.5), [0, 0, 0], `${bitDepth} bits`)
  }
})

test('A JPEG of common sampling goes in as it is; any other is written anew, and looks the same', async (t) => {
  if (!needJudge(t, 'pdftoppm', 'qpdf')) return
  const common: Sampling[] = [
    [
      [1, 1],
      [1, 1],
      [1, 1],
    ],
    [
      [2, 1],
      [1, 1],
      [1, 1],
    ],
    [
      [1, 2],
      [1, 1],
      [1, 1],
    ],
    [
      [2, 2],
      [1, 1],
      [1, 1],
    ],
    [
      [4, 1],
      [1, 1],
      [1, 1],
    ],
    [
      [2, 2],
      [1, 2],
      [1, 2],
    ],
    [
      [2, 1],
      [2, 1],
      [2, 1],
    ],
  ]
  const odd: Sampling[] = [
    [
      [4, 2],
      [1, 1],
      [1, 1],
    ],
    [
      [3, 1],
      [1, 1],
      [1, 1],
    ],
    [
      [1, 4],
      [1, 1],
      [1, 1],
    ],
    [
      [1, 1],
      [2, 2],
      [2, 2],
    ],
    [
      [2, 2],
      [2, 1],
      [1, 2],
    ],
    [
      [1, 1],
      [2, 1],
      [1, 1],
    ],
  ]
  for (const sampling of [...common, ...odd]) {
    const bytes = makeSampledJpeg(sampling)
    const name = JSON.stringify(sampling)
    assert.deepEqual(await workshop.inspect(bytes), { ok: true, type: 'JPEG', pages: 1, isPictured: false }, name)
    const page = await drawPage(bytes, 'JPEG')
    assert.equal(page.file.includes(bytes), common.includes(sampling), name)
    const colours = [page.at(0.49, 0.5), page.at(0.51, 0.5)].map(nameColour)
    assert.deepEqual(colours, ['red', 'blue'], name)
    assert.equal((await runJudge('qpdf', '--check', page.path)).code, 0)
  }
})

test('Ink photographs look right whether Adobe wrote them inverted or another program did not', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  const adobe = await makeJpeg({ kind: 'cmyk' })
  const marker = adobe.indexOf(Buffer.from('\xff\xee\x00\x0eAdobe', 'latin1'))
  assert.ok(marker > 0, 'an Adobe marker')
  const inverted = await drawPage(adobe, 'JPEG')
  assert.equal(nameColour(inverted.at(0.42, 0.5)), 'red')
  assert.equal(nameColour(inverted.at(0.58, 0.5)), 'blue')
  // without the marker the same numbers mean the opposite inks
  const plain = await drawPage(Buffer.concat([adobe.subarray(0, marker), adobe.subarray(marker + 16)]), 'JPEG')
  assert.notEqual(nameColour(plain.at(0.42, 0.5)), 'red')
  assert.ok(!plain.file.includes('/Decode'))
  assert.ok(inverted.file.includes('/Decode'))
})

test('A transparent PNG keeps its transparency as a mask of its own', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  for (const kind of ['alpha', '16bit-alpha'] as const) {
    const page = await drawPage(await makePng({ kind }), 'PNG')
    assert.ok(page.file.includes('/SMask'), kind)
    assert.deepEqual(page.at(0.39, 0.5), [255, 255, 255], `${kind}: paper shows through`)
    assert.equal(nameColour(page.at(0.46, 0.5)), 'red', kind)
  }
})

test('Photographs of 12 megapixels go in without being decoded: quickly, and as large as they were', async () => {
  const base = await workshop.certify([await workshop.addOriginal(await makePng({ width: 4, height: 4 }), 'PNG')])
  for (const type of ['JPEG', 'PNG'] as const) {
    const bytes = await makePhotograph(type, 4000, 3000)
    const times: number[] = []
    let image: EmbeddedImage | undefined
    for (let run = 0; run < 3; run++) {
      const begin = performance.now()
      image = await embedImage(createObjectStore(), bytes, type)
      times.push(performance.now() - begin)
    }
    // taking such a PNG apart and packing it again costs seconds
    expectWithin(Math.min(...times), 200, type)
    assert.deepEqual([image?.width, image?.height], [4000, 3000])
    const built = await workshop.certify([await workshop.addOriginal(bytes, type)])
    const added = built.sizeBytes - base.sizeBytes
    assert.ok(added <= bytes.length * 1.02, `${type}: ${added} of ${bytes.length}`)
  }
})

test('A JPEG whose data are damaged is refused although its end is there; bytes behind the data are not damage', async () => {
  const clean = await makePhotograph('JPEG', 900, 700)
  const half = Math.floor(clean.length / 2)
  const end = clean.subarray(-2)
  const missing = Buffer.concat([clean.subarray(0, half), end])
  const overwritten = Buffer.from(clean).fill(0xff, half, half + 400)
  const interrupted = Buffer.from(clean)
  interrupted.set([0xff, 0xd3], half)
  for (const damaged of [missing, overwritten, interrupted]) {
    const verdict = await workshop.inspect(damaged)
    assert.ok(!verdict.ok && ['truncated', 'unreadable'].includes(verdict.reason))
  }
  const padded = [
    Buffer.concat([clean, Buffer.alloc(2000, 7)]),
    Buffer.concat([clean.subarray(0, -2), Buffer.alloc(20, 7), end]),
  ]
  for (const bytes of [clean, ...padded])
    assert.deepEqual(await workshop.inspect(bytes), { ok: true, type: 'JPEG', pages: 1, isPictured: false })
})

/** With its end, but without some of the data before it. */
function cutBeforeEnd(jpeg: Buffer, bytes: number): Buffer {
  return Buffer.concat([jpeg.subarray(0, jpeg.length - 2 - bytes), Buffer.from([0xff, 0xd9])])
}

test('a photograph without the last of its rows is refused as truncated', async () => {
  for (const [width, height] of [
    [800, 601],
    // more than is decoded as it is
    [5200, 5001],
  ] as const) {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const picture = sharp({ create: { width, height, channels: 3, background: '#000', noise } })
    const jpeg = await picture.jpeg({ quality: 60 }).toBuffer()
    assert.deepEqual(await workshop.inspect(jpeg), { ok: true, type: 'JPEG', pages: 1, isPictured: false })
    for (const bytes of [40, 400])
      assert.deepEqual(await workshop.inspect(cutBeforeEnd(jpeg, bytes)), { ok: false, reason: 'truncated' })
  }
  const rows = (count: number): Buffer => Buffer.alloc(count * 301, 0)
  const png = (count: number): Buffer =>
    writeRawPng({ width: 100, height: 400, colourType: 2 }, deflateSync(rows(count)))
  assert.deepEqual(await workshop.inspect(png(400)), { ok: true, type: 'PNG', pages: 1, isPictured: false })
  assert.equal((await workshop.inspect(png(399))).ok, false)
})

test('a JPEG within a PDF with a fault within its data is refused: readers show all, a part or nothing of it', async () => {
  const jpeg = await makePhotograph('JPEG', 160, 120)
  const wrap = (data: Buffer, filter = '/DCTDecode', packed = data): Buffer =>
    makeSmallPage({
      content: 'q 160 0 0 120 20 20 cm /Im Do Q',
      resources: '/XObject << /Im 6 0 R >>',
      more: [
        streamOf(
          packed.toString('latin1'),
          `/Type /XObject /Subtype /Image /Width 160 /Height 120 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter ${filter}`,
        ),
      ],
    })
  const middle = jpeg.length >> 1
  const damaged = Buffer.concat([jpeg.subarray(0, middle), Buffer.from([0xff, 0xd3]), jpeg.subarray(middle)])
  const taken = { ok: true, type: 'PDF', pages: 1, isPictured: false }
  const refused = { ok: false, reason: 'unreadable' }
  assert.deepEqual(await workshop.inspect(wrap(jpeg)), taken)
  assert.deepEqual(await workshop.inspect(wrap(jpeg, '[/FlateDecode /DCTDecode]', deflateSync(jpeg))), taken)
  const inline = (data: Buffer, name = '/DCT'): Buffer =>
    makeSmallPage({
      content: `q 160 0 0 120 20 20 cm BI /W 160 /H 120 /BPC 8 /CS /RGB /F [/AHx ${name}] ID ${data.toString('hex')}> EI Q`,
    })
  assert.deepEqual(await workshop.inspect(inline(jpeg)), taken)
  // what looks for its name need not read escapes
  assert.deepEqual(await workshop.inspect(inline(jpeg, '/#44CT')), { ...taken, isPictured: true })
  for (const data of [damaged, cutBeforeEnd(jpeg, 40), cutBeforeEnd(jpeg, 2000)]) {
    assert.deepEqual(await workshop.inspect(inline(data)), refused)
    assert.deepEqual(await workshop.inspect(wrap(data)), refused)
    assert.deepEqual(await workshop.inspect(wrap(data, '[/FlateDecode /DCTDecode]', deflateSync(data))), refused)
  }
})
