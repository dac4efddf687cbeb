import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { CertifyError } from '../errors.ts'
import { openCertifyPool, type CertifyPool } from '../pool.ts'
import { openProcessFleet } from '../processes/process-fleet.ts'
import {
  expectWithin,
  makeJpeg,
  makePdf,
  makePixelBomb,
  makePng,
  makeProtectedPdf,
  makeTruncatedImage,
  PATIENT,
} from '../testing.ts'
import {
  makeFormWithoutAppearance,
  makeHiddenLayer,
  makeOnePage,
  makePageLoop,
  makeSlowPdf,
  makeTurnedPage,
} from '../testing/odd-pdfs.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import type { DocumentType } from '../types.ts'
import { THUMBNAIL_AIM_BYTES, THUMBNAIL_SIDE } from './limits.ts'

let workshop: Workshop
let pool: CertifyPool
let count = 0

before(async () => {
  workshop = await openWorkshop()
  pool = openCertifyPool({ keysDir: workshop.folder, threads: 1, limits: PATIENT })
})
after(async () => {
  await pool.close()
  await workshop.close()
})

async function store(bytes: Uint8Array): Promise<string> {
  const path = join(workshop.folder, `upload-${(count += 1)}`)
  await writeFile(path, bytes)
  return path
}

async function draw(bytes: Uint8Array, type: DocumentType): Promise<Uint8Array | undefined> {
  return pool.drawThumbnail(await store(bytes), type)
}

interface Looked {
  width: number
  height: number
  /** Colour at shares of width and height. */
  at(x: number, y: number): number[]
  /** Whether anything dark stands in a part of it, by shares. */
  hasInk(left: number, top: number, right: number, bottom: number): boolean
}

async function look(picture: Uint8Array | undefined): Promise<Looked> {
  assert.ok(picture, 'no thumbnail')
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  assert.equal((await sharp(picture).metadata()).format, 'webp')
  const { width, height } = info
  const pixel = (x: number, y: number) => [...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)]
  return {
    width,
    height,
    at: (x, y) => pixel(Math.floor(x * (width - 1)), Math.floor(y * (height - 1))),
    hasInk(left, top, right, bottom) {
      for (let y = Math.floor(top * height); y < bottom * height; y++)
        for (let x = Math.floor(left * width); x < right * width; x++) if (Math.max(...pixel(x, y)) < 160) return true
      return false
    },
  }
}

const drawAndLook = async (bytes: Uint8Array, type: DocumentType) => look(await draw(bytes, type))

function expectColour(actual: number[], expected: number[]): void {
  const isNear = actual.every((value, channel) => Math.abs(value - (expected[channel] ?? 0)) < 40)
  assert.ok(isNear, `${actual.join(' ')} is not ${expected.join(' ')}`)
}

const [RED, BLUE, GREEN, WHITE] = [
  [200, 20, 20],
  [20, 20, 200],
  [0, 160, 0],
  [255, 255, 255],
]

test('The first page of a PDF is drawn small on white paper', async () => {
  const page = await drawAndLook(makePdf({ pages: 3 }), 'PDF')
  assert.deepEqual([page.width, page.height], [226, THUMBNAIL_SIDE])
  expectColour(page.at(0.5, 0.5), WHITE)
  assert.ok(page.hasInk(0.1, 0.08, 0.3, 0.14))
  assert.ok(!page.hasInk(0, 0.2, 1, 1))
})

test('A page is turned and cropped as a reader shows it', async () => {
  for (const [rotate, size] of [
    [0, [240, 320]],
    [90, [320, 240]],
    [180, [240, 320]],
    [270, [320, 240]],
  ] as const) {
    const page = await drawAndLook(makeTurnedPage(rotate), 'PDF')
    assert.deepEqual([page.width, page.height], size, `${rotate}°`)
    // The words stand above the middle of the page, at its start.
    const half = { 0: [0, 0, 1, 0.5], 90: [0.5, 0, 1, 1], 180: [0, 0.5, 1, 1], 270: [0, 0, 0.5, 1] } as const
    assert.ok(page.hasInk(...(half[rotate] as [number, number, number, number])), `${rotate}°`)
  }
})

