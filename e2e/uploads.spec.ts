import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findAccessibilityFaults, watchComplaints } from './support/accessibility.ts'
import { signInByApi, type ApiClient } from './support/api.ts'
import { layBufferingProxy } from './support/buffering-proxy.ts'
import { endSessions, expireAccessTokens } from './support/faults.ts'
import { layLine } from './support/line.ts'
import { keepSignedIn } from './support/people.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'

let server: RunningServer
let ada: ApiClient
test.beforeAll(async () => {
  server = await startServer({ MAX_UPLOAD_MB: '3' })
  await server.createUser({ username: 'ada' })
  ada = await signInByApi(server, 'ada')
})
test.afterAll(() => server.stop())

const BYTES_PER_SECOND = 400_000

interface ChosenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

const pdf = (name: string, kilobytes = 1): ChosenFile => ({
  name,
  mimeType: 'application/pdf',
  buffer: makePdf({ text: 'x'.repeat(kilobytes * 1024) }),
})

async function openForm(browser: Browser, title: string, baseURL = server.url): Promise<{ page: Page; id: number }> {
  const { id } = await ada.post('/collections/', { title })
  const context = await browser.newContext({ baseURL })
  const page = await context.newPage()
  await keepSignedIn(page, server, 'ada', baseURL)
  await page.goto(`/content/${String(id)}`)
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeVisible()
  return { page, id: Number(id) }
}

const choose = (page: Page, files: ChosenFile[]) => page.getByLabel('File', { exact: true }).setInputFiles(files)
const add = (page: Page) => page.getByRole('button', { name: 'Add Content' }).click()
const row = (page: Page, name: string): Locator => page.getByRole('listitem', { name, exact: true })

/** Names in the order of the certified PDF. */
async function readStored(id: number): Promise<string[]> {
  const { results } = await ada.get(`/contents/?collection=${id}`)
  return (results as { file_name: string; position: number }[])
    .toSorted((one, other) => one.position - other.position)
    .map((content) => content.file_name)
}

/** Nothing is on its way in, on the server's disk. Parsing processes keep their folders there, empty between two files. */
async function expectNothingComing(): Promise<void> {
  await expect.poll(listIncomingFiles).toEqual([])
}

async function listIncomingFiles(): Promise<string[]> {
  const entries = await readdir(join(server.dataDir, 'incoming'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
}

async function throttle(page: Page, offline = false): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: BYTES_PER_SECOND,
  })
}

/** Hands files to the page as dragging or pasting does. */
async function hand(page: Page, kind: 'dragover' | 'drop' | 'paste', names: string[], type = 'application/pdf') {
  const bytes = [...makePdf()]
  await page.getByRole('region', { name: 'Add Content' }).evaluate(
    (region, given) => {
      const data = new DataTransfer()
      if (given.names.length === 0) data.setData('text/plain', 'only words')
      for (const name of given.names)
        data.items.add(new File([new Uint8Array(given.bytes)], name, { type: given.type }))
      const options = { bubbles: true, cancelable: true }
      if (given.kind === 'paste')
        document.body.dispatchEvent(new ClipboardEvent(given.kind, { ...options, clipboardData: data }))
      else region.dispatchEvent(new DragEvent(given.kind, { ...options, dataTransfer: data }))
    },
    { kind, names, type, bytes },
  )
}

test('2.96 five files at once by dialog show how far each is, and arrive in the order of choosing', async ({
  browser,
}) => {
  const { page, id } = await openForm(browser, 'Five at once')
  const complaints = watchComplaints(page)
  await throttle(page)
  const names = ['e.pdf', 'd.pdf', 'a.pdf', 'c.pdf', 'b.pdf']
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files' }).click(),
  ])
  expect(chooser.isMultiple()).toBe(true)
  await chooser.setFiles(names.map((name) => pdf(name, 400)))
  await add(page)
  await expect(row(page, 'd.pdf')).toContainText('Waiting')
  const bar = page.getByRole('progressbar', { name: 'Uploading e.pdf' })
  await expect.poll(() => bar.evaluate((one: HTMLProgressElement) => one.value)).toBeGreaterThan(10)
  expect(await findAccessibilityFaults(page)).toEqual([])
  await expect(page.getByText('Content created!').first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Added: 5.')).toBeVisible()
  expect(await readStored(id)).toEqual(names)
  const views = page.getByRole('button', { name: /^View TYPE1/ })
  expect(await views.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).toEqual(
    names.toReversed().map((name) => `View TYPE1, ${name}`),
  )
  expect(complaints).toEqual([])
  await page.context().close()
})

