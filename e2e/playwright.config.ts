import { defineConfig } from '@playwright/test'
import { BROWSER_FLAGS } from '../scripts/ensure-browser.mjs'

/** What people come to do is walked on a large and a small screen; elsewhere the tests say how large theirs is. */
const ON_PHONES = /\/(main-journey|two-factor|password-reset|provider)\.spec\.ts$/

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  // Each file has a server and a mailbox of its own. A journey mostly waits, so three at once fit two cores.
  workers: 3,
  fullyParallel: false,
  // These only end what hangs: a slow machine is not a fault.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  retries: 0,
  forbidOnly: true,
  outputDir: '../test-results/browser',
  use: {
    actionTimeout: 60_000,
    launchOptions: { executablePath: process.env['CHROME'] ?? '/usr/bin/chromium', args: BROWSER_FLAGS },
    // Recording takes as long as what is recorded: only when asked for, such as on what has failed.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  },
  projects: [
    // The longest file first, or one worker is left with it in the end.
    { name: 'phone, dark', testMatch: ON_PHONES, use: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } },
    { name: 'desktop, light', use: { colorScheme: 'light' } },
  ],
})
