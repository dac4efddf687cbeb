import { defineConfig } from '@playwright/test'
import { BROWSER_FLAGS } from '../scripts/ensure-browser.mjs'

/** What people come to do. Each is walked on a large and a small screen; every screen's looks are in `screens.spec.ts`. */
const JOURNEYS = /\/(main-journey|roles|notifications|tickets|two-factor|password-reset|provider|users)\.spec\.ts$/

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  // Each file has a server and a mailbox of its own; two at once fit two cores.
  workers: 2,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  retries: 0,
  forbidOnly: true,
  outputDir: '../test-results/browser',
  use: {
    launchOptions: { executablePath: process.env['CHROME'] ?? '/usr/bin/chromium', args: BROWSER_FLAGS },
    trace: 'retain-on-failure',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  },
  projects: [
    { name: 'desktop, light', use: { colorScheme: 'light' } },
    { name: 'phone, dark', testMatch: JOURNEYS, use: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } },
  ],
})
