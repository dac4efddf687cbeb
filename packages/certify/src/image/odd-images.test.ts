import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import sharp from 'sharp'
import { buildRevision0 } from '../revision0/build-revision0.ts'
import { makeJpeg, makePng, needJudge, runJudge } from '../testing.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import type { DocumentType } from '../types.ts'
import { createObjectStore } from '../pdf/object-store.ts'
import { type EmbeddedImage, embedImage } from './embed-image.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

/** Certifies one image and draws its page. @returns the colour at a place, as shares of the page. */
async function drawPage(
  bytes: Uint8Array,
  type: DocumentType,
): Promise<{ at(x: number, y: number): number[]; width: number; height: number; file: Buffer }> {
  const request = workshop.request([await workshop.addOriginal(bytes, type)])
  await buildRevision0(request)
  const { output } = await runJudge('pdftoppm', '-r', '72', '-png', '-f', '2', '-l', '2', request.outPath)
  const { data, info } = await sharp(output).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return {
    width: info.width,
    height: info.height,
    file: await readFile(request.outPath),
    at(x, y) {
      const offset = (Math.round(y * info.height) * info.width + Math.round(x * info.width)) * info.channels
      return [...data.subarray(offset, offset + 3)]
    },
  }
}

/** Noise does not compress: such a photograph is as large as real ones are. */
async function makePhotograph(type: DocumentType, width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const picture = sharp({ create: { width, height, channels: 3, background: '#000', noise } })
  return type === 'JPEG' ? picture.jpeg({ quality: 90 }).toBuffer() : picture.png({ compressionLevel: 1 }).toBuffer()
}

/** Where the two halves and the bar of the sample picture are once it stands upright, for each Exif orientation. */
const UPRIGHT = ['', 'red blue', 'blue red', 'blue red', 'red blue', 'red/blue', 'red/blue', 'blue/red', 'blue/red']
const BAR = ['', 'top', 'top', 'bottom', 'bottom', 'left', 'right', 'right', 'left']

const nameColour = ([red, green, blue]: number[]): string =>
  green! > 100 && red! < 100 ? 'green' : red! > 120 ? 'red' : blue! > 120 ? 'blue' : 'other'

test('A photograph stands upright in all eight Exif orientations, with the bytes it came with', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  for (let orientation = 1; orientation <= 8; orientation++) {
    const bytes = await makeJpeg({ width: 320, height: 200, orientation })
    const page = await drawPage(bytes, 'JPEG')
    assert.ok(page.file.includes(bytes))
    const isTurned = orientation >= 5
    assert.equal(page.height > page.width, isTurned, `shape of ${orientation}`)
    // the picture is 240 x 150 points in the middle of the page
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
  const tiny = workshop.request([await workshop.addOriginal(await makePng({ width: 4, height: 4 }), 'PNG')])
  const base = await buildRevision0(tiny)
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
    assert.ok(Math.min(...times) < 200, `${type} took ${Math.min(...times)} ms`)
    assert.deepEqual([image?.width, image?.height], [4000, 3000])
    const built = await buildRevision0(workshop.request([await workshop.addOriginal(bytes, type)]))
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
    assert.deepEqual(await workshop.inspect(bytes), { ok: true, type: 'JPEG', pages: 1 })
})
