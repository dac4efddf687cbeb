import { expect, test, type Browser, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { signInByApi, type ApiClient } from './support/api.ts'
import { PHONE } from './support/looks.ts'
import { chooseOption } from './support/options.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

// On a phone what is pressed and what it brings about seldom fit on one screen.

let server: RunningServer
let ada: ApiClient
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  ada = await signInByApi(server, 'ada')
})
test.afterAll(() => server.stop())

const PAPER = { name: 'paper.pdf', mimeType: 'application/pdf', buffer: makePdf() }
const NO_PAPER = { ...PAPER, buffer: Buffer.from('words') }
const REFUSED = 'Only PDF, JPEG and PNG files are accepted.'

async function openOnPhone(browser: Browser, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: PHONE })
  const page = await context.newPage()
  await keepSignedIn(page, server, 'ada')
  await page.goto(path)
  return page
}

test('why a file was refused comes into sight, and a form leads to what it lacks', async ({ browser }) => {
  const { id } = await ada.post('/collections/', { title: 'Diploma' })
  for (let i = 1; i <= 4; i++) await ada.upload(Number(id), `Paper ${i}`, PAPER)
  const page = await openOnPhone(browser, `/content/${String(id)}`)
  const add = page.getByRole('button', { name: 'Add Content' })

  await add.click()
  await expect(page.getByText('Please choose a file.')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Choose files' })).toBeFocused()

  await page.getByLabel('Title type').selectOption('OTHER')
  await add.click()
  await expect(page.getByLabel('Title', { exact: true })).toBeFocused()
  await page.getByLabel('Title', { exact: true }).fill('Diploma')

  await page.getByLabel('File', { exact: true }).setInputFiles(NO_PAPER)
  await add.click()
  await expect(page.getByText(REFUSED)).toBeInViewport({ ratio: 1 })

  // Whoever writes elsewhere meanwhile stays there.
  await page.route('**/contents/', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    await route.continue()
  })
  await add.click()
  const comment = page.getByLabel('Comment', { exact: true })
  await comment.click()
  await comment.fill('Page 2 follows.')
  await expect(page.getByText('Failed', { exact: true })).toBeVisible()
  await expect(comment).toBeInViewport({ ratio: 1 })
  await page.unroute('**/contents/')

  // The last of several rows is far below what is said about it.
  await page.reload()
  const chooser = page.waitForEvent('filechooser')
  await chooseOption(page, 'Paper 1, paper.pdf', 'Replace file')
  await (await chooser).setFiles(NO_PAPER)
  await expect(page.getByText(REFUSED)).toBeInViewport({ ratio: 1 })
  await page.context().close()
})

test('whoever opens a ticket has the field for the message in sight', async ({ browser }) => {
  const page = await openOnPhone(browser, '/ticket')
  await page.getByRole('button', { name: '+ Add Ticket' }).click()
  await page.getByLabel('Title', { exact: true }).fill('My lease came back')
  await page.getByRole('button', { name: 'Create ticket' }).click()
  await expect(page.getByRole('heading', { name: /^Conversation of/ })).toBeFocused()
  await expect(page.getByRole('heading', { name: /^Conversation of/ })).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeInViewport({ ratio: 1 })
  await page.context().close()
})
