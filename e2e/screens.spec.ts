import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { makeJpeg, makePdf } from '@proofdesk/certify/testing'
import { watchComplaints } from './support/accessibility.ts'
import { approveByApi, signInByApi, type ApiClient } from './support/api.ts'
import { showCode } from './support/authenticator.ts'
import { waitUntilLoaded, watchLoading } from './support/loading.ts'
import { DESKTOP, expectInOrder, PHONE } from './support/looks.ts'
import { BUSY, findLink } from './support/mailbox.ts'
import { chooseOption } from './support/options.ts'
import { MAIL_SCREENS } from './support/mail-screens.ts'
import { keepSignedIn } from './support/people.ts'
import { READER_SCREENS } from './support/reader-screens.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'
import { keepUploadsOnTheirWay, leaveUploadWithoutTitle } from './support/upload-states.ts'
import type { Screen } from './support/screen.ts'
import { TICKET_SCREENS } from './support/ticket-screens.ts'

/** Set to a folder to keep a picture of every screen, for looking at. */
const PICTURES = process.env['SCREEN_PICTURES']

let server: RunningServer
let proofId = ''
let resetPath = ''
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'new.comer', isVerified: false })
  await server.createUser({ username: 'una' })
  await server.createUser({ username: 'tia' })
  await server.createUser({ username: 'sam', role: 'staff' })
  await server.createUser({ username: 'amy', role: 'admin' })
  await server.createUser({ username: 'sue', role: 'superuser' })
  proofId = await fillServer()
  resetPath = await askForReset()
  await switchTwoFactorOn('tia')
  await makeMailWait()
})
test.afterAll(() => server.stop())

/** One collection in each status, with words of several scripts and lengths; ids in this order from 1. */
async function fillServer(): Promise<string> {
  const ada = await signInByApi(server, 'ada')
  const sam = await signInByApi(server, 'sam')
  const titles = [
    'Employment letter – Adaeze Okafor, with a title that goes on for so long that it has to be wrapped somewhere',
    'MSc diploma, Sorbonne 2021',
    'قرارداد اجارهٔ آپارتمان ۱۴۰۵',
    'Vendor onboarding pack',
  ]
  for (const [i, title] of titles.entries()) {
    const { id } = await ada.post('/collections/', { title })
    await ada.upload(Number(id), `Paper ${i + 1}`, { name: 'paper.pdf', buffer: makePdf({ pages: 2 }) })
    await ada.upload(Number(id), 'Photo', { name: 'a-rather-long-file-name-of-a-photo.jpg', buffer: await makeJpeg() })
    await ada.post('/comments/', { text: 'Please look at page 2 first.', collection: id })
    if (i > 0) await ada.post(`/collections/${String(id)}/save/`, {})
  }
  await sam.post('/admin/3/reject/', {
    admin_desc: 'Page 3 is unsigned. Please add the signed copy and send it again.',
  })
  const proofid = await approveByApi(sam, 4, { admin_desc: 'Checked against the register.', expire_time: null })
  await fillTickets(ada, sam)
  return proofid
}

/** One that is being talked about, by an account; staff have taken it. */
async function fillTickets(ada: ApiClient, sam: ApiClient): Promise<void> {
  const ticket = Number((await ada.post('/ticket/', { title: 'My lease came back' }))['id'])
  await ada.post('/conversation/', { text: 'It says “page 3 unreadable”. What can I do?', ticket })
  await sam.post('/conversation/', { text: 'Please scan it again.', ticket })
}

async function switchTwoFactorOn(username: string): Promise<void> {
  const person = await signInByApi(server, username)
  const { secret } = await person.get('/g2fa/gfa_qrcode/')
  await person.patch('/g2fa/gfa_status/', { gfa_is_enabled: true, otp: showCode(String(secret)) })
}

