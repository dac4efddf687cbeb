import { expect, test, type Dialog, type Page } from '@playwright/test'
import { signInByApi } from './support/api.ts'
import { DESKTOP, expectInOrder, PHONE } from './support/looks.ts'
import { chooseOption } from './support/options.ts'
import { keepSignedIn } from './support/people.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
  await (await signInByApi(server, 'ada')).post('/collections/', { title: 'Degree' })
})
test.afterAll(() => server.stop())

const readLength = (page: Page) => page.evaluate(() => history.length)
const isBare = (page: Page) =>
  expect.poll(() => page.evaluate(() => (history.state as { layer?: number } | null)?.layer ?? 0)).toBe(0)

test('2.181 Back closes what lies over a screen, in the browser and on a phone', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url, viewport: DESKTOP })
  const page = await context.newPage()
  await keepSignedIn(page, server, 'ada')
  const dialog = page.getByRole('dialog')

  await test.step('a dialog, also where the page is the first of its tab', async () => {
    await page.goto('/collection')
    await chooseOption(page, 'Degree', 'Edit')
    await expect(dialog.getByRole('textbox')).toBeFocused()
    await page.goBack()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/collection$/)
    await expect(page.getByRole('button', { name: 'Options of Degree' })).toBeFocused()
    await isBare(page)
  })

  await test.step('a dialog that is closed otherwise leaves no step behind', async () => {
    await page.getByRole('link', { name: 'Profile' }).first().click()
    await page.getByRole('link', { name: 'Collection' }).first().click()
    await chooseOption(page, 'Degree', 'Edit')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await isBare(page)
    await page.goBack()
    await expect(page).toHaveURL(/\/profile$/)
  })

  await test.step('a page that is reloaded with a dialog open is one step from the one before', async () => {
    await page.goForward()
    await expect(page).toHaveURL(/\/collection$/)
    await chooseOption(page, 'Degree', 'Edit')
    await expect(dialog).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Options of Degree' })).toBeVisible()
    await isBare(page)
    await page.goBack()
    await expect(page).toHaveURL(/\/profile$/)
  })

  await test.step('the menu of a phone, and what it leads to is one step further', async () => {
    await page.setViewportSize(PHONE)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(dialog).toBeVisible()
    await page.goBack()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/profile$/)
    await page.getByRole('button', { name: 'Open menu' }).click()
    const before = await readLength(page)
    await dialog.getByRole('link', { name: 'Tickets' }).click()
    await expect(page).toHaveURL(/\/ticket$/)
    await expect(dialog).toBeHidden()
    expect(await readLength(page)).toBeLessThanOrEqual(before)
    await page.goBack()
    await expect(page).toHaveURL(/\/profile$/)
  })
  await context.close()
})

test('4.46 4.47 what is not saved in the profile is asked about before a reload, and outlives it', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: server.url, viewport: DESKTOP })
  const page = await context.newPage()
  await keepSignedIn(page, server, 'ada')
  const asked: string[] = []
  page.on('dialog', (question: Dialog) => {
    asked.push(question.type())
    void question.accept()
  })
  const name = page.getByLabel('First Name')
  await page.goto('/profile')
  await name.fill('Augusta')
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    await page.getByText('Not saved yet.').scrollIntoViewIfNeeded()
    await expectInOrder(page, size, async (look) => {
      if (process.env['PICTURES'])
        await page.screenshot({ path: `${process.env['PICTURES']}/profile ${look}.png`, fullPage: true })
    })
  }
  await page.reload()
  await expect(name).toHaveValue('Augusta')
  expect(asked).toEqual(['beforeunload'])
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Profile updated successfully' })).toBeHidden()
  await page.reload()
  await expect(name).toHaveValue('Augusta')
  expect(asked).toEqual(['beforeunload'])
  await context.close()
})

test('23.15 the deletion of an account is asked for from the profile, on a phone', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url, viewport: PHONE })
  const page = await context.newPage()
  await keepSignedIn(page, server, 'ada')
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Ask for the deletion of my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'New ticket' })
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await expectInOrder(page, PHONE)
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/ticket$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/profile$/)
  await page.getByRole('link', { name: 'Ask for the deletion of my account' }).click()
  await dialog.getByRole('button', { name: 'Create ticket' }).click()
  await expect(page.getByRole('heading', { name: /Please delete my account/ })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\/profile$/)
  await context.close()
})