test('Annotations and fields are drawn as shown, hidden ones and hidden layers are not', async () => {
  const mark = (flags: number) =>
    makeOnePage({
      content: '',
      page: '/Annots [6 0 R]',
      more: [
        `<< /Type /Annot /Subtype /Stamp /F ${flags} /Rect [0 0 595 400] /AP << /N 7 0 R >> >>`,
        '<< /Type /XObject /Subtype /Form /BBox [0 0 595 400] /Length 26 >>\nstream\n0 0 1 rg 0 0 595 400 re f \nendstream',
      ],
    })
  expectColour((await drawAndLook(mark(4), 'PDF')).at(0.5, 0.8), [0, 0, 255])
  expectColour((await drawAndLook(mark(2), 'PDF')).at(0.5, 0.8), WHITE)
  assert.ok((await drawAndLook(makeFormWithoutAppearance(), 'PDF')).hasInk(0.1, 0.25, 0.5, 0.3))
  assert.ok(!(await drawAndLook(makeHiddenLayer(), 'PDF')).hasInk(0, 0.5, 1, 1))
})

test('A photo is turned as its camera says', async () => {
  const plain = await drawAndLook(await makeJpeg({ width: 640, height: 400 }), 'JPEG')
  assert.deepEqual([plain.width, plain.height], [320, 200])
  expectColour(plain.at(0.2, 0.6), RED)
  const turned = await drawAndLook(await makeJpeg({ width: 640, height: 400, orientation: 6 }), 'JPEG')
  assert.deepEqual([turned.width, turned.height], [200, 320])
  expectColour(turned.at(0.4, 0.2), RED)
  expectColour(turned.at(0.4, 0.8), BLUE)
  expectColour(turned.at(1, 0.5), GREEN)
})

test('What is transparent shows the paper, and a small image stays small', async () => {
  const picture = await drawAndLook(await makePng({ kind: 'alpha', width: 200, height: 100 }), 'PNG')
  assert.deepEqual([picture.width, picture.height], [200, 100])
  expectColour(picture.at(0.1, 0.5), WHITE)
  expectColour(picture.at(0.4, 0.5), RED)
})

test('Every kind of image that an upload may be has its colours', async () => {
  for (const kind of ['progressive', 'cmyk'] as const) {
    const picture = await drawAndLook(await makeJpeg({ kind }), 'JPEG')
    assert.ok((picture.at(0.2, 0.6)[0] ?? 0) > 150, kind)
    assert.ok((picture.at(0.8, 0.6)[0] ?? 255) < 90, kind)
  }
  for (const kind of ['palette', '16bit', '16bit-alpha', 'interlaced'] as const)
    expectColour((await drawAndLook(await makePng({ kind }), 'PNG')).at(0.8, 0.6), BLUE)
  const [red = 0, green = 0, blue = 0] = (await drawAndLook(await makePng({ kind: 'grey' }), 'PNG')).at(0.2, 0.6)
  assert.ok(red === green && green === blue)
})

test('A picture full of detail is made coarser rather than large', async () => {
  const noise = await sharp(randomBytes(640 * 640 * 3), { raw: { width: 640, height: 640, channels: 3 } })
    .png()
    .toBuffer()
  const drawn = await draw(noise, 'PNG')
  assert.ok(drawn && drawn.length < 1.5 * THUMBNAIL_AIM_BYTES, `${drawn?.length} bytes`)
})

test('What cannot be drawn gives no thumbnail, and the next one is not disturbed', async () => {
  const hopeless: [Uint8Array, DocumentType][] = [
    [Buffer.alloc(0), 'PDF'],
    [randomBytes(5000), 'PDF'],
    [makePageLoop(), 'PDF'],
    [await makeProtectedPdf({ user: 'secret' }), 'PDF'],
    [await makeTruncatedImage('JPEG'), 'JPEG'],
    [await makePixelBomb(), 'PNG'],
    [randomBytes(5000), 'PNG'],
  ]
  for (const [bytes, type] of hopeless) assert.equal(await draw(bytes, type), undefined)
  // Made for a parser that is busy with it for minutes; another one need not be.
  await draw(makeSlowPdf(), 'PDF')
  assert.ok(await draw(await makeProtectedPdf({ owner: 'secret' }), 'PDF'))
  await assert.rejects(pool.drawThumbnail(join(workshop.folder, 'not-there'), 'PDF'), { code: 'file_unreadable' })
})

