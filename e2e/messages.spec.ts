import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { signInByApi } from './support/api.ts'
import { breakConnection, waitForDialogs } from './support/faults.ts'
import { waitUntilLoaded, watchLoading } from './support/loading.ts'
import { chooseOption } from './support/options.ts'
import { keepSignedIn } from './support/people.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'
import { expectAbout, watchStay } from './support/timing.ts'

// Sections 8 and 9 of the specification, word for word and second for second.

const BANNER_MS = 3000
const SENT_MS = 3000
const TOAST_MS = 5000
const REVOKE_MS = 1000

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'new.comer', isVerified: false })
  await server.createUser({ username: 'sam', role: 'staff' })
})
test.afterAll(() => server.stop())

const contexts: BrowserContext[] = []
test.afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})

async function openPage(browser: Browser, path: string, username?: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url })
  contexts.push(context)
  const page = await context.newPage()
  watchLoading(page)
  if (username) await keepSignedIn(page, server, username)
  await page.goto(path)
  if (username) await waitUntilLoaded(page)
  return page
}

/** A collection with one file. @returns the path of its screen */
async function makeCollection(title: string, isSent = false): Promise<string> {
  const ada = await signInByApi(server, 'ada')
  const { id } = await ada.post('/collections/', { title })
  await ada.upload(Number(id), 'Paper', { name: 'paper.pdf', buffer: makePdf() })
  if (isSent) await ada.post(`/collections/${String(id)}/save/`, {})
  return `/content/${String(id)}`
}

const toast = (page: Page, text: string) => page.locator('.Toastify__toast').filter({ hasText: text })

/** Answers the question that deletions and sending ask first. */
async function answerQuestion(page: Page, button: string): Promise<void> {
  const question = page.getByRole('alertdialog')
  await expect(question.getByRole('heading')).toHaveText('Are you sure?')
  await question.getByRole('button', { name: button }).click()
  await expect(question).toBeHidden()
}

async function expectNotice(page: Page, title: string, text: string): Promise<void> {
  const notice = page.getByRole('alertdialog')
  await expect(notice.getByRole('heading')).toHaveText(title)
  await expect(notice).toContainText(text)
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect(notice).toBeHidden()
}

test('signing in: what is wrong stands in a dialog, and what was typed stays', async ({ browser }) => {
  const page = await openPage(browser, '/login')
  const submit = page.getByRole('main').getByRole('button', { name: 'Login', exact: true })
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('Wrong1!')
  await submit.click()
  await expectNotice(page, 'Wrong!', 'Invalid Username and Password')
  await expect(page.getByLabel('Username')).toHaveValue('ada')
  const mend = await breakConnection(page, '/auth/login/')
  await submit.click()
  await expectNotice(page, 'Wrong!', 'The server does not answer.')
  await mend()
  await expect(page).toHaveURL(/\/login$/)
})

test('registering: the failure is told inline and in a dialog, with the server’s messages', async ({ browser }) => {
  const page = await openPage(browser, '/register')
  const fill = async (values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
  }
  const submit = page.getByRole('main').getByRole('button', { name: 'Register' })
  await fill({
    'First Name': 'Ada',
    'Last Name': 'L',
    Email: 'other@example.test',
    Username: 'ada',
    Password: 'weak',
    'Confirm Password': 'week',
    'Phone Number': '+44 20 7946 0958',
  })
  await submit.click()
  await expect(
    page.getByText(
      'Password must be at least 6 characters and include an uppercase letter, a digit, and a special character (!@#$%^&*).',
    ),
  ).toBeVisible()
  await fill({ Password: PASSWORD })
  await submit.click()
  await expect(page.getByText('Passwords do not match.')).toBeVisible()
  await fill({ 'Confirm Password': PASSWORD })
  await submit.click()
  await expectNotice(page, 'Registration Failed', 'Registration failed: A user with that username already exists.')
  await expect(page.getByRole('alert').first()).toHaveText(
    'Registration failed: A user with that username already exists.',
  )
  await fill({ Username: 'ada2' })
  const mend = await breakConnection(page, '/auth/register/')
  await submit.click()
  await expectNotice(page, 'Registration Failed', 'Registration failed: Try again later.')
  await expect(page.getByText('Registration failed: Try again later.')).toBeVisible()
  await mend()
  await submit.click()
  await expectNotice(page, 'Registration Successful!', '')
  await expect(page).toHaveURL(/\/login$/)
})

