import { expect, type Page } from '@playwright/test'
import { takeTokens } from './api.ts'
import { chooseOption } from './options.ts'
import { PASSWORD, type RunningServer } from './running-server.ts'

/** What a person does, in the words they see. */

export async function signIn(page: Page, username: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

/**
 * Leaves a browser as signing in leaves it, for whatever is not about signing in.
 * @param origin where the browser finds the server, if that is another than the server's own
 */
export async function keepSignedIn(
  page: Page,
  server: RunningServer,
  username: string,
  origin = server.url,
): Promise<void> {
  const { refresh } = await takeTokens(server, username)
  await page
    .context()
    .setStorageState({ cookies: [], origins: [{ origin, localStorage: [{ name: 'refresh', value: refresh }] }] })
}

/** By the menu, which small screens keep behind a button. */
export async function followMenu(page: Page, name: string): Promise<void> {
  const opener = page.getByRole('button', { name: 'Open menu' })
  if (await opener.isVisible()) await opener.click()
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
}

export async function openCollection(page: Page, title: string): Promise<void> {
  await page.goto('/collection')
  await chooseOption(page, title, 'Open')
  await expect(page).toHaveURL(/\/content\/\d+$/)
}

/** Adds one file under a title of its own, and waits until it stands in the table. */
export async function addContent(page: Page, title: string, file: { name: string; mimeType: string; buffer: Buffer }) {
  await page.getByLabel('Title type').selectOption('OTHER')
  await page.getByLabel('Title', { exact: true }).fill(title)
  await page.getByLabel('File', { exact: true }).setInputFiles(file)
  await page.getByRole('button', { name: 'Add Content' }).click()
  await expect(page.getByText('Content created!').first()).toBeVisible()
  await expect(page.getByText(file.name).first()).toBeVisible()
}

export async function sendForReview(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send for review' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Are you sure?')
  await question.getByRole('button', { name: 'Send for review' }).click()
  await expect(page.getByText('Sent!')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
}