test('2.96 files are taken by dropping and by pasting, and words are left alone', async ({ browser }) => {
  const { page, id } = await openForm(browser, 'Dropped and pasted')
  await hand(page, 'dragover', [])
  await expect(page.getByText('Drop the files to add them')).toBeHidden()
  const panel = page.getByRole('region', { name: 'Add Content' })
  const readColour = () => panel.evaluate((element) => getComputedStyle(element).backgroundColor)
  const plain = await readColour()
  await hand(page, 'dragover', ['a.pdf'])
  await expect(page.getByText('Drop the files to add them')).toBeVisible()
  expect(await readColour()).not.toBe(plain)
  await hand(page, 'drop', ['a.pdf', 'b.pdf'])
  await hand(page, 'paste', [])
  await hand(page, 'paste', ['image.png'], 'image/png')
  await expect(page.getByRole('listitem', { name: /^Pasted 20.*\.png$/ })).toBeVisible()
  await hand(page, 'paste', ['copied.pdf'])
  await add(page)
  await expect(page.getByText('Added: 4.')).toBeVisible()
  const stored = await readStored(id)
  expect([stored[0], stored[1], stored[3]]).toEqual(['a.pdf', 'b.pdf', 'copied.pdf'])
  await page.context().close()
})

test('one bad file among good ones is told of in its place, and another takes that place', async ({ browser }) => {
  const { page, id } = await openForm(browser, 'One is bad')
  const cut = { ...pdf('b.pdf'), buffer: makePdf().subarray(0, 200) }
  await choose(page, [pdf('a.pdf'), cut, pdf('large.pdf', 4096), pdf('c.pdf')])
  await expect(row(page, 'large.pdf')).toContainText('This file is too large. At most 3 MB are accepted.')
  await page.getByRole('button', { name: 'Take large.pdf off the list' }).click()
  await add(page)
  await expect(page.getByText('Added: 2. Failed: 1.')).toBeVisible()
  await expect(row(page, 'b.pdf')).toContainText('This file is incomplete: its end is missing.')
  expect(await findAccessibilityFaults(page)).toEqual([])
  await row(page, 'b.pdf').locator('input[type=file]').setInputFiles(pdf('b2.pdf'))
  await add(page)
  await expect(page.getByRole('button', { name: 'View TYPE1, b2.pdf' })).toBeVisible()
  expect(await readStored(id)).toEqual(['a.pdf', 'b2.pdf', 'c.pdf'])
  await page.context().close()
})

test('2.96 cancelling in the middle keeps nothing of the file, and the next one goes on', async ({ browser }) => {
  const { page, id } = await openForm(browser, 'Cancelled')
  await throttle(page)
  await choose(page, [pdf('slow.pdf', 2000), pdf('next.pdf')])
  await add(page)
  const bar = page.getByRole('progressbar', { name: 'Uploading slow.pdf' })
  await expect.poll(() => bar.evaluate((one: HTMLProgressElement) => one.value)).toBeGreaterThan(5)
  await page.getByRole('button', { name: 'Cancel slow.pdf' }).click()
  await expect(row(page, 'slow.pdf')).toContainText('The upload was cancelled. Nothing was kept.')
  await expect(page.getByText('Added: 1. Cancelled: 1.')).toBeVisible()
  expect(await readStored(id)).toEqual(['next.pdf'])
  await expectNothingComing()
  await page.getByRole('button', { name: 'Try again: slow.pdf' }).click()
  await expect.poll(() => readStored(id)).toEqual(['slow.pdf', 'next.pdf'])
  await page.context().close()
})

