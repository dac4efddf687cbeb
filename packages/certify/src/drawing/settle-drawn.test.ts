import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { makeSmallPage, streamOf } from '../testing/ambiguous-file.ts'
import { drawPageAsReviewer } from '../testing/draw-as-reviewer.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import { drawPdfPage } from '../thumbnail/draw-pdf-page.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const BOX = { thin: '[20 0 160 .1]', flat: '[20 0 160 0]', unit: '[0 0 1 1]' }

const OBJECTS = [
  streamOf('\0', '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 1 /ImageMask true'),
  streamOf('20 100 140 1 re f', '/Type /XObject /Subtype /Form /BBox [0 0 200 200]'),
  streamOf('20 9 140 .1 re f', '/Type /XObject /Subtype /Form /BBox [0 0 200 200]'),
  ...Object.values(BOX).map((box) => streamOf('-200 -200 400 400 re f', `/Type /XObject /Subtype /Form /BBox ${box}`)),
]
const FONT =
  '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [0] ' +
  '/Encoding << /Differences [97 /a] >> /CharProcs << /a 13 0 R >> >>'
const NAMES = ['Stencil', 'Square', 'Rule', 'Thin', 'Flat', 'Unit']

/** What every reader but the reviewer's draws a pixel wide, by how it is drawn 30 points above the foot of the page. */
const LINES = {
  'a cut without height': 'q 20 30.3 140 0 re W n 0 0 200 200 re f Q',
  'a cut of a tenth of a point': 'q 20 30.3 140 .1 re W* n 0 0 200 200 re f Q',
  'a rectangle in a cut of its size': 'q 20 30.3 140 .1 re W n 20 30.3 140 .1 re f Q',
  'a stencil of a hundredth of a point': 'q 140 0 0 .01 20 30.3 cm /Stencil Do Q',
  'a stencil among operators': 'q 140 0 0 -.1 20 30.3 cm BI /W 1 /H 1 /IM true ID \0 EI Q',
  'a rectangle in a form that is squeezed': 'q 1 0 0 .01 0 29.3 cm /Square Do Q',
  'a rectangle in a form that is drawn smaller elsewhere':
    'q 1 0 0 1 0 21.3 cm /Rule Do Q q .5 0 0 .5 0 160 cm /Rule Do Q',
  'a rectangle in a form that is drawn larger elsewhere':
    'q .5 0 0 .5 60 21.3 cm /Rule Do Q q 1 0 0 1 0 160 cm /Rule Do Q',
  'a letter that is squeezed, with its box': 'BT /T3 1 Tf 140 0 0 .01 20 30.3 Tm (a) Tj ET',
  'a form with a box of a tenth of a point': 'q 1 0 0 1 0 30.3 cm /Thin Do Q',
  'a form with a box without height': 'q 1 0 0 1 0 30.3 cm /Flat Do Q',
  'a form whose box is squeezed': 'q 140 0 0 .1 20 30.3 cm /Unit Do Q',
}

test('A letter whose box has no height is shown whole to the reviewer, as by others', async () => {
  const original = makeSmallPage({
    content: 'BT /T3 1 Tf 1 0 0 1 20 30 Tm (a) Tj ET',
    resources: '/Font << /T3 6 0 R >>',
    more: [FONT.replace('13 0 R', '7 0 R'), streamOf('200 0 0 0 140 0 d1 0 0 140 40 re f 0 0 140 .1 re f')],
  })
  const { path } = await workshop.prepare([await workshop.addOriginal(original, 'PDF')])
  assert.ok((await measureDarkness(original)) > 50)
  assert.ok((await measureDarkness(await readFile(path))) > 50)
})