test('9.15 collections: success banners vanish after 3 seconds, and deleting asks first', async ({ browser }) => {
  const page = await openPage(browser, '/collection', 'ada')
  await page.getByLabel('Collection title').fill('   ')
  await page.getByRole('button', { name: 'Create collection' }).click()
  await expect(page.getByText('Collection title is required.')).toBeVisible()
  await page.getByLabel('Collection title').fill('Short-lived')
  const created = await watchStay(page, 'Collection created successfully!')
  await page.getByRole('button', { name: 'Create collection' }).click()
  expectAbout(await created(), BANNER_MS)

  await chooseOption(page, 'Short-lived', 'Edit')
  await page.getByRole('dialog').getByRole('textbox').fill(' ')
  await page.getByRole('button', { name: 'Save title' }).click()
  await expect(page.getByRole('dialog').getByText('Collection title is required.')).toBeVisible()
  await page.getByRole('dialog').getByRole('textbox').fill('Still short-lived')
  const updated = await watchStay(page, 'Collection updated successfully!')
  await page.getByRole('button', { name: 'Save title' }).click()
  expectAbout(await updated(), BANNER_MS)

  await chooseOption(page, 'Still short-lived', 'Delete')
  await answerQuestion(page, 'Cancel')
  await expect(page.getByText('Still short-lived')).toBeVisible()
  await chooseOption(page, 'Still short-lived', 'Delete')
  const deleted = await watchStay(page, 'Collection deleted successfully!')
  await answerQuestion(page, 'Delete')
  expectAbout(await deleted(), BANNER_MS)
  await expect(page.getByText('Still short-lived')).toBeHidden()
})

test('collections: what fails is said in red', async ({ browser }) => {
  const path = await makeCollection('Steady')
  const page = await openPage(browser, '/collection', 'ada')
  await waitForDialogs(page)
  await expect(page.getByRole('button', { name: 'Options of Steady' })).toBeVisible()
  const mend = await breakConnection(page, '/collections/')
  await page.getByLabel('Collection title').fill('Never made')
  await page.getByRole('button', { name: 'Create collection' }).click()
  await expectNotice(page, 'Collection not created', 'Failed to create collection: The server does not answer.')
  await chooseOption(page, 'Steady', 'Edit')
  await page.getByRole('button', { name: 'Save title' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Failed to update collection')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await chooseOption(page, 'Steady', 'Delete')
  await answerQuestion(page, 'Delete')
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to delete collection' })).toBeVisible()
  await page.getByPlaceholder('Search by title or Proof ID').fill('something')
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to fetch collections' })).toBeVisible()
  await page.goto(path)
  await expect(page.getByRole('alert')).toContainText('Failed to load collection details')
  await mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Collection Management: Steady')
})

test('9.17 9.18 9.19 contents: toasts stand top right for 5 seconds, Alt+T leads to them, deleting asks first', async ({
  browser,
}) => {
  const page = await openPage(browser, await makeCollection('With files'), 'ada')
  await page.getByLabel('Title type').selectOption('OTHER')
  await page.getByRole('button', { name: 'Add Content' }).click()
  await expect(
    page.getByText('Cannot create content: invalid title or collection is locked', { exact: true }),
  ).toBeVisible()
  await page.getByLabel('Title', { exact: true }).fill('Scan')
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

  await page.getByRole('button', { name: /^Delete Scan/ }).click()
  await answerQuestion(page, 'Delete')
  await expect(toast(page, 'Deleted!')).toBeVisible()
  await page.keyboard.press('Alt+t')
  expect(await page.evaluate(() => document.activeElement?.closest('.Toastify') !== null)).toBe(true)
  await expect(page.getByText('scan.pdf')).toBeHidden()
})

test('contents: what fails is said in red', async ({ browser }) => {
  const page = await openPage(browser, await makeCollection('Breaking'), 'ada')
  await expect(page.getByText('paper.pdf').first()).toBeVisible()
  await waitForDialogs(page)
  const mend = await breakConnection(page, '/contents/')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: makePdf() })
  await page.getByRole('button', { name: 'Add Content' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to create content' })).toBeVisible()
  await page.getByRole('button', { name: /^Delete Paper/ }).click()
  await answerQuestion(page, 'Delete')
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to delete content' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to load contents' })).toBeVisible()
  await mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('paper.pdf').first()).toBeVisible()
})

