import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import { makeFormWithoutAppearance, makeHiddenLayer, makeJpeg, makePdf } from '@proofdesk/certify/testing'
import {
  CONTENT_AREA,
  makeFaxPdf,
  makeJbig2Pdf,
  makeJpeg2000Pdf,
  makeLargePicturePdf,
} from './support/coded-pictures.ts'
import { scrollsSideways, watchComplaints } from './support/accessibility.ts'
import { signInByApi, type ApiClient } from './support/api.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

/** Pages in sight, two on either side, and the thumbnails; far from 600. */
const MOST_CANVASES = 24

let server: RunningServer
let ada: ApiClient
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  ada = await signInByApi(server, 'ada')
})
test.afterAll(() => server.stop())

async function makeCollection(files: Record<string, Buffer>): Promise<string> {
  const { id } = await ada.post('/collections/', { title: 'Papers' })
  for (const [name, buffer] of Object.entries(files)) await ada.upload(Number(id), 'Paper', { name, buffer })
  return `/content/${String(id)}`
}

/** Opens a file over the page of its collection, as its owner. */
async function openReader(browser: Browser, buffer: Buffer, name = 'paper.pdf', prepare = (_page: Page): void => {}) {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  prepare(page)
  await keepSignedIn(page, server, 'ada')
  await page.goto(await makeCollection({ [name]: buffer }))
  await page.getByRole('button', { name: /^View Paper/ }).click()
  const reader = page.getByRole('dialog')
  return { page, reader, complaints }
}

const pageNumber = (reader: Locator) => reader.getByRole('textbox', { name: 'Page number' })
const pageOf = (reader: Locator, number: number) =>
  reader.getByRole('article', { name: new RegExp(`^Page ${number} of`) })

async function waitForPicture(sheet: Locator): Promise<void> {
  await expect(sheet.locator('canvas')).toBeVisible()
}

test('2.94 2.143 a PDF opens in the page, its text can be selected, and nothing breaks the content security policy', async ({
  browser,
}) => {
  const { page, reader, complaints } = await openReader(browser, makePdf({ pages: 3, text: 'Lease page' }))
  await waitForPicture(pageOf(reader, 1))
  await expect(reader.getByText('of 3')).toBeVisible()
  const text = pageOf(reader, 1).getByText('Lease page 1')
  await text.dblclick()
  expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/Lease|page|1/)
  await page.keyboard.press('ControlOrMeta+a')
  // The run of text lies where the picture shows it: as wide as 24 pt Helvetica is, scaled as the page is.
  const [run, sheet] = [await text.boundingBox(), await pageOf(reader, 1).boundingBox()]
  expect(run && sheet && run.x - sheet.x).toBeCloseTo((60 / 595) * (sheet?.width ?? 0), -1)
  expect(complaints).toEqual([])
  await page.keyboard.press('Escape')
  await expect(reader).toBeHidden()
  await page.context().close()
})