test('a connection that breaks in the middle leaves nothing behind, and the file can be sent again', async ({
  browser,
}) => {
  const line = await layLine(server.url)
  const { page, id } = await openForm(browser, 'Cut', line.url)
  await throttle(page)
  await choose(page, [pdf('first.pdf', 2000), pdf('second.pdf')])
  await add(page)
  const bar = page.getByRole('progressbar', { name: 'Uploading first.pdf' })
  await expect.poll(() => bar.evaluate((one: HTMLProgressElement) => one.value)).toBeGreaterThan(5)
  line.cut()
  await expect(page.getByText('Added: 0. Failed: 2.')).toBeVisible()
  await expect(row(page, 'first.pdf')).toContainText('Failed to create content')
  await expect(row(page, 'first.pdf')).toContainText('The server does not answer.')
  await expectNothingComing()
  expect(await readStored(id)).toEqual([])
  line.mend()
  await page.getByRole('button', { name: 'Try again: second.pdf' }).click()
  await expect(page.getByRole('button', { name: 'View TYPE1, second.pdf' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again: first.pdf' }).click()
  await expect.poll(() => readStored(id)).toEqual(['first.pdf', 'second.pdf'])
  await page.context().close()
  await line.close()
})

test('2.96 what is cancelled while a proxy holds all of it does not stay', async ({ browser }) => {
  const proxy = await layBufferingProxy(server.url)
  const { page, id } = await openForm(browser, 'Held by a proxy', proxy.url)
  await choose(page, [pdf('unwanted.pdf', 100), pdf('next.pdf')])
  await add(page)
  await expect(row(page, 'unwanted.pdf')).toContainText('Checking the file...')
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Cancel unwanted.pdf' }).click()
  await expect(row(page, 'unwanted.pdf')).toContainText('The upload was cancelled. Nothing was kept.')
  proxy.release()
  expect((await removed).status()).toBe(204)
  await expect(page.getByText('Added: 1. Cancelled: 1.')).toBeVisible()
  expect(await readStored(id)).toEqual(['next.pdf'])
  await page.context().close()
  await proxy.close()
})

test('a token that runs out between files is renewed silently', async ({ browser }) => {
  const { page, id } = await openForm(browser, 'Renewed')
  await throttle(page)
  await choose(page, [pdf('a.pdf', 800), pdf('b.pdf', 800)])
  await add(page)
  await expect(page.getByRole('progressbar', { name: 'Uploading a.pdf' })).toBeVisible()
  expireAccessTokens(server)
  await expect(page.getByText('Added: 2.')).toBeVisible({ timeout: 30_000 })
  ada = await signInByApi(server, 'ada')
  expect(await readStored(id)).toEqual(['a.pdf', 'b.pdf'])
  await page.context().close()
})

test('who has to sign in anew does so in place, and what did not arrive is sent then; leaving the page asks first', async ({
  browser,
}) => {
  const { page, id } = await openForm(browser, 'Signed out')
  await throttle(page)
  await choose(page, [pdf('a.pdf', 1200), pdf('b.pdf')])
  await add(page)
  await expect(page.getByRole('progressbar', { name: 'Uploading a.pdf' })).toBeVisible()
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()

  endSessions(server, 'ada')
  const signedOut = page.getByRole('dialog', { name: 'You were signed out' })
  await signedOut.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await signedOut.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(signedOut).toBeHidden()
  ada = await signInByApi(server, 'ada')
  await expect.poll(() => readStored(id)).toEqual(['a.pdf', 'b.pdf'])
  await page.context().close()
})

test('several files are chosen, named, cancelled and sent with the keyboard alone', async ({ browser }) => {
  const { page, id } = await openForm(browser, 'By keyboard')
  await throttle(page)
  const tabTo = async (target: Locator) => {
    for (let stop = 0; stop < 60; stop += 1) {
      if (await target.evaluate((one) => one === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error('Tab does not lead there')
  }
  // Asked for well before, so that the browser is ready to hand it over.
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page.getByRole('button', { name: 'Choose files' }))
  await page.keyboard.press('Enter')
  await (await chooser).setFiles([pdf('a.pdf', 1500), pdf('b.pdf'), pdf('c.pdf')])
  await tabTo(page.getByLabel('Type of the title of b.pdf'))
  await page.keyboard.press('End')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Second')
  await tabTo(page.getByRole('button', { name: 'Take c.pdf off the list' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeFocused()
  await tabTo(page.getByRole('button', { name: 'Add Content' }))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Cancel a.pdf' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row(page, 'a.pdf')).toBeFocused()
  await expect(page.getByText('Added: 1. Cancelled: 1.')).toBeVisible()
  await tabTo(page.getByRole('button', { name: 'Try again: a.pdf' }))
  await page.keyboard.press('Enter')
  await expect.poll(() => readStored(id)).toEqual(['a.pdf', 'b.pdf'])
  await expect(page.getByRole('button', { name: 'View Second, b.pdf' })).toBeVisible()
  await page.context().close()
})
