import { expect, test, type Page } from '@playwright/test'
import { needJudge, runJudge } from '@proofdesk/certify/testing'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { watchComplaints } from './support/accessibility.ts'
import { showCode } from './support/authenticator.ts'
import { followMenu, signIn, signOut } from './support/people.ts'
import { PASSWORD, startServer, type RunningServer } from './support/running-server.ts'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
  await server.createUser({ username: 'ada' })
})
test.afterAll(() => server.stop())

async function takePasswordStep(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('Two-Factor Authentication')
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByPlaceholder('Enter 2FA code').fill(code)
  await page.getByRole('button', { name: 'Verify 2FA' }).click()
}

test('two-factor is set up, signs in by app and by recovery code, and is switched off', async ({ browser }, info) => {
  const context = await browser.newContext({ baseURL: server.url, acceptDownloads: true })
  const page = await context.newPage()
  const complaints = watchComplaints(page)
  let secret = ''
  let recoveryCodes: string[] = []

  await test.step('2.137 the profile leads to the setup, which shows an image and the same secret for typing in', async () => {
    await signIn(page, 'ada')
    await followMenu(page, 'Profile')
    await expect(page.getByRole('heading', { level: 1, name: 'Profile Management' })).toBeVisible()
    await page.getByRole('link', { name: 'Enable 2FA' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Setup Two-Factor Authentication' })).toBeVisible()
    secret = ((await page.locator('code').textContent()) ?? '').replace(/\s/g, '')
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    if (!needJudge({ skip: () => {} }, 'zbarimg')) return
    const picture = join(info.outputDir, 'qr.png')
    await page.getByRole('img', { name: /QR code/ }).screenshot({ path: picture })
    const { text } = await runJudge('zbarimg', '--quiet', '--raw', picture)
    expect(new URL(text.trim()).searchParams.get('secret')).toBe(secret)
  })

  await test.step('2.138 5.12 8.57 anything but six digits, and a wrong code, are refused and change nothing', async () => {
    const otp = page.getByLabel('6-digit OTP')
    const enable = page.getByRole('button', { name: 'Enable 2FA' })
    await otp.fill('12345')
    await enable.click()
    await expect(page.getByText('Please enter a valid 6-digit OTP')).toBeVisible()
    await otp.fill(showCode(secret, 5))
    await enable.click()
    await expect(page.getByText('Invalid OTP. Please try again.')).toBeVisible()
    await expect(otp).not.toHaveValue('')
  })

  await test.step('8.73 reloading shows the same secret; its code switches two-factor on', async () => {
    await page.reload()
    await expect(page.locator('code')).toHaveText(secret.replace(/(.{4})(?=.)/g, '$1 '))
    await page.getByLabel('6-digit OTP').fill(showCode(secret))
    await page.getByRole('button', { name: 'Enable 2FA' }).click()
    const notice = page.getByRole('alertdialog')
    await expect(notice).toContainText('Two-Factor Authentication has been enabled')
    const shownAt = Date.now()
    await expect(notice).toBeHidden()
    expect(Date.now() - shownAt).toBeLessThan(3000)
  })

  await test.step('2.139 4.16 the recovery codes are shown once and can be downloaded', async () => {
    await expect(page).toHaveURL(/\/profile$/)
    await expect(page.getByRole('heading', { name: 'Keep your recovery codes' })).toBeVisible()
    recoveryCodes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
    expect(recoveryCodes).toHaveLength(10)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the codes' }).click(),
    ])
    const file = await readFile(await download.path(), 'utf8')
    for (const code of recoveryCodes) expect(file).toContain(code)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await expect(page.getByRole('button', { name: 'Disable 2FA' })).toBeVisible()
    await page.goto('/2fa-setup')
    await expect(page.locator('code')).toBeVisible()
    await expect(page.locator('code')).not.toHaveText(secret.replace(/(.{4})(?=.)/g, '$1 '))
    await expect(page.getByRole('list', { name: 'Recovery codes' })).toHaveCount(0)
    await page.goto('/dashboard')
    await signOut(page)
  })

  await test.step('signing in asks for a code; a wrong one is told and can be typed again', async () => {
    await takePasswordStep(page)
    await enterCode(page, '000000')
    const notice = page.getByRole('alertdialog')
    await expect(notice).toContainText('2FA Verification Failed')
    await expect(notice).toContainText('Invalid 2FA code')
    await notice.getByRole('button', { name: 'OK' }).click()
    await expect(page.getByPlaceholder('Enter 2FA code')).toHaveValue('000000')
    // Leaving the dialog forgets code and error, and keeps what stands behind it.
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByLabel('Username')).toHaveValue('ada')
    await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page.getByPlaceholder('Enter 2FA code')).toHaveValue('')
    await expect(page.getByText('Invalid 2FA code')).toHaveCount(0)
    // The code of the setup is used up.
    await enterCode(page, showCode(secret, 1))
    await expect(page).toHaveURL(/\/dashboard$/)
    await signOut(page)
  })

  await test.step('five wrong codes lead back to the password', async () => {
    await takePasswordStep(page)
    for (let tries = 0; tries < 5; tries += 1) {
      await enterCode(page, '000000')
      const notice = page.getByRole('alertdialog')
      await expect(notice).toBeVisible()
      await notice.getByRole('button', { name: 'OK' }).click()
      await expect(notice).toBeHidden()
    }
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByLabel('Username')).toHaveValue('ada')
  })

  await test.step('a recovery code does where the phone is not at hand', async () => {
    await takePasswordStep(page)
    await enterCode(page, (recoveryCodes[0] ?? '').toLowerCase())
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  await test.step('8.72 switching off asks first, is told by mail, and the password alone signs in again', async () => {
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Disable 2FA' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('Are you sure?')
    await question.getByRole('button', { name: 'Disable 2FA' }).click()
    await expect(page.getByText('2FA disabled successfully')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Enable 2FA' })).toBeVisible()
    await server.mailbox.waitFor('ada@example.test', /switched off/)
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await signOut(page)
    await signIn(page, 'ada')
  })

  expect(complaints).toEqual([])
  await context.close()
})
