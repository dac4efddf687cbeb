import { expect, test, type Locator } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { signInByApi } from './support/api.ts'
import { scrollsSideways } from './support/accessibility.ts'
import { DESKTOP, PHONE } from './support/looks.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

// What people typed may be as long as it may be: what stands beside it keeps its room.

const TITLE = 'W'.repeat(200)
const FILE = `${'x'.repeat(180)}.pdf`

let server: RunningServer
let id: number
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'sue', role: 'superuser' })
  const ada = await signInByApi(server, 'ada')
  id = Number((await ada.post('/collections/', { title: TITLE }))['id'])
  await ada.upload(id, 'Lease', { name: FILE, buffer: makePdf({ pages: 1, text: 'Lease' }) })
})
test.afterAll(() => server.stop())

const countLines = (text: Locator) =>
  text.evaluate((element) => {
    const height = Number.parseFloat(getComputedStyle(element).lineHeight)
    return Math.round(element.getBoundingClientRect().height / height)
  })

test('a long title takes no room from the other columns of the audit trail', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await keepSignedIn(page, server, 'sue')
  await page.goto(`${server.url}/audit`)
  const row = page.getByRole('row').filter({ hasText: TITLE })
  await expect(row).toBeVisible()
  expect(await countLines(row.getByText('ada', { exact: true }))).toBe(1)
  expect(await countLines(row.locator('time'))).toBe(1)
  expect(await scrollsSideways(page)).toBe(false)
})

test('the name of a file takes two lines at most, and is whole in its tooltip', async ({ page }) => {
  await keepSignedIn(page, server, 'ada')
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    await page.goto(`${server.url}/content/${id}`)
    const name = page.getByTitle(FILE, { exact: true })
    await expect(name).toBeVisible()
    expect(await countLines(name)).toBe(2)
  }
})

test('beside a long title on the dashboard stands its status', async ({ page }) => {
  await page.setViewportSize(DESKTOP)
  await keepSignedIn(page, server, 'ada')
  await page.goto(`${server.url}/dashboard`)
  const item = page.getByRole('listitem').filter({ hasText: TITLE })
  const [title, status] = await Promise.all(
    [item.getByRole('link'), item.getByText('Opened')].map((part) => part.boundingBox()),
  )
  expect(status!.x).toBeGreaterThanOrEqual(title!.x + title!.width)
})
