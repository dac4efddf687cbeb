import { join } from 'node:path'
import { expect, test, type Browser, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { weighScreens } from '../scripts/web-weight.ts'
import { signInByApi } from './support/api.ts'
import { waitUntilLoaded, watchLoading } from './support/loading.ts'
import { signIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

const WEB = join(import.meta.dirname, '../packages/web/dist')
const FOR_GUESTS = ['/', '/service-content', '/login']
const FOR_MEMBERS = ['/dashboard', '/collection', '/content/1']
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]
/** Less than a pixel of a large screen: a digit in another face is a hair wider. */
const SHIFT_NOBODY_SEES = 0.001

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  const ada = await signInByApi(server, 'ada')
  for (const title of ['Employment letter', 'MSc diploma', 'Vendor pack']) {
    const { id } = await ada.post('/collections/', { title })
    await ada.upload(Number(id), 'Paper', { name: 'paper.pdf', buffer: makePdf({ pages: 2 }) })
  }
})
test.afterAll(() => server.stop())

test('no first screen loads more scripts than its budget allows', () => {
  expect(weighScreens(WEB).flatMap(({ excess }) => excess)).toEqual([])
})

test('a page names each script that its screen needs first, and nothing on a first screen moves', async ({
  browser,
}) => {
  for (const viewport of SIZES) {
    const page = await openWatched(browser, viewport)
    for (const path of FOR_GUESTS) await lookAt(page, path, viewport)
    await signIn(page, 'ada')
    for (const path of FOR_MEMBERS) await lookAt(page, path, viewport)
    await page.context().close()
  }
})

test('a face that comes late moves nothing that is being read', async ({ browser }) => {
  for (const viewport of SIZES) {
    const page = await openWatched(browser, viewport)
    await page.route('**/*.woff2', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    for (const path of FOR_GUESTS) await lookAt(page, path, viewport)
    await page.context().close()
  }
})

async function openWatched(browser: Browser, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport })
  await context.addInitScript(() => {
    const seen = { shift: 0, movers: [] as string[] }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node?: Element }[]
      })[]) {
        if (entry.hadRecentInput) continue
        seen.shift += entry.value
        seen.movers.push(...entry.sources.map(({ node }) => `${node?.nodeName} ${node?.className}`))
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const page = await context.newPage()
  watchLoading(page)
  return page
}

async function lookAt(page: Page, path: string, { width }: { width: number }): Promise<void> {
  const where = `${path} at ${width} px`
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await waitUntilLoaded(page)
  const { named, first, shift, movers } = await page.evaluate(() => {
    const links = document.querySelectorAll<HTMLLinkElement>('head > link[rel=modulepreload]')
    const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => /\/assets\/[^/]+\.js$/.test(name))
    const { seen } = window as unknown as { seen: { shift: number; movers: string[] } }
    return {
      named: [...links].map(({ href }) => href),
      first: scripts.filter(({ startTime }) => startTime < painted).map(({ name }) => name),
      ...seen,
    }
  })
  expect(named, `${where} names scripts`).not.toEqual([])
  expect(
    first.filter((script) => !named.includes(script)),
    `${where}: found only on the way`,
  ).toEqual([])
  expect(shift, `${where} moved: ${movers.join(', ')}`).toBeLessThanOrEqual(SHIFT_NOBODY_SEES)
}