test('8.41 viewing a file without a network warns of download managers', async ({ browser }) => {
  const page = await openPage(browser, await makeCollection('Viewed'), 'ada')
  await expect(page.getByText('paper.pdf').first()).toBeVisible()
  await waitForDialogs(page)
  const mend = await breakConnection(page, '/contents/serve/')
  const hint = 'If you use a download manager such as IDM, please disable it'
  await page.getByRole('button', { name: /^View Paper/ }).click()
  await expectNotice(page, 'IDM Error', hint)
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: /^Open Paper.* in a new tab$/ }).click(),
  ])
  await expectNotice(page, 'IDM Error', hint)
  await expect.poll(() => tab.isClosed()).toBe(true)
  await mend()
  await page.getByRole('button', { name: /^View Paper/ }).click()
  await expect(page.getByRole('dialog').getByRole('article', { name: /^Page 1 of/ })).toBeVisible()
})

test('9.20 the address of a viewed file is revoked after 1 second, and the tab keeps what it shows', async ({
  browser,
}) => {
  const page = await openPage(browser, '/', 'ada')
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

test('comments: empty ones are refused, and what was typed outlives a failure', async ({ browser }) => {
  const page = await openPage(browser, await makeCollection('Discussed'), 'ada')
  const field = page.getByLabel('Comment', { exact: true })
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await field.fill('   ')
  await send.click()
  await expect(page.getByText('Comment cannot be empty', { exact: true })).toBeVisible()
  await field.fill('Please look at page 2.')
  await waitForDialogs(page)
  const mend = await breakConnection(page, '/comments/')
  await send.click()
  await expect(page.getByText('Failed to post comment')).toBeVisible()
  await expect(field).toHaveValue('Please look at page 2.')
  await mend()
  await send.click()
  await expect(toast(page, 'Comment created')).toBeVisible()
  await expect(field).toHaveValue('')
  const breakAgain = await breakConnection(page, '/comments/')
  const remove = page.getByRole('button', { name: /^Delete your comment of/ })
  await remove.click()
  await answerQuestion(page, 'Delete')
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to delete comment' })).toBeVisible()
  await breakAgain()
  await remove.click()
  await answerQuestion(page, 'Delete')
  await expect(toast(page, 'Deleted!')).toBeVisible()
  await expect(page.getByText('Please look at page 2.')).toBeHidden()
  await breakConnection(page, '/comments/')
  await page.reload()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to load comments' })).toBeVisible()
})

test('sending for review asks first; ‘Sent!’ closes after 3 seconds and leads to the dashboard', async ({
  browser,
}) => {
  const page = await openPage(browser, await makeCollection('Sent off'), 'ada')
  const send = page.getByRole('button', { name: 'Send for review' })
  await expect(send).toBeEnabled()
  await waitForDialogs(page)
  const mend = await breakConnection(page, '/collections/')
  await send.click()
  await answerQuestion(page, 'Send for review')
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to send collection' })).toBeVisible()
  await mend()
  await send.click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByRole('heading')).toHaveText('Are you sure?')
  const sent = await watchStay(page, 'Sent!')
  await question.getByRole('button', { name: 'Send for review' }).click()
  await expect(page.getByRole('alertdialog').getByRole('heading', { name: 'Sent!', exact: true })).toBeVisible()
  expectAbout(await sent(), SENT_MS)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('reviewing: failures stand in the dialog, decisions are told by a toast', async ({ browser }) => {
  const [first, second] = [await makeCollection('To approve', true), await makeCollection('To reject', true)]
  const page = await openPage(browser, first, 'sam')
  const mend = await breakConnection(page, '/admin/')
  await page.getByRole('button', { name: 'Approve' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Admin description').fill('Fine.')
  await dialog.getByLabel('No expiry').check()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Failed to approve collection')
  await mend()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(toast(page, 'Approved!')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto(second)
  await page.getByRole('button', { name: 'Reject' }).click()
  await dialog.getByLabel('Admin description').fill('Page 3 is unsigned.')
  const mendAgain = await breakConnection(page, '/admin/')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Failed to reject collection')
  await mendAgain()
  const rejected = await watchStay(page, 'Rejected!')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect(toast(page, 'Rejected!')).toBeVisible()
  expectAbout(await rejected(), TOAST_MS)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the bell says when a notification could not be marked read', async ({ browser }) => {
  const path = await makeCollection('Told of', true)
  const sam = await signInByApi(server, 'sam')
  await sam.post(`/admin/${path.split('/').at(-1) ?? ''}/reject/`, { admin_desc: 'Not yet.' })
  const page = await openPage(browser, '/dashboard', 'ada')
  await breakConnection(page, '/notification/check_read')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByText('REJECTED_COLLECTION').first().click()
  await expect(toast(page, 'Failed to Check Notification')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
})

test('a failed fetch of notifications is only logged', async ({ browser }) => {
  const page = await openPage(browser, '/', 'ada')
  const said: string[] = []
  page.on('console', (message) => void said.push(message.text()))
  await breakConnection(page, '/notification/')
  await page.goto('/dashboard')
  await expect.poll(() => said.join('\n')).toContain('Notifications could not be fetched')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ada')
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0)
})

test('public verification: each refusal in its own words', async ({ browser }) => {
  const page = await openPage(browser, '/service-content')
  const verify = async (proofId: string, username: string) => {
    await page.getByLabel('Proof ID').fill(proofId)
    await page.getByLabel('Username').fill(username)
    await page.getByRole('button', { name: 'Verify Document' }).click()
  }
  const answer = page.getByRole('alert').filter({ hasText: /./ })
  await verify('0000-0000-0000-0000-0', 'ada')
  await expect(answer).toContainText('No Content Found')
  await expect(answer).toContainText('Check your ProodID and Username Again')
  await verify(' ', ' ')
  await expect(answer).toContainText('imperfect Info')
  await expect(answer).toContainText('Fill ProodID and Username')
  await breakConnection(page, '/service-content-servers/')
  await verify('0000-0000-0000-0000-0', 'ada')
  await expect(answer).toContainText('If you use a download manager such as IDM, please disable it')
})

test('the mail for verification: sent, or why not', async ({ browser }) => {
  const page = await openPage(browser, '/dashboard', 'new.comer')
  await expect(page.getByText('Please Verify Your Email')).toBeVisible()
  const again = page.getByRole('button', { name: 'Send the mail again' })
  const mend = await breakConnection(page, '/profile/resend_verification_email/')
  await again.click()
  await expect(toast(page, 'Failed to send verification email')).toBeVisible()
  await mend()
  // It stands over the button for its 5 seconds.
  await toast(page, 'Failed to send').getByRole('button', { name: 'Close' }).click()
  await again.click()
  await expect(toast(page, 'Verification email sent')).toBeVisible()
  await page.goto('/collection')
  await expect(page.getByText('Please verify your Email and login Again')).toBeVisible()
  await expect(page.getByRole('table')).toHaveCount(0)
})

test('an unknown address says ‘Page Not Found’ and leads back home', async ({ browser }) => {
  const page = await openPage(browser, '/no/such/page')
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
})
