import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { runJudge } from '@proofdesk/certify/testing'
import { BROWSER_PAGES } from '@proofdesk/certify/testing/browser-pages'
import { drawAsOthers, readScreen } from '@proofdesk/certify/testing/four-readers'
import { tellApart } from '@proofdesk/certify/testing/tell-apart'
import { signInByApi, takeTokens } from './support/api.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

let server: RunningServer
let folder: string
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'sam', role: 'staff' })
  folder = await mkdtemp(join(tmpdir(), 'one-look-'))
})
test.afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** One collection of all pages, with the reviewers. */
async function sendPages(): Promise<number> {
  const ada = await signInByApi(server, 'ada')
  const id = Number((await ada.post('/collections/', { title: 'One look' }))['id'])
  for (const [i, { bytes }] of BROWSER_PAGES.entries()) {
    // That many at once is more than the server looks at, and it says so.
    const upload = () => ada.upload(id, `Page ${i + 1}`, { name: `${i + 1}.pdf`, buffer: bytes })
    await expect(upload).toPass({ timeout: 60_000, intervals: [1000] })
  }
  await ada.post(`/collections/${id}/save/`, {})
  await expect
    .poll(async () => (await ada.get(`/collections/${id}`))['submission'], { timeout: 60_000 })
    .toMatchObject({ document: 'ready' })
  return id
}

/** Pictures of all pages, as the reviewer's screen shows them while the document is gone through. */
async function readScreens(page: Page): Promise<Buffer[]> {
  const pictures: Buffer[] = []
  const number = page.getByRole('textbox', { name: 'Page number' })
  // A slow machine takes its time to open that many.
  await expect(number).toBeVisible({ timeout: 120_000 })
  for (let at = 1; at <= BROWSER_PAGES.length; at++) {
    const canvas = page
      .getByRole('article', { name: `Page ${at} of ${BROWSER_PAGES.length}`, exact: true })
      .locator('canvas')
    await number.fill(String(at))
    await number.press('Enter')
    await expect(canvas, BROWSER_PAGES[at - 1]!.title).toBeVisible()
    const address = await canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL())
    pictures.push(Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'))
  }
  return pictures
}

/** The review document page by page, in files of their own. */
async function fetchPages(id: number): Promise<string[]> {
  const { access } = await takeTokens(server, 'sam')
  const address = `${server.url}/backend/api/v1/collections/${id}/submissions/1/document/`
  const response = await fetch(address, { headers: { authorization: `Bearer ${access}` } })
  expect(response.status).toBe(200)
  const path = join(folder, 'whole.pdf')
  await writeFile(path, Buffer.from(await response.arrayBuffer()))
  expect((await runJudge('qpdf', '--split-pages', path, join(folder, 'page-%d.pdf'))).code).toBe(0)
  return (await readdir(folder)).filter((name) => name.startsWith('page-')).toSorted()
}

test('11.19 what a reviewer sees of each page is what others see who open it elsewhere', async ({ browser }) => {
  const id = await sendPages()
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await keepSignedIn(page, server, 'sam')
  await page.goto(`/content/${id}`)
  const screens = await readScreens(page)
  await context.close()

  const names = await fetchPages(id)
  expect(names).toHaveLength(BROWSER_PAGES.length)
  const apart: string[] = []
  for (const [i, name] of names.entries()) {
    const path = join(folder, name)
    const reviewed = await readScreen(screens[i]!)
    for (const picture of await drawAsOthers(await readFile(path), path)) {
      const difference = tellApart(picture, reviewed)
      if (difference !== undefined) apart.push(`${BROWSER_PAGES[i]!.title}: ${difference}`)
    }
  }
  expect(apart).toEqual([])
})
