import { expect, test, type Page } from '@playwright/test'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  type TestIdentityProvider,
} from '@proofdesk/server/testing/identity-provider'
import { DESKTOP, expectInOrder, PHONE } from './support/looks.ts'
import { startServer, type RunningServer } from './support/running-server.ts'

// Screens that show more where a provider signs people in.

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
})
test.afterAll(async () => {
  await server.stop()
  await provider.close()
})

async function expectAllInOrder(page: Page): Promise<void> {
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    await expectInOrder(page, size)
  }
}

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
