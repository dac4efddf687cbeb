import { expect, test, type Browser, type Page } from '@playwright/test'
import { findAccessibilityFaults, scrollsSideways, watchComplaints } from './support/accessibility.ts'
import { findLink } from './support/mailbox.ts'
import { signIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

const EMAIL = 'vera@example.test'
const TITLE = 'Is this certificate real?'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'sam', role: 'staff' })
})
test.afterAll(() => server.stop())

async function openPage(browser: Browser, options: { isPhone?: boolean; isDark?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: options.isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    colorScheme: options.isDark ? 'dark' : 'light',
  })
  return context.newPage()
}

async function giveEmail(page: Page): Promise<void> {
  const prompt = page.getByRole('dialog', { name: 'Your e-mail address' })
  await prompt.getByLabel('Email').fill(EMAIL)
  await prompt.getByRole('button', { name: 'Continue' }).click()
  await expect(prompt).toBeHidden()
}

async function writeMessage(page: Page, text: string): Promise<void> {
  await page.getByPlaceholder('Add a comment...').fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('log').getByText(text)).toBeVisible()
  await expect(page.getByText('Message sent!')).toBeVisible()
}

async function expectSound(page: Page): Promise<void> {
  expect(await findAccessibilityFaults(page)).toEqual([])
  expect(await scrollsSideways(page)).toBe(false)
}

test('a visitor asks, staff answer, and the answer opens by cookie here and by mailed link elsewhere', async ({
  browser,
}) => {
  const visitor = await openPage(browser)
  const staff = await openPage(browser, { isDark: true })
  const phone = await openPage(browser, { isPhone: true, isDark: true })
  const complaints = [visitor, staff, phone].map(watchComplaints)

  await test.step('6.36 a visitor is asked for an e-mail and opens a ticket', async () => {
    await visitor.goto('/')
    await visitor.getByRole('banner').getByRole('link', { name: 'Ticket' }).click()
    await giveEmail(visitor)
    await expect(visitor.getByText("You Don't Have Any Ticket Here...!")).toBeVisible()
    await visitor.getByRole('button', { name: '+ Add Ticket' }).click()
    await visitor.getByLabel('Title').fill(TITLE)
    await visitor.getByRole('button', { name: 'Create ticket' }).click()
    await expect(visitor.getByRole('heading', { name: `Conversation of: ${TITLE}` })).toBeVisible()
    await expect(visitor.getByText('No Conversation available.')).toBeVisible()
    await writeMessage(visitor, 'The seal looks odd to me.')
    await expectSound(visitor)
    const cookies = await visitor.context().cookies()
    expect(cookies.filter(({ name }) => name === 'visitor')).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }])
    expect(await visitor.evaluate(() => document.cookie)).not.toContain('visitor')
  })

  await test.step('staff find it by the address, answer and so take it', async () => {
    await signIn(staff, 'sam')
    await staff.goto('/ticket')
    await expect(staff.getByRole('heading', { name: 'List of Tickets of Users' })).toBeVisible()
    await staff.getByPlaceholder('Search By Username...').fill('vera@')
    await staff.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(staff).toHaveURL(/search=vera/)
    // Anywhere in its row.
    await staff
      .getByRole('row')
      .filter({ hasText: TITLE })
      .click({ position: { x: 500, y: 20 } })
    await expect(staff.getByRole('log').getByText('The seal looks odd to me.')).toBeVisible()
    await writeMessage(staff, 'It is genuine; compare its figure with the one on our page.')
    await expect(staff.getByRole('button', { name: 'Close ticket' })).toBeVisible()
    await expectSound(staff)
  })

  await test.step('the visitor sees the answer come in, and again after reloading', async () => {
    await expect(visitor.getByRole('log').getByText('It is genuine')).toBeVisible()
    await visitor.goto('/ticket')
    await visitor.getByRole('button', { name: TITLE }).click()
    await expect(visitor.getByRole('log').getByText('(Admin)')).toBeVisible()
    const tiles = visitor.getByRole('group', { name: 'Show by status' })
    await tiles.getByRole('button', { name: /Answered/ }).click()
    await expect(visitor.getByRole('button', { name: TITLE })).toBeVisible()
    await tiles.getByRole('button', { name: /Opened/ }).click()
    await expect(visitor.getByText("You Don't Have Any Ticket Here...!")).toBeVisible()
  })

  await test.step('from another browser the address alone shows nothing; the link mailed to it does', async () => {
    await phone.goto('/ticket')
    await giveEmail(phone)
    await expect(phone.getByText("You Don't Have Any Ticket Here...!")).toBeVisible()
    await expectSound(phone)
    await phone.getByRole('button', { name: 'Mail me a link' }).first().click()
    const mail = await server.mailbox.waitFor(EMAIL, /asked for a link/)
    await phone.goto(findLink(mail, /\/ticket\/open\//))
    await phone.getByRole('button', { name: 'Open my tickets' }).click()
    await expect(phone).toHaveURL(/\/ticket$/)
    await phone.getByRole('button', { name: TITLE }).click()
    await expect(phone.getByRole('log').getByText('It is genuine')).toBeVisible()
    await writeMessage(phone, 'Thank you!')
    await expectSound(phone)
  })

  await test.step('the answer itself came by mail, with a link that is good once', async () => {
    const mail = await server.mailbox.waitFor(EMAIL, /It is genuine/)
    expect(mail.subject).toBe(`Answer to: ${TITLE}`)
    const link = findLink(mail, /\/ticket\/open\//)
    await phone.goto(link)
    await phone.getByRole('button', { name: 'Open my tickets' }).click()
    await expect(phone).toHaveURL(/\/ticket$/)
    await phone.goto(link)
    await phone.getByRole('button', { name: 'Open my tickets' }).click()
    await expect(phone.getByText('This link has expired or was already used.')).toBeVisible()
    await expectSound(phone)
  })

  await test.step('staff close it: nobody writes in it any more', async () => {
    await expect(staff.getByRole('log').getByText('Thank you!')).toBeVisible()
    await staff.getByRole('button', { name: 'Close ticket' }).click()
    await expect(staff.getByRole('button', { name: 'Reopen ticket' })).toBeVisible()
    await phone.goto('/ticket')
    await phone.getByRole('button', { name: TITLE }).click()
    await expect(phone.getByText('This ticket is closed and takes no more messages.')).toBeVisible()
    await expect(phone.getByPlaceholder('Add a comment...')).toBeHidden()
    await expectSound(phone)
  })

  await test.step('6.45 the visitor leaves a browser that others use too', async () => {
    await phone.getByRole('button', { name: 'Leave this browser' }).click()
    await phone.getByRole('alertdialog').getByRole('button', { name: 'Leave this browser' }).click()
    await expect(phone.getByText('Tickets need an e-mail address')).toBeVisible()
    await expectSound(phone)
    await phone.getByRole('button', { name: 'Enter e-mail address' }).click()
    await giveEmail(phone)
    await expect(phone.getByText("You Don't Have Any Ticket Here...!")).toBeVisible()
  })

  expect(complaints.flat()).toEqual([])
})
