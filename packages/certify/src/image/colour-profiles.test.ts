import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { deflateZeros } from '../testing/hostile/inflating-data.ts'
import { makeJpeg, makePng, needJudge, runJudge } from '../testing.ts'
import {
  ADOBE,
  addChunkToPng,
  addProfileToJpeg,
  addProfileToPng,
  INVERTED_GREY,
  LINEAR_GREY,
  makeProfile,
  SWAPPED,
} from '../testing/colour-profile.ts'
import { drawImagePage } from '../testing/draw-image-page.ts'
import { writeChunk } from '../testing/raw-png.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import type { DocumentType } from '../types.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

/** The left half of an image as a program shows it that heeds profiles. What has 16 bits it would leave in a wider space. */
async function readLeftHalf(bytes: Buffer): Promise<number[]> {
  const { data, info } = await sharp(bytes)
    .withIccProfile('srgb')
    .flatten()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (100 * info.width + 140) * info.channels
  return [0, 1, 2].map((i) => data[at + Math.min(i, info.channels - 1)]!)
}

async function expectSameColour(bytes: Buffer, type: DocumentType, name: string): Promise<Buffer> {
  assert.equal((await workshop.inspect(bytes)).ok, true, name)
  const page = await drawImagePage(workshop, bytes, type)
  const due = await readLeftHalf(bytes)
  const drawn = page.at(0.46, 0.5)
  const isSame = drawn.every((value, i) => Math.abs(value - due[i]!) <= 6)
  assert.ok(isSame, `${name}: drawn ${drawn.join(' ')}, due ${due.join(' ')}`)
  assert.equal((await runJudge('qpdf', '--check', page.path)).code, 0, name)
  return page.file
}

test('The colour profile of an image goes in with it, so that its colours are those that browsers show', async (t) => {
  if (!needJudge(t, 'pdftoppm', 'qpdf')) return
  const wide = makeProfile()
  const long = makeProfile({ paddingBytes: 150_000 })
  const grey = makeProfile({ space: 'GRAY', tags: LINEAR_GREY })
  const images: [string, Buffer, DocumentType][] = [
    ['JPEG', addProfileToJpeg(await makeJpeg(), wide), 'JPEG'],
    ['JPEG, profile in three pieces', addProfileToJpeg(await makeJpeg(), long), 'JPEG'],
    ['grey JPEG', addProfileToJpeg(await makeJpeg({ kind: 'grey' }), grey), 'JPEG'],
    ['PNG', addProfileToPng(await makePng(), wide), 'PNG'],
    ['palette', addProfileToPng(await makePng({ kind: 'palette' }), wide), 'PNG'],
    ['grey PNG', addProfileToPng(await makePng({ kind: 'grey' }), grey), 'PNG'],
    ['PNG of 16 bits', addProfileToPng(await makePng({ kind: '16bit' }), wide), 'PNG'],
    ['transparent PNG', addProfileToPng(await makePng({ kind: 'alpha' }), wide), 'PNG'],
    ['interlaced PNG', addProfileToPng(await makePng({ kind: 'interlaced' }), wide), 'PNG'],
    ['transparent PNG of 16 bits', addProfileToPng(await makePng({ kind: '16bit-alpha' }), wide), 'PNG'],
  ]
  for (const [name, bytes, type] of images) await expectSameColour(bytes, type, name)
})

test('A profile goes in once, with its number of components and the colour space for readers without profiles', async (t) => {
  if (!needJudge(t, 'pdfimages')) return
  const bytes = addProfileToJpeg(await makeJpeg(), makeProfile({ paddingBytes: 2000 }))
  const originals = [await workshop.addOriginal(bytes, 'JPEG'), await workshop.addOriginal(bytes, 'JPEG')]
  const { path } = await workshop.certify(originals)
  const { text } = await runJudge('pdfimages', '-list', path)
  assert.equal(text.match(/ icc +3 /g)?.length, 2, text)
  const file = (await readFile(path)).toString('latin1')
  assert.equal(file.match(/\/Alternate ?\/DeviceRGB/g)?.length, 1)
  assert.equal(file.match(/\/N 3\b/g)?.length, 1)
})

test('An image without a profile has the colour space of devices, as before', async (t) => {
  if (!needJudge(t, 'pdftoppm', 'qpdf')) return
  const srgb = writeChunk('sRGB', Buffer.of(0))
  for (const [bytes, type] of [
    [await makeJpeg(), 'JPEG'],
    [await makePng(), 'PNG'],
    [addChunkToPng(await makePng(), srgb), 'PNG'],
  ] as const) {
    const file = await expectSameColour(bytes, type, type)
    assert.ok(!file.includes('/ICCBased'))
  }
})

