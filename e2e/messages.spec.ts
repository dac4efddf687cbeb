import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { signInByApi } from './support/api.ts'
import { waitForDialogs } from './support/faults.ts'
import { waitUntilLoaded, watchLoading } from './support/loading.ts'
import { chooseOption } from './support/options.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'
import { expectAbout, watchStay } from './support/timing.ts'

// How long words of the specification stand, and where, in a real browser.

const BANNER_MS = 3000
const TOAST_MS = 5000
const REVOKE_MS = 1000

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
})
test.afterAll(() => server.stop())

const contexts: BrowserContext[] = []
test.afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})

async function openPage(browser: Browser, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url })
  contexts.push(context)
  const page = await context.newPage()
  watchLoading(page)
  await keepSignedIn(page, server, 'ada')
  await page.goto(path)
  await waitUntilLoaded(page)
  return page
}

/** A collection with one file. @returns the path of its screen */
async function makeCollection(title: string): Promise<string> {
  const ada = await signInByApi(server, 'ada')
  const { id } = await ada.post('/collections/', { title })
  await ada.upload(Number(id), 'Paper', { name: 'paper.pdf', buffer: makePdf() })
  return `/content/${String(id)}`
}

const toast = (page: Page, text: string) => page.locator('.Toastify__toast').filter({ hasText: text })

test('9.15 success banners of collections vanish after 3 seconds', async ({ browser }) => {
  const page = await openPage(browser, '/collection')
  await page.getByLabel('Collection title').fill('Short-lived')
  const created = await watchStay(page, 'Collection created successfully!')
  await page.getByRole('button', { name: 'Create collection' }).click()
  expectAbout(await created(), BANNER_MS)

  await chooseOption(page, 'Short-lived', 'Edit')
  await page.getByRole('dialog').getByRole('textbox').fill('Still short-lived')
  const updated = await watchStay(page, 'Collection updated successfully!')
  await page.getByRole('button', { name: 'Save title' }).click()
  expectAbout(await updated(), BANNER_MS)

  await chooseOption(page, 'Still short-lived', 'Delete')
  const deleted = await watchStay(page, 'Collection deleted successfully!')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  expectAbout(await deleted(), BANNER_MS)
})

test('9.17 9.18 9.19 toasts stand top right for 5 seconds, and Alt+T leads to them', async ({ browser }) => {
  const page = await openPage(browser, await makeCollection('With files'))
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: makePdf() })
  const stay = await watchStay(page, 'Content created!')
  await page.getByRole('button', { name: 'Add Content' }).click()
  const created = toast(page, 'Content created!')
  await expect(created).toBeVisible()
  const box = await created.boundingBox()
  const width = page.viewportSize()?.width ?? 0
  expect(box && width - (box.x + box.width)).toBeLessThan(40)
  expect(box?.y).toBeLessThan(120)
  expectAbout(await stay(), TOAST_MS)

  await page.getByRole('button', { name: /^Delete TYPE1/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Deleted!')).toBeVisible()
  await page.keyboard.press('Alt+t')
  expect(await page.evaluate(() => document.activeElement?.closest('.Toastify') !== null)).toBe(true)
})

test('8.41 without a network the tab that was opened for a file closes, and a download manager is warned of', async ({
  browser,
}) => {
  const page = await openPage(browser, await makeCollection('Viewed'))
  await waitForDialogs(page)
  await page.route('**/contents/serve/**', (route) => route.abort('connectionreset'))
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: /^Open Paper.* in a new tab$/ }).click(),
  ])
  await expect(page.getByRole('alertdialog', { name: 'IDM Error' })).toBeVisible()
  await expect.poll(() => tab.isClosed()).toBe(true)
})

test('9.20 the address of a viewed file is revoked after 1 second, and the tab keeps what it shows', async ({
  browser,
}) => {
  const page = await openPage(browser, '/')
  const path = await makeCollection('Opened')
  // Notes when each address is made and revoked; both do what they did.
  await page.addInitScript(() => {
    const { createObjectURL, revokeObjectURL } = URL
    const notes: [string, string, number][] = []
    Object.assign(globalThis, { notes })
    URL.createObjectURL = (blob: Blob) => {
      const url = createObjectURL.call(URL, blob)
      // Thumbnails in the list have addresses too, for as long as they are shown.
      if (blob.type !== 'image/webp') notes.push(['made', url, performance.now()])
      return url
    }
    URL.revokeObjectURL = (url: string) => {
      if (notes.some(([, known]) => known === url)) notes.push(['revoked', url, performance.now()])
      revokeObjectURL.call(URL, url)
    }
  })
  await page.goto(path)
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: /^Open Paper.* in a new tab$/ }).click(),
  ])
  await expect(tab).toHaveURL(/^blob:/)
  const readNotes = () => page.evaluate(() => (globalThis as unknown as { notes: [string, string, number][] }).notes)
  await expect.poll(async () => (await readNotes()).length).toBe(2)
  const [made, revoked] = await readNotes()
  expect([made?.[0], revoked?.[0]]).toEqual(['made', 'revoked'])
  expect(revoked?.[1]).toBe(made?.[1])
  expectAbout((revoked?.[2] ?? 0) - (made?.[2] ?? 0), REVOKE_MS)
  expect(tab.isClosed()).toBe(false)
  const isReachable = await page.evaluate((url) => fetch(url).then(Boolean, () => false), made?.[1] ?? '')
  expect(isReachable).toBe(false)
})
