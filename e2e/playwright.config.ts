import { defineConfig } from '@playwright/test'
import { BROWSER_FLAGS } from '../scripts/ensure-browser.mjs'

/** What people come to do is walked on a large and a small screen; elsewhere the tests say how large theirs is. */
const ON_PHONES = /\/(main-journey|two-factor|password-reset|provider)\.spec\.ts$/

/** A minute or more each: they begin first, or in the end one worker goes on with them while the others have nothing left. */
const LONGEST = /\/(screens|uploads|provider|reader|one-look)\.spec\.ts$/

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
    { name: 'desktop, light, longest', testMatch: LONGEST, use: { colorScheme: 'light' } },
    { name: 'phone, dark', testMatch: ON_PHONES, use: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } },
    { name: 'desktop, light', testIgnore: LONGEST, use: { colorScheme: 'light' } },
  ],
})
