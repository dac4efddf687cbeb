import { expect, test, type Browser, type Page } from '@playwright/test'
import { makePdf } from '@proofdesk/certify/testing'
import { scrollsSideways, watchComplaints } from './support/accessibility.ts'
import { signInByApi } from './support/api.ts'
import { keepSignedIn, openCollection } from './support/people.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'

const TITLE = 'Employment letter'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'sue', role: 'superuser' })
  await server.createUser({ username: 'amy', role: 'admin' })
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'nils' })
  const ada = await signInByApi(server, 'ada')
  const { id } = await ada.post('/collections/', { title: TITLE })
  await ada.upload(Number(id), 'Letter', { name: 'letter.pdf', buffer: makePdf({ pages: 1 }) })
  await ada.post(`/collections/${String(id)}/save/`, {})
})
test.afterAll(() => server.stop())

async function openPage(browser: Browser, viewport = { width: 1440, height: 900 }): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport })
  return context.newPage()
}

test('an admin makes somebody staff, who then sees what staff review', async ({ browser }) => {
  const admin = await openPage(browser)
  const nils = await openPage(browser)
  const complaints = [admin, nils].map(watchComplaints)

  await test.step('before, they have only their own', async () => {
    await keepSignedIn(nils, server, 'nils')
    await nils.goto('/dashboard')
    await expect(nils.getByRole('heading', { level: 1 })).toHaveText('Welcome, nils')
    await nils.goto('/collection')
    await expect(nils.getByText('No collections found')).toBeVisible()
    await expect(nils.getByRole('button', { name: 'Create collection' })).toBeVisible()
    await nils.goto('/users')
    await expect(nils.getByText('You do not have permission to view this page.')).toBeVisible()
    await expect(nils).toHaveURL(/\/dashboard$/)
  })

  await test.step('the admin finds them and turns the staff toggle', async () => {
    await keepSignedIn(admin, server, 'amy')
    await admin.goto('/dashboard')
    await admin.getByRole('link', { name: 'Users' }).click()
    await admin.getByLabel('Search by username or e-mail').fill('NILS')
    await expect(admin.getByText('1 found')).toBeVisible()
    await expect(admin.getByRole('switch')).toHaveCount(1)
    await admin.getByRole('switch', { name: 'Staff: nils' }).click()
    await expect(admin.getByRole('switch', { name: 'Staff: nils' })).toBeChecked()
    await admin.getByRole('button', { name: 'Staff Users' }).click()
    await expect(admin.getByText('nils@example.test')).toBeVisible()
  })

  await test.step('the new staff sees everybody’s collections and may decide on them', async () => {
    await nils.goto('/dashboard')
    await expect(nils.getByRole('heading', { level: 1 })).toHaveText('Welcome, Staff nils')
    await openCollection(nils, TITLE)
    await expect(nils.getByRole('button', { name: 'Approve' })).toBeVisible()
    await expect(nils.getByRole('button', { name: 'Reject' })).toBeVisible()
    await nils.goto('/collection')
    await expect(nils.getByRole('columnheader', { name: 'Username' })).toBeVisible()
    await expect(nils.getByRole('button', { name: 'Create collection' })).toHaveCount(0)
  })

  expect(complaints.flat(), 'what the browser refused').toEqual([])
})

test('a superuser deactivates somebody on a phone, who is signed out with their next step', async ({ browser }) => {
  const superuser = await openPage(browser, { width: 390, height: 844 })
  const ada = await openPage(browser)
  for (const [page, username] of [
    [ada, 'ada'],
    [superuser, 'sue'],
  ] as const) {
    await keepSignedIn(page, server, username)
    await page.goto('/dashboard')
  }
  await superuser.getByRole('button', { name: 'Open menu' }).click()
  await superuser.getByRole('link', { name: 'Users' }).click()
  await superuser.getByRole('switch', { name: 'Active: ada' }).click()
  await superuser.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
  await expect(superuser.getByRole('switch', { name: 'Active: ada' })).not.toBeChecked()
  expect(await scrollsSideways(superuser), 'scrolls sideways').toBe(false)

  await ada.getByRole('link', { name: 'Collection' }).first().click()
  const dialog = ada.getByRole('dialog', { name: 'You were signed out' })
  await dialog.getByRole('button', { name: 'Stay signed out' }).click()
  await expect(ada).toHaveURL(/\/login$/)
  await ada.getByLabel('Username').fill('ada')
  await ada.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await ada.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await expect(ada.getByRole('alertdialog')).toContainText('Invalid Username and Password')
})

test('8.44 a refused change leaves the users screen in use, and the way to other screens', async ({ browser }) => {
  const superuser = await openPage(browser)
  const failures: Error[] = []
  superuser.on('pageerror', (failure) => failures.push(failure))
  await keepSignedIn(superuser, server, 'sue')
  await superuser.goto('/dashboard')
  await superuser.getByRole('link', { name: 'Users' }).click()
  for (const name of ['2FA: amy', '2FA: nils', '2FA: amy']) {
    await superuser.getByRole('switch', { name }).click()
    await expect(superuser.getByText('Failed to update gfa_is_enabled.')).toBeVisible()
    await expect(superuser.getByRole('switch', { name })).not.toBeChecked()
  }
  await superuser.getByRole('link', { name: 'Profile' }).click()
  await expect(superuser.getByRole('heading', { name: 'Profile Management' })).toBeVisible()
  expect(failures).toEqual([])
})