for (const [what, content] of Object.entries(LINES)) {
  test(`The reviewer sees ${what}`, async () => {
    const resources = `/Font << /F1 5 0 R /T3 12 0 R >> /XObject << ${NAMES.map((name, i) => `/${name} ${6 + i} 0 R`).join(' ')} >>`
    const original = makeSmallPage({
      content,
      resources,
      more: [...OBJECTS, FONT, streamOf('1 0 0 0 1 1 d1 0 0 1 1 re f')],
    })
    assert.deepEqual(await workshop.inspect(original), { ok: true, type: 'PDF', pages: 1, isPictured: false })
    const { path } = await workshop.prepare([await workshop.addOriginal(original, 'PDF')])
    assert.ok((await measureDarkness(original)) < 0.15, 'it is tried with something that was hardly seen')
    const darkness = await measureDarkness(await readFile(path))
    // a quarter of a point is a third of a pixel here, of which pdf.js tells quarters
    assert.ok(darkness > 0.18, `darkness ${darkness}`)
    assert.ok(darkness < 1.1, `darkness ${darkness}`)
  })
}

test('Thin rules of a table stay as dark as others draw them, and the reviewer sees them so, too', async () => {
  const rules = Array.from({ length: 7 }, (_, i) => `20 ${20.3 + 20 * i} 160 .12 re f ${20.3 + 20 * i} 20 .12 140 re f`)
  const original = makeSmallPage({ content: `.2 .2 .2 rg ${rules.join(' ')}` })
  const { path } = await workshop.prepare([await workshop.addOriginal(original, 'PDF')])
  const bytes = await readFile(path)
  // up to 96 dots an inch
  for (const side of [150, 267]) {
    const [old, copied] = [await drawPdfPage(original, side), await drawPdfPage(bytes, side)]
    // the copy of this page is as large as the page
    assert.equal(copied.rgba.length, old.rgba.length)
    const different = old.rgba.filter((value, i) => i % 4 === 0 && Math.abs(value - copied.rgba[i]!) > 16).length
    // a rule may lie a pixel farther where it lies between two
    assert.ok(different < 0.01 * side * side, `${different} of ${side * side}`)
  }
  const [faint, seen] = [await measureInk(original), await measureInk(bytes)]
  const others = (await drawPdfPage(bytes, 267)).rgba.reduce(
    (sum, value, i) => (i % 4 === 0 ? sum + 255 - value : sum),
    0,
  )
  assert.ok(faint < 0.3 * seen, `${faint} ${seen}`)
  assert.ok(Math.abs(seen - others / 255) < 0.2 * seen, `${seen} ${others / 255}`)
})

/** So many, each by itself. */
const DOTS = 40
const forEachDot = (write: (x: number) => string): string =>
  Array.from({ length: DOTS }, (_, i) => write(20.3 + 4 * i)).join(' ')

/** What others draw as a black pixel each, and what of a pixel the reviewer sees then. */
const SPECKS: Record<string, [content: string, least: number]> = {
  'a rectangle of a tenth of a point': [forEachDot((x) => `${x} 30.3 .1 .1 re f`), 0.05],
  'a small rectangle that is thin, too': [forEachDot((x) => `${x} 30.3 .1 .28 re f`), 0.05],
  'a hole of a tenth of a point': [forEachDot((x) => `q ${x} 30.3 .1 .1 re W n 0 0 200 200 re f Q`), 0.8],
  'a form with a box of a tenth of a point': [forEachDot((x) => `q 1 0 0 1 ${x} 30.3 cm /Speck Do Q`), 0.8],
}

for (const [what, [content, least]] of Object.entries(SPECKS))
  test(`The reviewer sees ${what} in every way`, async () => {
    const speck = streamOf('-200 -200 400 400 re f', '/Type /XObject /Subtype /Form /BBox [0 0 .1 .1]')
    const original = makeSmallPage({ content, resources: '/XObject << /Speck 6 0 R >>', more: [speck] })
    assert.deepEqual(await workshop.inspect(original), { ok: true, type: 'PDF', pages: 1, isPictured: false })
    const { path } = await workshop.prepare([await workshop.addOriginal(original, 'PDF')])
    assert.ok((await measureInk(original)) < 0.04 * DOTS, 'it is tried with something that was hardly seen')
    const ink = await measureInk(await readFile(path))
    assert.ok(ink > least * DOTS && ink < 1.1 * DOTS, `${ink / DOTS} of a pixel each`)
  })