test('2.144 the search finds on all pages, says how many, and goes to the next and the one before', async ({
  browser,
}) => {
  const { page, reader } = await openReader(browser, makePdf({ pages: 30, text: 'Clause' }))
  await waitForPicture(pageOf(reader, 1))
  await page.keyboard.press('ControlOrMeta+f')
  const field = reader.getByRole('textbox', { name: 'Find' })
  await expect(field).toBeFocused()
  await page.keyboard.type('clAuse 2')
  await expect(reader.getByText('1 of 11')).toBeVisible()
  await expect(pageNumber(reader)).toHaveValue('2')
  await expect(pageOf(reader, 2).locator('.reader-mark[data-current]')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(pageNumber(reader)).toHaveValue('20')
  await expect(reader.getByText('2 of 11')).toBeVisible()
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.press('Shift+Enter')
  await expect(reader.getByText('11 of 11')).toBeVisible()
  await expect(pageNumber(reader)).toHaveValue('29')
  await expect(pageOf(reader, 29).locator('.reader-mark[data-current]')).toBeInViewport()
  await field.fill('nowhere')
  await expect(reader.getByText('Nothing found')).toBeVisible()
  // Escape closes the search first, then the reader.
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(reader).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(reader).toBeHidden()
  await page.context().close()
})

test('2.144 Persian that a browser has printed is found and marked as one word where it stands', async ({
  browser,
}) => {
  const printer = await browser.newPage()
  await printer.setContent('<p dir="rtl" lang="fa" style="font: 24px sans-serif">قرارداد اجاره، این سند</p>')
  const print = await printer.pdf({ width: '400px', height: '300px' })
  await printer.close()
  const { page, reader } = await openReader(browser, print)
  await waitForPicture(pageOf(reader, 1))
  await page.keyboard.press('ControlOrMeta+f')
  const field = reader.getByRole('textbox', { name: 'Find' })
  const mark = pageOf(reader, 1).locator('.reader-mark')
  const places: number[] = []
  for (const word of ['قرارداد', 'اجاره', 'این سند']) {
    await field.fill(word)
    await expect(reader.getByText('1 of 1'), word).toBeVisible()
    await expect(mark, word).toHaveCount(1)
    const box = await mark.boundingBox()
    places.push(box?.x ?? 0, (box?.x ?? 0) + (box?.width ?? 0))
    await field.fill('')
    await expect(mark).toHaveCount(0)
  }
  // From the right to the left, each beside the one before.
  const [contract = 0, , lease = 0, leaseEnd = 0, , documentEnd = 0] = places
  expect(leaseEnd).toBeLessThanOrEqual(contract + 1)
  expect(documentEnd).toBeLessThanOrEqual(lease + 1)
  await page.context().close()
})

test('2.145 keys and tools zoom, turn and page through the document', async ({ browser }) => {
  const { page, reader } = await openReader(browser, makePdf({ pages: 8 }))
  const sheet = pageOf(reader, 1)
  await waitForPicture(sheet)
  const widthOf = async () => (await sheet.boundingBox())?.width ?? 0
  const fitted = await widthOf()
  await page.keyboard.press('+')
  await expect.poll(widthOf).toBeGreaterThan(fitted)
  await page.keyboard.press('-')
  await page.keyboard.press('-')
  await expect.poll(widthOf).toBeLessThan(fitted)
  await page.keyboard.press('0')
  await expect.poll(widthOf).toBe(fitted)
  await reader.getByRole('button', { name: 'Fit page' }).click()
  const area = await reader.getByRole('region', { name: 'paper.pdf' }).boundingBox()
  await expect.poll(async () => (await sheet.boundingBox())?.height).toBeLessThanOrEqual(area?.height ?? 0)
  await reader.getByRole('button', { name: 'Turn clockwise' }).click()
  await expect
    .poll(async () => ((await sheet.boundingBox())?.width ?? 0) > ((await sheet.boundingBox())?.height ?? 0))
    .toBe(true)
  const run = await sheet.getByText('Page 1').boundingBox()
  expect((run?.height ?? 0) > (run?.width ?? 0), 'the text turns with its page').toBe(true)

  await reader.getByRole('region', { name: 'paper.pdf' }).focus()
  for (const [key, expected] of [
    ['PageDown', '2'],
    ['PageDown', '3'],
    ['ArrowRight', '4'],
    ['PageUp', '3'],
    ['ArrowLeft', '2'],
    ['End', '8'],
    ['Home', '1'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(pageNumber(reader), key).toHaveValue(expected)
  }
  await pageNumber(reader).fill('6')
  await page.keyboard.press('Enter')
  await expect(pageOf(reader, 6)).toBeInViewport()
  await page.context().close()
})

test('2.146 a file of 600 pages is searched and paged through with only the pages about the one in sight drawn', async ({
  browser,
}) => {
  const { page, reader, complaints } = await openReader(browser, makePdf({ pages: 600, text: 'Ledger' }))
  await waitForPicture(pageOf(reader, 1))
  const countCanvases = () => page.locator('canvas').count()
  expect(await countCanvases()).toBeLessThan(MOST_CANVASES)
  await reader.getByRole('button', { name: 'Show page thumbnails' }).click()
  const thumbnails = reader.getByRole('navigation', { name: 'Pages' })
  await thumbnails.getByRole('button', { name: 'Page 3 of 600' }).click()
  await expect(pageNumber(reader)).toHaveValue('3')
  await page.keyboard.press('End')
  await expect(pageNumber(reader)).toHaveValue('600')
  await expect(thumbnails.getByRole('button', { name: 'Page 600 of 600' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(pageNumber(reader)).toHaveValue('599')
  await waitForPicture(pageOf(reader, 599))
  expect(await countCanvases()).toBeLessThan(MOST_CANVASES)

  const area = reader.getByRole('region', { name: 'paper.pdf' })
  for (let step = 0; step < 30; step++) {
    await area.evaluate((element, share) => (element.scrollTop = element.scrollHeight * share), ((step * 7) % 30) / 30)
    await page.waitForTimeout(80)
    expect(await countCanvases()).toBeLessThan(MOST_CANVASES)
  }
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('Ledger 577')
  await expect(reader.getByText('1 of 1', { exact: true })).toBeVisible()
  await expect(pageNumber(reader)).toHaveValue('577')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(reader).toBeHidden()
  expect(await page.locator('canvas:visible').count()).toBe(0)
  await expect.poll(() => page.workers().length, 'its worker ends with it').toBe(0)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('2.148 an image opens in the page and can be zoomed', async ({ browser }) => {
  const { page, reader, complaints } = await openReader(browser, await makeJpeg(), 'photo.jpg')
  const image = reader.getByRole('img', { name: 'photo.jpg' })
  await expect(image).toBeVisible()
  const widthOf = async () => (await image.boundingBox())?.width ?? 0
  const before = await widthOf()
  await page.keyboard.press('+')
  await expect.poll(widthOf).toBeGreaterThan(before)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('2.149 a file that the reader cannot show says so and keeps the way to a new tab', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  await keepSignedIn(page, server, 'ada')
  // What came to harm after it was stored, on its way.
  await page.route('**/contents/serve/**', (route) =>
    route.fulfill({ contentType: 'application/pdf', body: '%PDF-1.7 and nothing more' }),
  )
  await page.goto(await makeCollection({ 'paper.pdf': makePdf() }))
  await page.getByRole('button', { name: /^View Paper/ }).click()
  const reader = page.getByRole('dialog')
  await expect(reader.getByText('This file cannot be shown here')).toBeVisible()
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    reader.getByRole('button', { name: 'Open in new tab' }).click(),
  ])
  await expect(tab).toHaveURL(/^blob:/)
  expect(complaints).toEqual([])
  await context.close()
})

test('2.150 a phone shows the PDF too, with buttons to zoom and nothing that scrolls sideways', async ({ browser }) => {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 3,
  })
  const phone = await context.newPage()
  await keepSignedIn(phone, server, 'ada')
  await phone.goto(await makeCollection({ 'paper.pdf': makePdf({ pages: 4 }) }))
  await phone.getByRole('button', { name: /^View Paper/ }).tap()
  const reader = phone.getByRole('dialog')
  await waitForPicture(pageOf(reader, 1))
  const widthOf = async () => (await pageOf(reader, 1).boundingBox())?.width ?? 0
  const fitted = await widthOf()
  expect(fitted).toBeLessThan(390)
  await reader.getByRole('button', { name: 'Zoom in' }).tap()
  await expect.poll(widthOf).toBeGreaterThan(fitted)
  expect(await scrollsSideways(phone)).toBe(false)
  await context.close()
})

for (const [kind, make, expected] of [
  ['JPEG 2000', makeJpeg2000Pdf, 128],
  ['fax coding', makeFaxPdf, 0],
  ['JBIG2', makeJbig2Pdf, 0],
] as const) {
  test(`a picture in ${kind} is drawn under the policy as it is, without WebAssembly`, async ({ browser }) => {
    const { page, reader, complaints } = await openReader(browser, make(), 'paper.pdf', noteViolations)
    await waitForPicture(pageOf(reader, 1))
    expect(Math.abs((await readGrey(pageOf(reader, 1))) - expected)).toBeLessThan(6)
    const inWorkers = await Promise.all(
      page.workers().map((worker) => worker.evaluate(() => Reflect.get(self, 'refused'))),
    )
    expect(inWorkers, 'what the policy refused to the worker').toEqual([[]])
    expect(complaints).toEqual([])
    await page.context().close()
  })
}

test('a picture of as many pixels as are taken is drawn; one of more is refused with the reason', async ({
  browser,
}) => {
  const side = Math.sqrt(IMAGE_MAX_PIXELS)
  const { page, reader, complaints } = await openReader(browser, makeLargePicturePdf(side))
  await waitForPicture(pageOf(reader, 1))
  expect(await readGrey(pageOf(reader, 1))).toBeLessThan(6)
  expect(complaints).toEqual([])
  await page.context().close()
  await expect(makeCollection({ 'paper.pdf': makeLargePicturePdf(side + 8) })).rejects.toThrow(/too many pixels/)
})

function readGrey(sheet: Locator): Promise<number> {
  return sheet.locator('canvas').evaluate((canvas: HTMLCanvasElement, { x, y }) => {
    const at = canvas.getContext('2d')?.getImageData(canvas.width * x, canvas.height * y, 1, 1).data
    return at?.[0] ?? 255
  }, CONTENT_AREA)
}

/** Workers tell nobody what the policy refuses them: this notes it in each. */
function noteViolations(page: Page): void {
  page.on('worker', (worker) => {
    void worker.evaluate(() => {
      const refused: string[] = []
      Reflect.set(self, 'refused', refused)
      self.addEventListener('securitypolicyviolation', ({ violatedDirective }) => refused.push(violatedDirective))
    })
  })
}

/** How many pixels of a part of a page are dark; the part is given in shares of the page. */
async function countInk(sheet: Locator, from: [x: number, y: number], to: [x: number, y: number]): Promise<number> {
  return sheet.locator('canvas').evaluate(
    (canvas: HTMLCanvasElement, [[x1, y1], [x2, y2]]) => {
      const { width, height } = canvas
      const part = [x1 * width, y1 * height, (x2 - x1) * width, (y2 - y1) * height] as const
      const { data = [] } = canvas.getContext('2d')?.getImageData(...part) ?? {}
      let dark = 0
      for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 128) dark++
      return dark
    },
    [from, to] as const,
  )
}

test('2.147 a field shows its value, also without an appearance of its own, and a hidden layer stays hidden', async ({
  browser,
}) => {
  const form = await openReader(browser, makeFormWithoutAppearance())
  await waitForPicture(pageOf(form.reader, 1))
  expect(await countInk(pageOf(form.reader, 1), [0.1, 0.25], [0.3, 0.3])).toBeGreaterThan(50)
  await form.page.context().close()
  const layer = await openReader(browser, makeHiddenLayer())
  await waitForPicture(pageOf(layer.reader, 1))
  expect(await countInk(pageOf(layer.reader, 1), [0, 0.35], [1, 0.45]), 'the words that are there').toBeGreaterThan(50)
  expect(await countInk(pageOf(layer.reader, 1), [0, 0], [1, 0.34]), 'above them').toBe(0)
  expect(await countInk(pageOf(layer.reader, 1), [0, 0.45], [1, 1]), 'below them').toBe(0)
  await layer.page.context().close()
})