/** @returns the path of the mailed link, which looking at it does not use up */
async function askForReset(): Promise<string> {
  await fetch(`${server.url}/backend/api/v1/password/reset/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'tia@example.test' }),
  })
  const mail = await server.mailbox.waitFor('tia@example.test', /new password/i)
  return new URL(findLink(mail, /\/reset-password\//)).pathname
}

/** The mailbox puts it off. */
async function makeMailWait(): Promise<void> {
  await server.createUser({ username: 'bea', email: `bea${BUSY}`, isVerified: false })
}

const clickButton = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const SCREENS: Screen[] = [
  { name: 'landing', path: () => '/', ready: 'Verify Document Now' },
  { name: 'login', path: () => '/login', ready: 'Reset it' },
  {
    name: 'login refused',
    path: () => '/login',
    ready: 'Login',
    act: async (page) => {
      await page.getByLabel('Username').fill('nobody')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
      await expect(page.getByRole('alertdialog')).toContainText('Invalid Username and Password')
    },
  },
  {
    name: 'login, resetting the password',
    path: () => '/login',
    ready: 'Reset it',
    act: async (page) => {
      await page.getByRole('button', { name: 'Reset it' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Reset Password' }).click()
      await expect(page.getByText('This field is required.')).toBeVisible()
    },
  },
  {
    name: 'login, code step',
    path: () => '/login',
    ready: 'Login',
    act: async (page) => {
      await page.getByLabel('Username').fill('tia')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
      await expect(page.getByPlaceholder('Enter 2FA code')).toBeVisible()
    },
  },
  { name: 'reset password', path: () => resetPath, ready: 'Set the password' },
  { name: 'register', path: () => '/register', ready: 'Create an Account' },
  {
    name: 'register with faults',
    path: () => '/register',
    ready: 'Create an Account',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Register' }).click(),
  },
  { name: 'verify e-mail', path: () => '/verify-email/some-token', ready: 'Verify my e-mail' },
  { name: 'undo e-mail', path: () => '/undo-email/some-token', ready: 'Give it back' },
  { name: 'setup', path: () => '/setup/some-token', ready: 'This link does not work' },
  { name: 'service content', path: () => '/service-content', ready: 'Verify Document' },
  {
    name: 'service content, verified',
    path: () => `/service-content#${new URLSearchParams({ proofid: proofId, username: 'ada' })}`,
    ready: 'Verify Document',
    act: async (page) => {
      await page.getByRole('button', { name: 'Verify Document' }).click()
      await expect(page.getByText('Document Verified Successfully!')).toBeVisible()
    },
  },
  {
    name: 'service content, not found',
    path: () => '/service-content#proofid=0&username=ada',
    ready: 'Verify Document',
    act: async (page) => {
      await page.getByRole('button', { name: 'Verify Document' }).click()
      await expect(page.getByText('No Content Found')).toBeVisible()
    },
  },
  { name: 'API reference', path: () => '/api', ready: 'Calls shown' },
  { name: 'API reference, a call open', path: () => '/api#approveCollection', ready: 'own_collection' },
  {
    name: 'API reference, an upload open',
    path: () => '/api#createContent',
    username: 'ada',
    ready: 'multipart/form-data',
  },
  {
    name: 'API reference, nothing found',
    path: () => '/api',
    ready: 'Calls shown',
    act: (page) => page.getByLabel('Search by path, field, word or code').fill('zebra'),
  },
  { name: 'page not found', path: () => '/nowhere/at/all', ready: 'Page Not Found' },
  { name: 'dashboard', path: () => '/dashboard', username: 'ada', ready: 'Welcome to Your Dashboard' },
  { name: 'dashboard of staff', path: () => '/dashboard', username: 'sam', ready: 'Next collection' },
  { name: 'dashboard of an admin', path: () => '/dashboard', username: 'amy', ready: /Admin/ },
  {
    name: 'dashboard, bell open',
    path: () => '/dashboard',
    username: 'ada',
    ready: 'Welcome to Your Dashboard',
    act: async (page) => {
      await page.getByRole('button', { name: /^Notifications/ }).click()
      await expect(page.getByText('APPROVED_COLLECTION')).toBeVisible()
    },
  },
  {
    name: 'dashboard, the way to any screen open',
    path: () => '/dashboard',
    username: 'ada',
    ready: 'Welcome to Your Dashboard',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('MSc')
      await expect(page.getByRole('option', { name: /MSc diploma/ })).toBeVisible()
    },
  },
  { name: 'profile', path: () => '/profile', username: 'ada', ready: 'Change Password' },
  {
    name: 'profile, unverified, with faults',
    path: () => '/profile',
    username: 'new.comer',
    ready: 'Send verification email',
    act: async (page) => {
      await page.getByRole('button', { name: 'Change Password' }).click()
      await page.getByLabel('Phone Number').fill('call me')
      await page.getByRole('button', { name: 'Update Profile' }).click()
      await expect(page.getByText('Enter a valid phone number.')).toBeVisible()
    },
  },
  { name: 'two-factor setup', path: () => '/2fa-setup', username: 'ada', ready: 'Enable 2FA' },
  {
    name: 'two-factor setup, recovery codes',
    path: () => '/2fa-setup',
    username: 'una',
    ready: 'Enable 2FA',
    act: async (page) => {
      const secret = (await page.locator('code').textContent()) ?? ''
      await page.getByLabel('6-digit OTP').fill(showCode(secret))
      await page.getByRole('button', { name: 'Enable 2FA' }).click()
      await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
      await expect(page.getByRole('alertdialog')).toBeHidden()
    },
  },
  { name: 'profile, two-factor on', path: () => '/profile', username: 'una', ready: 'Disable 2FA' },
  { name: 'collection list', path: () => '/collection', username: 'ada', ready: 'Vendor onboarding pack' },
  {
    name: 'collection list of staff',
    path: () => '/collection?status=all',
    username: 'sam',
    ready: 'Vendor onboarding pack',
  },
  {
    name: 'collection list of a superuser',
    path: () => '/collection',
    username: 'sue',
    ready: 'Vendor onboarding pack',
  },
  { name: 'collection list, empty', path: () => '/collection', username: 'amy', ready: 'No collections found' },
  {
    name: 'collection list, unverified',
    path: () => '/collection',
    username: 'new.comer',
    ready: 'Please verify your Email and login Again',
  },
  {
    name: 'collection list, menu open',
    path: () => '/collection',
    username: 'ada',
    ready: 'Vendor onboarding pack',
    act: async (page) => {
      await clickButton(/^Options of Employment/)(page)
      await expect(page.getByRole('menu')).toBeVisible()
    },
    closesOnResize: true,
  },
  {
    name: 'collection list, editing a title',
    path: () => '/collection',
    username: 'ada',
    ready: 'Vendor onboarding pack',
    act: async (page) => {
      await chooseOption(page, 'Employment', 'Edit')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'collection list, asking before deletion',
    path: () => '/collection',
    username: 'ada',
    ready: 'Vendor onboarding pack',
    act: async (page) => {
      await chooseOption(page, 'Employment', 'Delete')
      await expect(page.getByRole('alertdialog')).toContainText('Are you sure?')
    },
  },
  { name: 'collection, open', path: () => '/content/1', username: 'ada', ready: 'Please look at page 2 first.' },
  {
    name: 'collection, several files chosen',
    path: () => '/content/1',
    username: 'ada',
    ready: 'Please look at page 2 first.',
    act: leaveUploadWithoutTitle,
  },
  {
    name: 'collection, several files on their way',
    path: () => '/content/1',
    username: 'ada',
    ready: 'Please look at page 2 first.',
    act: keepUploadsOnTheirWay,
  },
  { name: 'collection, answered', path: () => '/content/3', username: 'ada', ready: /Page 3 is unsigned/ },
  { name: 'collection, approved', path: () => '/content/4', username: 'ada', ready: 'Please look at page 2 first.' },
  { name: 'collection, in review', path: () => '/content/2', username: 'sam', ready: 'Please look at page 2 first.' },
  {
    name: 'collection, approving',
    path: () => '/content/2',
    username: 'sam',
    ready: 'Please look at page 2 first.',
    act: clickButton('Approve'),
  },
  ...READER_SCREENS,
  {
    name: 'collection, missing',
    path: () => '/content/999',
    username: 'ada',
    ready: 'Failed to load collection details',
  },
  { name: 'server content', path: () => '/server-content', username: 'ada', ready: 'Vendor onboarding pack' },
  { name: 'users of a superuser', path: () => '/users', username: 'sue', ready: 'new.comer@example.test' },
  { name: 'users of an admin', path: () => '/users', username: 'amy', ready: 'new.comer@example.test' },
  {
    name: 'users, refused',
    path: () => '/users',
    username: 'sue',
    ready: 'new.comer@example.test',
    act: async (page) => {
      await page.getByRole('switch', { name: '2FA: ada' }).click()
      await expect(page.getByText('Failed to update gfa_is_enabled.')).toBeVisible()
    },
  },
  { name: 'one person', path: () => '/users/5', username: 'sue', ready: 'Rights can be taken away here' },
  ...MAIL_SCREENS,
  { name: 'health', path: () => '/health', username: 'sue', ready: 'SQLite answered in' },
  { name: 'audit trail', path: () => '/audit', username: 'sue', ready: 'The chain reaches up to' },
  { name: 'about', path: () => '/about', ready: 'How it works' },
  { name: 'contact', path: () => '/contact', ready: 'Go to tickets' },
  { name: 'privacy', path: () => '/privacy', ready: 'In your browser' },
  {
    name: 'server content, empty',
    path: () => '/server-content',
    username: 'amy',
    ready: 'No server content available',
  },
  ...TICKET_SCREENS,
]

