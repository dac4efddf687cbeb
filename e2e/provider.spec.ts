import { expect, test, type Page } from '@playwright/test'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  type TestIdentityProvider,
} from '@proofdesk/server/testing/identity-provider'
import { findAccessibilityFaults, watchComplaints } from './support/accessibility.ts'
import { showCode } from './support/authenticator.ts'
import { DESKTOP, expectInOrder, PHONE } from './support/looks.ts'
import { leaveLayers } from './support/layers.ts'
import { findLink } from './support/mailbox.ts'
import { signIn, signOut } from './support/people.ts'
import { forgetSignIns } from './support/old-sign-ins.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'

let provider: TestIdentityProvider
let server: RunningServer
test.beforeAll(async () => {
  provider = await startIdentityProvider()
  server = await startServer({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_NAME: 'City ID',
  })
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'squatter', email: 'eve@example.test', isVerified: false })
})
test.afterAll(async () => {
  await server.stop()
  await provider.close()
})

async function pressButton(page: Page): Promise<void> {
  await leaveLayers(page)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with City ID' }).click()
}

async function expectAllInOrder(page: Page): Promise<void> {
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    await expectInOrder(page, size)
  }
}

async function readFailure(page: Page, text: RegExp): Promise<void> {
  const notice = page.getByRole('alertdialog')
  await expect(notice).toContainText('Google Login Failed')
  await expect(notice).toContainText(text)
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect(notice).toBeHidden()
  await expect(page).toHaveURL(`${server.url}/login`)
}

test('4.2 a newcomer signs in by the provider and gets a verified account', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  provider.person = { sub: 'grace', email: 'grace@example.test', email_verified: true, given_name: 'Grace' }
  await pressButton(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Welcome, grace')).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('grace@example.test')
  await expect(page.getByLabel('First Name')).toHaveValue('Grace')
  // What the address carried is gone, from the history too.
  await page.goBack()
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(page.url()).not.toContain('provider_code')
  await signOut(page)
  expect(complaints).toEqual([])
  await context.close()
})