const withForms = (drawn: string, more: string[]) =>
  makeOnePage({ content: drawn, page: '/Resources << /XObject << /X 6 0 R >> >>', more })

/** Each of many forms draws the next one ten times: the pieces to draw soon fill any memory. */
function makeDrawingBomb(): Buffer {
  const levels = 12
  const drawn = '/X Do '.repeat(10)
  const forms = Array.from({ length: levels }, (_, level) => {
    const next = `/Resources << /XObject << /X ${6 + ((level + 1) % levels)} 0 R >> >>`
    return `<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] ${next} /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`
  })
  return withForms('/X Do', forms)
}

/** One large picture, drawn a little differently again and again: about a minute of work. */
function makeSlowDrawing(): Buffer {
  const side = 3000
  const data = deflateSync(Buffer.alloc(side * side * 3)).toString('latin1')
  const draws = Array.from({ length: 4000 }, (_, i) => `q ${500 + i / 100} 30 20 700 0 0 cm /X Do Q`)
  return withForms(draws.join('\n'), [
    `<< /Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8 ` +
      `/Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`,
  ])
}

/** On a machine that has no processor for it just now, once more. */
async function drawUntilTaken(drawing: CertifyPool, path: string): Promise<Uint8Array | undefined> {
  return drawing.drawThumbnail(path, 'PDF').catch((error: CertifyError) => {
    if (error.code === 'crowded') return drawUntilTaken(drawing, path)
    throw error
  })
}

test('Drawing is ended past its deadline, holds up no upload until then, and the next one is drawn', async () => {
  const guarded = openCertifyPool({ keysDir: workshop.folder, threads: 1, limits: { drawProcessorMs: 4000 } })
  try {
    const small = await store(makePdf())
    assert.ok(await guarded.drawThumbnail(small, 'PDF'))
    const slow = drawUntilTaken(guarded, await store(makeSlowDrawing()))
    const behind = guarded.drawThumbnail(small, 'PDF')
    const first = await Promise.race([guarded.inspect(small, { maxPages: 10 }), slow])
    assert.deepEqual(first, { ok: true, type: 'PDF', pages: 1, isPictured: false })
    assert.equal(await slow, undefined)
    assert.ok(await behind)
  } finally {
    await guarded.close()
  }
})

test('Drawing is ended past its memory cap, and the next one is drawn', async () => {
  const guarded = openCertifyPool({
    keysDir: workshop.folder,
    threads: 1,
    limits: { drawProcessorMs: 60_000, memoryBytes: 400 << 20 },
  })
  try {
    const began = performance.now()
    assert.equal(await guarded.drawThumbnail(await store(makeDrawingBomb()), 'PDF'), undefined)
    expectWithin(performance.now() - began, 30_000, 'drawing')
    assert.ok(await guarded.drawThumbnail(await store(makePdf()), 'PDF'))
  } finally {
    await guarded.close()
  }
})

test('A process that has had nothing to do for a while is ended, and started again when needed', async () => {
  const fleet = openProcessFleet({ size: 1, memoryBytes: 1 << 30, workDir: workshop.folder, idleMs: 300 })
  try {
    const path = await store(makePdf())
    const job = { kind: 'draw', path, type: 'PDF' } as const
    const [first] = [await fleet.run(job, { deadlineMs: 10_000 }), await fleet.run(job, { deadlineMs: 10_000 })]
    assert.equal(first.kind, 'drawn')
    assert.equal(fleet.processIds().length, 1)
    for (let tries = 0; fleet.processIds().length > 0; tries++) {
      assert.ok(tries < 50, 'still there')
      await sleep(100)
    }
    assert.equal((await fleet.run(job, { deadlineMs: 10_000 })).kind, 'drawn')
  } finally {
    await fleet.close()
  }
})