const contexts = new Map<string, BrowserContext>()
const tabs = new Map<string, Page>()
test.afterAll(async () => {
  for (const context of contexts.values()) await context.close()
})

/** Each person stays signed in from screen to screen. */
async function openContext(browser: Browser, username: string): Promise<BrowserContext> {
  const known = contexts.get(username)
  if (known) return known
  const context = await browser.newContext({ baseURL: server.url, viewport: DESKTOP, reducedMotion: 'reduce' })
  contexts.set(username, context)
  if (username) {
    const first = await context.newPage()
    await keepSignedIn(first, server, username)
    tabs.set(username, first)
  }
  return context
}

/** Whether nothing of it stays in the tab for the next screen: no open dialog, and no address with the same page. */
const leavesTabFree = ({ path, act }: Screen) => !act && !path().includes('#')

/** People walk from screen to screen in one tab: loading it is a third of the work in a new one. */
async function openTab(browser: Browser, screen: Screen): Promise<Page> {
  const { username = '' } = screen
  const known = leavesTabFree(screen) ? tabs.get(username) : undefined
  const page = known ?? (await (await openContext(browser, username)).newPage())
  if (leavesTabFree(screen)) tabs.set(username, page)
  return page
}

/** What lies over a screen. */
const listOpened = (page: Page) =>
  page
    .locator('dialog[open], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]')
    .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.role ?? one.tagName))

async function openScreen(page: Page, { path, ready, act }: Screen): Promise<void> {
  await page.goto(path())
  await expect(page.getByText(ready).first()).toBeVisible()
  await act?.(page)
  await waitUntilLoaded(page)
}

for (const screen of SCREENS) {
  test(`the accessibility checker finds nothing on ${screen.name}`, async ({ browser }) => {
    const page = await openTab(browser, screen)
    const keep = async (look: string) => {
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${screen.name} ${look}.png`, fullPage: !screen.act })
    }
    const complaints = watchComplaints(page)
    watchLoading(page)
    await page.setViewportSize(DESKTOP)
    await page.emulateMedia({ colorScheme: 'light' })
    await openScreen(page, screen)
    const opened = await listOpened(page)
    await expectInOrder(page, DESKTOP, keep)

    await page.setViewportSize(PHONE)
    if (screen.closesOnResize) await openScreen(page, screen)
    else await waitUntilLoaded(page)
    await expect.poll(() => listOpened(page), 'still open on the phone').toEqual(opened)
    await expectInOrder(page, PHONE, keep)
    expect(complaints).toEqual([])
    if (!leavesTabFree(screen)) await page.close()
  })
}