const PIXEL = '/Type /XObject /Subtype /Image /Width 1 /Height 1'
const GREY = streamOf('\0', `${PIXEL} /BitsPerComponent 8 /ColorSpace /DeviceGray`)
const STENCIL = streamOf('\0', `${PIXEL} /ImageMask true`)
const STRIP = streamOf(
  '100 0 0 .02 0 0 cm /Image Do',
  '/Type /XObject /Subtype /Form /BBox [0 -9 100 9] /Resources << /XObject << /Image 6 0 R >> >>',
)

/** Images of a fiftieth of a point that lie neither upright nor on their side; others draw them a pixel wide, some 90 long. */
const SLANTED: Record<string, [content: string, image: string]> = {
  'an image': ['100 50 -.01 .02 20 30 cm /Image Do', GREY],
  'an image that nearly lies on its side': ['100 .05 0 .05 20 30.3 cm /Image Do', GREY],
  'an image that nearly lies on its side, and is thinner': ['100 .01 0 .001 20 30.3 cm /Image Do', GREY],
  'an image among operators': ['100 50 -.01 .02 20 30 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \0 EI', GREY],
  'a stencil': ['100 50 -.01 .02 20 30 cm /Image Do', STENCIL],
  'an image on turned paper': ['.8 .6 -.6 .8 50 30 cm 100 0 0 .02 0 0 cm /Image Do', GREY],
  'an image in a form that is turned': ['.8 .6 -.6 .8 50 30 cm /Strip Do', GREY],
}

for (const [what, [content, image]] of Object.entries(SLANTED))
  test(`The reviewer sees ${what} that is thin and slanted`, async () => {
    const resources = '/XObject << /Image 6 0 R /Strip 7 0 R >>'
    const original = makeSmallPage({ content: `q ${content} Q`, resources, more: [image, STRIP] })
    assert.deepEqual(await workshop.inspect(original), { ok: true, type: 'PDF', pages: 1, isPictured: false })
    const { path } = await workshop.prepare([await workshop.addOriginal(original, 'PDF')])
    assert.ok((await measureInk(original)) < 20, 'it is tried with something that was hardly seen')
    const ink = await measureInk(await readFile(path))
    assert.ok(ink > 80 && ink < 180, `${ink} pixels`)
  })

test('An image from corner to corner that has no width shows nothing to anybody', async () => {
  const content = 'q 100 100 50 50 20 20 cm /Image Do Q'
  const original = makeSmallPage({ content, resources: '/XObject << /Image 6 0 R >>', more: [GREY] })
  const { path } = await workshop.prepare([await workshop.addOriginal(original, 'PDF')])
  const { rgba } = await drawPdfPage(await readFile(path), 200)
  assert.ok(rgba.every((value) => value === 255))
})

/** In black pixels. */
async function measureInk(bytes: Uint8Array): Promise<number> {
  const { rgba } = await drawPageAsReviewer(bytes, 1, () => 4 / 3)
  return rgba.reduce((sum, value, i) => (i % 4 === 0 ? sum + 255 - value : sum), 0) / 255
}

/** @returns the sum of how dark the pixels are that lie one above the other in the lower part of the page, where they are most. */
async function measureDarkness(bytes: Uint8Array): Promise<number> {
  const { width, height, rgba } = await drawPageAsReviewer(bytes, 1, () => 4 / 3)
  const sums = Array.from({ length: 30 }, (_, column) => {
    let sum = 0
    for (let row = Math.floor(height / 2); row < height; row++) sum += 255 - rgba[4 * (row * width + 100 + column)]!
    return sum / 255
  })
  return Math.max(...sums)
}
