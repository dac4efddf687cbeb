import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { findAccessibilityFaults } from './support/accessibility.ts'
import { signInByApi } from './support/api.ts'
import { endSessions, expireAccessTokens } from './support/faults.ts'
import { waitUntilLoaded, watchLoading } from './support/loading.ts'
import { keepSignedIn, signIn, signOut } from './support/people.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  for (const username of ['ada', 'bob']) await server.createUser({ username })
  await server.createUser({ username: 'sam', role: 'staff' })
})
test.afterAll(() => server.stop())

const open: BrowserContext[] = []
// Each person has five live streams at most.
test.afterEach(async () => {
  for (const context of open.splice(0)) await context.close()
})

async function openSignedIn(browser: Browser, username = 'ada'): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url })
  open.push(context)
  const page = await context.newPage()
  watchLoading(page)
  await keepSignedIn(page, server, username)
  await page.goto('/dashboard')
  await expect(bell(page)).toBeVisible()
  return page
}

function countCalls(context: BrowserContext, path: string): () => number {
  let count = 0
  context.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith(path)) count++
  })
  return () => count
}

const bell = (page: Page, unread = 0) =>
  page.getByRole('button', { name: unread ? `Notifications, ${unread} unread` : 'Notifications', exact: true })

test('two tabs that wake together renew their session once between them', async ({ browser }) => {
  const one = await openSignedIn(browser)
  const two = await one.context().newPage()
  watchLoading(two)
  await two.goto('/dashboard')
  await expect(bell(two)).toBeVisible()
  for (const page of [one, two]) await waitUntilLoaded(page)
  const renewals = countCalls(one.context(), '/token/refresh/')
  expireAccessTokens(server)
  await Promise.all(
    [one, two].map((page) =>
      page.evaluate(() => document.querySelector<HTMLElement>('[aria-label="Notifications"]')?.click()),
    ),
  )
  for (const page of [one, two]) await expect(page.getByText('No notifications found.')).toBeVisible()
  for (const page of [one, two]) {
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Collection', exact: true }).first().click()
    await expect(page.getByText('No collections found')).toBeVisible()
  }
  expect(renewals()).toBe(1)
  // A token used twice would have ended the session of both.
  await one.reload()
  await expect(one).toHaveURL(/\/collection$/)
  await expect(one.getByText('No collections found')).toBeVisible()
})

test('tabs follow each other’s sign-out and sign-in, and hold nothing of one person for the next', async ({
  browser,
}) => {
  const one = await openSignedIn(browser)
  const two = await one.context().newPage()
  await two.goto('/collection')
  await expect(two.getByRole('heading', { level: 1 })).toHaveText('Collection Management')
  await signOut(one)
  await expect(two).toHaveURL(/\/login$/)
  await expect.poll(() => two.evaluate(() => localStorage.length)).toBe(0)
  await signIn(one, 'ada')
  // The second tab goes on to where it was.
  await expect(two).toHaveURL(/\/collection$/)

  await two.getByLabel('Collection title').fill('Of Ada alone')
  endSessions(server, 'ada')
  const dialog = one.getByRole('dialog', { name: 'You were signed out' })
  // Whichever comes first tells it: this call, or the stream's next look.
  const profile = one.getByRole('link', { name: 'Profile', exact: true }).first()
  await Promise.race([profile.click(), dialog.waitFor()])
  await dialog.getByLabel('Username').fill('bob')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Login' }).click()
  for (const page of [one, two]) await expect(page.getByRole('banner')).toContainText('bob')
  await expect(two.getByLabel('Collection title')).toHaveValue('')
  await expect(two).toHaveURL(/\/collection$/)
})

test('a session that was ended elsewhere is told here, also in a tab nobody touches, and goes on in place', async ({
  browser,
}) => {
  test.slow()
  const page = await openSignedIn(browser, 'bob')
  endSessions(server, 'bob')
  // The stream's session is looked at every 20 seconds.
  const dialog = page.getByRole('dialog', { name: 'You were signed out' })
  await expect(dialog).toBeVisible({ timeout: 40_000 })
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(await findAccessibilityFaults(page)).toEqual([])
  await expect(dialog.getByLabel('Username')).toHaveValue('bob')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Login' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('link', { name: 'Profile', exact: true }).first().click()
  await expect(page.getByLabel('First Name')).toBeVisible()
})

test('a page that is left while it renews its session keeps it', async ({ browser }) => {
  const page = await openSignedIn(browser)
  await waitUntilLoaded(page)
  const { promise: isTraded, resolve: tell } = Promise.withResolvers<void>()
  // The server trades the token, and its answer never comes.
  await page.route('**/token/refresh/', (route) => route.fetch().then(() => tell()), { times: 1 })
  await page.reload({ waitUntil: 'commit' })
  await isTraded
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Profile Management' })).toBeVisible()
  await expect(page.getByText('This session')).toBeVisible()
})

test('2.36 a notification arrives on the bell without a reload, also after the network was away', async ({
  browser,
}) => {
  const page = await openSignedIn(browser)
  let loads = 0
  page.on('load', () => loads++)
  const [owner, staff] = [await signInByApi(server, 'ada'), await signInByApi(server, 'sam')]
  const reject = async (title: string) => {
    const { id } = await owner.post('/collections/', { title })
    await owner.post(`/collections/${String(id)}/save/`, {})
    await staff.post(`/admin/${String(id)}/reject/`, { admin_desc: 'Page 3 is unsigned.' })
  }
  await reject('First')
  await expect(bell(page, 1)).toBeVisible()
  await bell(page, 1).click()
  await expect(page.getByText('REJECTED_COLLECTION')).toHaveCount(1)
  await reject('Second')
  await expect(page.getByText('REJECTED_COLLECTION')).toHaveCount(2)
  await page.keyboard.press('Escape')

  await page.context().setOffline(true)
  await reject('Third')
  await page.context().setOffline(false)
  await expect(bell(page, 3)).toBeVisible()
  expect(loads).toBe(0)
})