test('A profile that does not fit, is broken, or too large, is left out, and the image stays', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  const sound = makeProfile()
  const change = (at: number, value: number): Buffer => {
    const bytes = Buffer.from(sound)
    bytes.writeUInt32BE(value, at)
    return bytes
  }
  const { rTRC: _, ...incomplete } = ADOBE
  const broken: [string, Buffer][] = [
    ['for inks', makeProfile({ space: 'CMYK' })],
    ['for greys', makeProfile({ space: 'GRAY', tags: LINEAR_GREY })],
    ['empty', Buffer.alloc(0)],
    ['its head alone', sound.subarray(0, 128)],
    ['cut off', sound.subarray(0, -40)],
    ['longer than it is', change(0, sound.length + 1)],
    ['shorter than its head', change(0, 60)],
    ['without its signature', change(36, 0)],
    ['of another version', change(8, 0x05_00_00_00)],
    ['that links devices', change(12, 0x6c_69_6e_6b)],
    ['with 4 billion tags', change(128, 0xff_ff_ff_ff)],
    ['with tags beyond its end', change(128, 90)],
    ['with an element beyond its end', change(136, 0xff_ff_ff_f0)],
    ['with an element in its head', change(136, 0)],
    ['with an element of giant size', change(140, 0xff_ff_ff_ff)],
    ['without a curve', makeProfile({ tags: incomplete })],
    [
      'with a curve of 4 billion points',
      makeProfile({ tags: { ...ADOBE, rTRC: Buffer.from('curv\0\0\0\0\xff\xff\xff\xff', 'latin1') } }),
    ],
    [
      'of unknown elements',
      makeProfile({
        tags: Object.fromEntries(Object.keys(ADOBE).map((name) => [name, Buffer.from('evil\0\0\0\0')])),
      }),
    ],
    ['of 5 MB', makeProfile({ paddingBytes: 5 << 20 })],
  ]
  const [jpeg, png] = [await makeJpeg(), await makePng()]
  for (const [name, profile] of broken) {
    for (const [type, bytes] of [
      ['JPEG', addProfileToJpeg(jpeg, profile)],
      ['PNG', addProfileToPng(png, profile)],
    ] as const) {
      const verdict = await workshop.inspect(bytes)
      assert.equal(verdict.ok, true, `${type}, profile ${name}: ${JSON.stringify(verdict)}`)
      const page = await drawImagePage(workshop, bytes, type)
      assert.ok(!page.file.includes('/ICCBased'), `${type}, profile ${name}`)
      assert.ok(page.at(0.46, 0.5)[0]! > 180, `${type}, profile ${name}: red on the left`)
    }
  }
})

test('A profile that shows black as white or red as blue is left out, since the reviewer sees the image without it', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  const { kTRC } = INVERTED_GREY
  const harmful: [string, Buffer, 'grey' | undefined][] = [
    ['that swaps red and blue', makeProfile({ tags: SWAPPED }), undefined],
    ['that swaps black and white in red', makeProfile({ tags: { ...ADOBE, rTRC: kTRC } }), undefined],
    ['with a table beside its curves', makeProfile({ tags: { ...ADOBE, A2B0: Buffer.alloc(60) } }), undefined],
    ['that swaps black and white', makeProfile({ space: 'GRAY', tags: INVERTED_GREY }), 'grey'],
  ]
  for (const [name, profile, kind] of harmful) {
    const options = kind === undefined ? {} : { kind }
    const [png, jpeg] = [await makePng(options), await makeJpeg(options)]
    for (const [type, plain, bytes] of [
      ['PNG', png, addProfileToPng(png, profile)],
      ['JPEG', jpeg, addProfileToJpeg(jpeg, profile)],
    ] as const) {
      const page = await drawImagePage(workshop, bytes, type)
      assert.ok(!page.file.includes('/ICCBased'), `${type} ${name}`)
      const due = await drawImagePage(workshop, plain, type)
      assert.deepEqual(page.at(0.46, 0.5), due.at(0.46, 0.5), `${type} ${name}`)
    }
  }
})

test('Pieces of a profile that are missing, double or out of count leave it out, as does a chunk that cannot be unpacked', async () => {
  const long = addProfileToJpeg(await makeJpeg(), makeProfile({ paddingBytes: 150_000 }))
  const second = long.indexOf('ICC_PROFILE\0\x02', 0, 'latin1')
  const renumber = (number: number, count: number): Buffer => {
    const bytes = Buffer.from(long)
    bytes.set([number, count], second + 12)
    return bytes
  }
  const jpegs = [renumber(3, 3), renumber(1, 3), renumber(0, 3), renumber(2, 4), renumber(2, 0)]
  const png = await makePng()
  const packed = deflateSync(makeProfile())
  const pngs = [
    ['without a name', Buffer.concat([Buffer.from('\0\0'), packed])],
    ['with a long name', Buffer.concat([Buffer.alloc(80, 'p'), Buffer.from('\0\0'), packed])],
    ['of another method', Buffer.concat([Buffer.from('p\0\x01'), packed])],
    ['cut off', Buffer.concat([Buffer.from('p\0\0'), packed.subarray(0, -20)])],
    ['a gigabyte', Buffer.concat([Buffer.from('p\0\0'), deflateZeros(1024)])],
    ['empty', Buffer.alloc(0)],
  ].map(([, body]) => addChunkToPng(png, writeChunk('iCCP', body as Buffer)))
  const damaged = addChunkToPng(png, writeChunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), packed]), 1))
  for (const [type, files] of [
    ['JPEG', jpegs],
    ['PNG', [...pngs, damaged]],
  ] as const) {
    for (const [i, bytes] of files.entries()) {
      const page = await drawImagePage(workshop, bytes, type)
      assert.ok(!page.file.includes('/ICCBased'), `${type} ${i}`)
    }
  }
})