test('with two-factor on, the provider is followed by the code', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await signIn(page, 'ada')
  await page.goto('/2fa-setup')
  const secret = ((await page.locator('code').textContent()) ?? '').replace(/\s/g, '')
  await page.getByLabel('6-digit OTP').fill(showCode(secret))
  await page.getByRole('button', { name: 'Enable 2FA' }).click()
  await expect(page.getByRole('heading', { name: 'Keep your recovery codes' })).toBeVisible()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  const recoveryList = page.getByRole('list', { name: 'Recovery codes' })
  const recoveryCode = (await recoveryList.getByRole('listitem').first().textContent()) ?? ''
  // Who logs out before is asked.
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await signOut(page)

  provider.person = { sub: 'ada', email: 'ada@example.test', email_verified: true }
  await test.step('the account is joined once, by its password and a code', async () => {
    await pressButton(page)
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Is this account yours?')
    expect(await findAccessibilityFaults(page)).toEqual([])
    await dialog.getByLabel('Password of the account', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Link and sign in' }).click()
    await expect(dialog).toContainText('Please enter a 2FA code too.')
    await dialog.getByLabel('2FA code').fill(recoveryCode)
    await dialog.getByRole('button', { name: 'Link and sign in' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await server.mailbox.waitFor('ada@example.test', /was linked/)
    await signOut(page)
  })

  await pressButton(page)
  await expect(page.getByRole('dialog')).toContainText('Two-Factor Authentication')
  expect(await page.evaluate(() => localStorage.getItem('refresh'))).toBeNull()
  await expect(page).toHaveURL(`${server.url}/login`)
  await page.getByPlaceholder('Enter 2FA code').fill(showCode(secret, 1))
  await page.getByRole('button', { name: 'Verify 2FA' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Welcome, ada')).toBeVisible()
  await context.close()
})

test('each failure is told in a dialog, and the form is there again', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()

  await test.step('an e-mail that the provider has not verified', async () => {
    provider.person = { sub: 'mallory', email: 'ada@example.test', email_verified: false }
    await pressButton(page)
    await readFailure(page, /has not verified your e-mail/)
  })

  await test.step('an account whose e-mail nobody verified: the reset helps, then it works', async () => {
    await context.clearCookies()
    provider.person = { sub: 'eve', email: 'eve@example.test', email_verified: true }
    await pressButton(page)
    await readFailure(page, /Forgot your password\?/)
    const api = `${server.url}/backend/api/v1`
    await page.request.post(`${api}/password/reset/`, { data: { email: 'eve@example.test' } })
    const link = findLink(await server.mailbox.waitFor('eve@example.test', /reset-password/), /reset-password/)
    const data = { token: link.split('/').at(-1), new_password: PASSWORD }
    expect((await page.request.post(`${api}/password/reset/confirm/`, { data })).status()).toBe(200)
    await pressButton(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Mail me a link instead' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
    await leaveLayers(page)
    await page.goto(findLink(await server.mailbox.waitFor('eve@example.test', /join-provider/), /join-provider/))
    await page.getByRole('button', { name: 'Link my account' }).click()
    await expect(page.getByText('Your account is linked')).toBeVisible()
    await pressButton(page)
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByText('Welcome, squatter')).toBeVisible()
    await signOut(page)
  })

  await test.step('a used answer of the provider, opened again', async () => {
    await page.goto('/backend/api/v1/auth/oidc/callback?code=used&state=used')
    await readFailure(page, /Could not authenticate with Google/)
  })

  await test.step('somebody else’s one-time code', async () => {
    await leaveLayers(page)
    await page.goto(`/login#provider_code=${'A'.repeat(43)}`)
    await readFailure(page, /Could not authenticate with Google/)
    await expect(page.getByLabel('Username')).toBeVisible()
  })
  await context.close()
})

test('who has no password confirms by the provider in a window of its own, and nothing typed is lost', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  provider.person = { sub: 'fay', email: 'fay@example.test', email_verified: true }
  await pressButton(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  forgetSignIns(server.dataDir)
  await page.goto('/profile')
  await page.getByRole('textbox', { name: 'Email' }).fill('fay2@example.test')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Is it you?')
  expect(await findAccessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Confirm with City ID' }).click()
  await expect(page.getByText('Profile updated successfully')).toBeVisible()
  await expect(dialog).toBeHidden()

  await test.step('the old address takes the change back', async () => {
    const link = findLink(await server.mailbox.waitFor('fay@example.test', /undo-email/), /undo-email/)
    await leaveLayers(page)
    await page.goto(link)
    await page.getByRole('button', { name: 'Give it back' }).click()
    await expect(page.getByText('Your e-mail address is the old one again.')).toBeVisible()
    expect(await findAccessibilityFaults(page)).toEqual([])
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/login/)
  })
  await context.close()
})

test('2.158 the profile links a provider and unlinks it again, and never the only way in', async ({ browser }) => {
  await server.createUser({ username: 'hana' })
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  const section = page.getByRole('region', { name: 'Sign-in with City ID' })
  provider.person = { sub: 'hana', email: 'hana@city.example', email_verified: true }
  await signIn(page, 'hana')
  const elsewhere = await browser.newContext({ baseURL: server.url })
  const other = await elsewhere.newPage()
  await signIn(other, 'hana')

  await test.step('Link opens a window, asks who it is where the sign-in is old, and goes on by itself', async () => {
    forgetSignIns(server.dataDir)
    await page.goto('/profile')
    await expect(section).toContainText('Not linked')
    expect(await findAccessibilityFaults(page)).toEqual([])
    await section.getByRole('button', { name: 'Link City ID' }).click()
    const dialog = page.getByRole('dialog', { name: 'Is it you?' })
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText('City ID is linked')).toBeVisible()
    await expect(section).toContainText('hana@city.example')
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await server.mailbox.waitFor('hana@example.test', /was linked/)
    await other.goto('/profile')
    await expect(other).toHaveURL(/\/login/)
  })

  await test.step('the provider signs in, until it is unlinked', async () => {
    await pressButton(other)
    await expect(other).toHaveURL(/\/profile$/)
    await section.getByRole('button', { name: 'Unlink City ID' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
    await expect(page.getByText('The provider is unlinked')).toBeVisible()
    await expect(section).toContainText('Not linked')
    await server.mailbox.waitFor('hana@example.test', /was unlinked/)
    await other.goto('/profile')
    await expect(other).toHaveURL(/\/login/)
  })

  await test.step('who has no password keeps the only way in', async () => {
    provider.person = { sub: 'ines', email: 'ines@example.test', email_verified: true }
    await pressButton(other)
    await expect(other).toHaveURL(/\/profile$/)
    await other.goto('/profile')
    await other.getByRole('button', { name: 'Unlink City ID' }).click()
    await other.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
    await expect(other.getByRole('alertdialog')).toContainText('This is the only way to sign in to your account.')
  })
  expect(complaints).toEqual([])
  await elsewhere.close()
  await context.close()
})

test('coming back from the provider’s page by the back button, the button works again', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  provider.asksFirst = true
  await pressButton(page)
  await expect(page.getByText('Sign in here')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Sign in with City ID' })).toBeEnabled()
  provider.asksFirst = false
  provider.person = { sub: 'linus', email: 'linus@example.test', email_verified: true }
  await page.getByRole('button', { name: 'Sign in with City ID' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await context.close()
})

test('the sign-in screen with the button of a provider, and the profile with its providers, are in order', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' })
  const page = await context.newPage()
  provider.person = { sub: 'jo', email: 'jo@example.test', email_verified: true }
  await page.goto('/login')
  const button = page.getByRole('button', { name: 'Sign in with City ID' })
  await expect(button).toBeVisible()
  await expectAllInOrder(page)
  await button.click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/profile')
  await expect(page.getByRole('region', { name: 'Sign-in with City ID' })).toContainText('Linked')
  await expectAllInOrder(page)
  await context.close()
})
