import { expect, test, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { signIn } from './support/people.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
})
test.afterAll(() => server.stop())

const MANY_STOPS = 60

/** Presses Tab until the element with this role and name has the focus, as someone without a mouse does. */
async function tabTo(page: Page, role: 'button' | 'link' | 'textbox' | 'combobox', name: string | RegExp) {
  const target = page.getByRole(role, { name }).first()
  await expect(target).toBeVisible()
  for (let stop = 0; stop < MANY_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${role} ${String(name)}`)
}

test('a collection is made, filled and sent with the keyboard alone', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await page.goto('/login')
  await tabTo(page, 'textbox', 'Username')
  await page.keyboard.type('ada')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)

  await tabTo(page, 'link', 'Collection')
  await page.keyboard.press('Enter')
  await tabTo(page, 'textbox', 'Collection title')
  await page.keyboard.type('Diploma')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Collection created successfully!')).toBeVisible()

  await tabTo(page, 'button', 'Options of Diploma')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Open' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Options of Diploma' })).toBeFocused()
  await page.keyboard.press('Enter')
  for (let i = 0; i < 5; i++) {
    if (await page.getByRole('menuitem', { name: 'Edit' }).evaluate((item) => item === document.activeElement)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('MSc diploma')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Collection updated successfully!')).toBeVisible()

  await tabTo(page, 'button', 'Options of MSc diploma')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Open' }).press('Enter')
  await expect(page).toHaveURL(/\/content\/\d+$/)
  await tabTo(page, 'combobox', 'Title type')
  // Asked for well before, so that the browser is ready to hand it over.
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, 'button', 'Choose files')
  await page.keyboard.press('Enter')
  await (await chooser).setFiles({ name: 'diploma.pdf', mimeType: 'application/pdf', buffer: makePdf() })
  await tabTo(page, 'button', 'Add Content')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Content created!')).toBeVisible()

  await tabTo(page, 'button', 'Send for review')
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Are you sure?')
  for (let i = 0; i < 5; i++) {
    const agree = question.getByRole('button', { name: 'Send for review' })
    if (await agree.evaluate((button) => button === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect(page.getByText('Sent!')).toBeVisible()
})

test('on a phone the menu leads to any collection by its title', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await signIn(page, 'ada')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('button', { name: 'Find a collection or screen' }).click()
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('msc')
  await page.getByRole('option', { name: /^MSc diploma/ }).click()
  await expect(page).toHaveURL(/\/content\/1$/)
  await context.close()
})
