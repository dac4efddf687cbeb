import { expect, test, type Page } from '@playwright/test'
import { makeJpeg, makePdf } from '@proofdesk/certify/testing'
import { findAccessibilityFaults, watchComplaints } from './support/accessibility.ts'
import { signInByApi } from './support/api.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'sam', role: 'staff' })
})
test.afterAll(() => server.stop())

const CALLS = /\/contents\/\d+\/thumbnail\/$/
const boxes = (page: Page) => page.getByRole('button', { name: /^First page of/ })
/** Pictures that the browser has decoded. */
const countPictures = (page: Page) =>
  boxes(page).evaluateAll((all) => all.filter((box) => (box.querySelector('img')?.naturalWidth ?? 0) > 100).length)

test('a first page appears soon after the upload, for owner and reviewer, without moving anything', async ({
  browser,
}) => {
  const ada = await signInByApi(server, 'ada')
  const id = Number((await ada.post('/collections/', { title: 'Degree' }))['id'])
  for (const username of ['ada', 'sam']) {
    const context = await browser.newContext({ baseURL: server.url })
    const page = await context.newPage()
    const complaints = watchComplaints(page)
    let show = () => {}
    const shown = new Promise<void>((resolve) => (show = resolve))
    await page.route(CALLS, async (route) => {
      await shown
      await route.continue()
    })
    await keepSignedIn(page, server, username)
    await page.goto(`/content/${id}`)
    if (username === 'ada') {
      await expect(page.getByText('No files yet').first()).toBeVisible()
      await ada.upload(id, 'Diploma', { name: 'degree.pdf', buffer: makePdf() })
    }
    await expect(boxes(page)).toHaveCount(1)
    await expect(boxes(page).locator('svg')).toBeVisible()
    const before = await boxes(page).boundingBox()
    expect(await findAccessibilityFaults(page)).toEqual([])
    show()
    await expect.poll(() => countPictures(page)).toBe(1)
    expect(await boxes(page).boundingBox()).toEqual(before)
    expect(await findAccessibilityFaults(page)).toEqual([])

    await boxes(page).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    expect(complaints).toEqual([])
    await context.close()
  }
})

test('where no event comes through, a first page appears all the same', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const ada = await signInByApi(server, 'ada')
  const id = Number((await ada.post('/collections/', { title: 'Without events' }))['id'])
  await page.route('**/events/', (route) => route.abort())
  // As if it were still being drawn when the list is looked at for the first time.
  let looks = 0
  await page.route(/\/contents\/\?collection=/, async (route) => {
    const answer = await route.fetch()
    const text = await answer.text()
    looks += 1
    await route.fulfill({ response: answer, body: looks === 1 ? text.replace('"READY"', '"PENDING"') : text })
  })
  await ada.upload(id, 'Photo', { name: 'photo.jpg', buffer: await makeJpeg() })
  await keepSignedIn(page, server, 'ada')
  await page.goto(`/content/${id}`)
  await expect.poll(() => countPictures(page)).toBe(1)
  expect(looks).toBeGreaterThan(1)
  await context.close()
})

test('only first pages that come into view are fetched, each once', async ({ browser }) => {
  const ada = await signInByApi(server, 'ada')
  const id = Number((await ada.post('/collections/', { title: 'Many' }))['id'])
  const count = 30
  for (let i = 0; i < count; i++) await ada.upload(id, `Paper ${i}`, { name: `${i}.pdf`, buffer: makePdf() })
  await expect
    .poll(async () => JSON.stringify(await ada.get(`/contents/?collection=${id}`)).split('"READY"').length - 1)
    .toBe(count)
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const fetched: string[] = []
  page.on('request', (request) => {
    if (CALLS.test(request.url())) fetched.push(request.url())
  })
  await keepSignedIn(page, server, 'ada')
  await page.goto(`/content/${id}`)
  await expect(boxes(page)).toHaveCount(count)
  await boxes(page).first().scrollIntoViewIfNeeded()
  await expect.poll(() => countPictures(page)).toBeGreaterThan(0)
  expect(await countPictures(page)).toBeLessThan(count / 2)
  for (const box of await boxes(page).all()) await box.scrollIntoViewIfNeeded()
  await expect.poll(() => countPictures(page)).toBe(count)
  expect(new Set(fetched).size).toBe(count)
  expect(fetched).toHaveLength(count)
  await context.close()
})
