import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { findAccessibilityFaults } from './support/accessibility.ts'
import { signInByApi } from './support/api.ts'
import { breakConnection, waitForDialogs, endSessions, expireAccessTokens, slowDown } from './support/faults.ts'
import { waitUntilLoaded, watchLoading } from './support/loading.ts'
import { chooseOption } from './support/options.ts'
import { signIn, signOut } from './support/people.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'

/** After a first failure of the live stream. */
const LONGER_THAN_A_RETRY_MS = 10_000

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

/** A browser of its own. */
async function openBrowser(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: server.url })
  open.push(context)
  return context
}

async function openSignedIn(browser: Browser, username = 'ada'): Promise<Page> {
  const page = await (await openBrowser(browser)).newPage()
  watchLoading(page)
  await signIn(page, username)
  return page
}

function countCalls(context: BrowserContext, path: string): () => number {
  let count = 0
  context.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith(path)) count++
  })
  return () => count
}

/** Everywhere the page was, in order. */
function watchPlaces(page: Page): string[] {
  const places: string[] = []
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) places.push(new URL(frame.url()).pathname)
  })
  return places
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

test('a token that runs out in the middle of a form is renewed silently, and nothing typed is lost', async ({
  browser,
}) => {
  const page = await openSignedIn(browser, 'bob')
  const places = watchPlaces(page)
  await page.getByRole('link', { name: 'Collection', exact: true }).first().click()
  await page.getByLabel('Collection title').fill('Diploma')
  expireAccessTokens(server)
  await page.getByRole('button', { name: 'Create collection' }).click()
  await expect(page.getByText('Collection created successfully!')).toBeVisible()

  await chooseOption(page, 'Diploma', 'Open')
  await page.getByLabel('Title type').selectOption('OTHER')
  await page.getByLabel('Title', { exact: true }).fill('The diploma')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'd.pdf', mimeType: 'application/pdf', buffer: makePdf() })
  await page.getByLabel('Comment', { exact: true }).fill('Half a sentence')
  expireAccessTokens(server)
  await page.getByRole('button', { name: 'Add Content' }).click()
  await expect(page.getByText('Content created!')).toBeVisible()
  await expect(page.getByText('d.pdf').first()).toBeVisible()
  await expect(page.getByLabel('Comment', { exact: true })).toHaveValue('Half a sentence')
  expireAccessTokens(server)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Comment created')).toBeVisible()
  expect(places.filter((place) => place === '/login')).toEqual([])
})

test('what was typed stays when the network is away while it is sent', async ({ browser }) => {
  const page = await openSignedIn(browser)
  await page.getByRole('link', { name: 'Collection', exact: true }).first().click()
  await page.getByLabel('Collection title').fill('Typed with care')
  await waitForDialogs(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Create collection' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Failed to create collection: The server does not answer.')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByLabel('Collection title')).toHaveValue('Typed with care')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Create collection' }).click()
  await expect(page.getByText('Collection created successfully!')).toBeVisible()
})

test('tabs follow each other’s sign-out and sign-in', async ({ browser }) => {
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
})

test('a tab of one person becomes that of another who signs in in the next, with nothing of the first', async ({
  browser,
}) => {
  const one = await openSignedIn(browser)
  const two = await one.context().newPage()
  await two.goto('/collection')
  await two.getByLabel('Collection title').fill('Of Ada alone')
  endSessions(server, 'ada')
  await one.getByRole('link', { name: 'Profile', exact: true }).first().click()
  const dialog = one.getByRole('dialog', { name: 'You were signed out' })
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
  await expect(bell(page)).toBeVisible()
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

  endSessions(server, 'bob')
  await page.getByLabel('First Name').fill('Robert')
  // Whichever comes first tells it: this call, or the stream's next look.
  await Promise.race([page.getByRole('button', { name: 'Update Profile' }).click(), dialog.waitFor()])
  await dialog.getByRole('button', { name: 'Stay signed out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
})

test('a logout whose call fails keeps the session, one that succeeds clears local storage and leads home', async ({
  browser,
}) => {
  const page = await openSignedIn(browser)
  const said: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') said.push(message.text())
  })
  const mend = await breakConnection(page, '/auth/logout/')
  await page.evaluate(() => localStorage.setItem('something-else', 'x'))
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect.poll(() => said.join('\n')).toContain('Logout failed')
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(await page.evaluate(() => localStorage.getItem('refresh'))).toMatch(/^[\w-]{43}$/)
  await page.reload()
  await expect(page).toHaveURL(/\/dashboard$/)
  await mend()
  await signOut(page)
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login$/)
})

test('a guarded page waits for the session check before it decides', async ({ browser }) => {
  const page = await openSignedIn(browser)
  const places = watchPlaces(page)
  await slowDown(page, 1200)
  await page.goto('/collection')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Collection Management')
  expect(new Set(places)).toEqual(new Set(['/collection']))
})

test('a visitor is sent from a guarded page to the sign-in, comes back after it, and Back leads past both', async ({
  browser,
}) => {
  const page = await (await openBrowser(browser)).newPage()
  await page.goto('/')
  await page.goto('/collection')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/collection$/)
  await page.goto('/login')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/collection$/)
  await page.goBack()
  await expect(page).toHaveURL(`${server.url}/`)
})

test('a server that does not answer while the page loads is not the end of the session', async ({ browser }) => {
  const page = await openSignedIn(browser)
  const mend = await breakConnection(page, '/token/refresh/')
  await page.goto('/dashboard')
  await expect(page.getByText('The server does not answer.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('refresh'))).toMatch(/^[\w-]{43}$/)
  await mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(bell(page)).toBeVisible()
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

test('a stored token that is not valid is taken away, and the person signs in again', async ({ browser }) => {
  const page = await (await openBrowser(browser)).newPage()
  await page.goto('/')
  await page.evaluate(() => {
    localStorage.setItem('refresh', 'A'.repeat(43))
    localStorage.setItem('something-else', 'x')
  })
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
})

test('pressing Login twice signs in once', async ({ browser }) => {
  const page = await (await openBrowser(browser)).newPage()
  const signIns = countCalls(page.context(), '/auth/login/')
  await page.goto('/login')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await slowDown(page, 600)
  const button = page.getByRole('main').getByRole('button', { name: 'Login', exact: true })
  await button.dblclick()
  await expect(page.getByRole('button', { name: 'Loading...' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(signIns()).toBe(1)
})

test('2.36 a notification arrives on the bell without a reload, also after the network was away', async ({
  browser,
}) => {
  const page = await openSignedIn(browser)
  await expect(bell(page)).toBeVisible()
  const loads = watchPlaces(page)
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
  expect(loads).toEqual([])
})

test('signing out closes the live stream, and none is opened after it', async ({ browser }) => {
  const context = await openBrowser(browser)
  const page = await context.newPage()
  const streams = countCalls(context, '/events/')
  await signIn(page, 'ada')
  await expect.poll(streams).toBe(1)
  const closed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/events/'))
  await page.clock.install()
  await signOut(page)
  await closed
  await page.clock.fastForward(LONGER_THAN_A_RETRY_MS)
  // What was asked for before this has been noted by now.
  await page.evaluate(() => fetch('/healthz'))
  expect(streams()).toBe(1)
})
