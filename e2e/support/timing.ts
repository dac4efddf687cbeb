import { expect, type Locator } from '@playwright/test'

const PATIENCE_MS = 10_000

/** Waits until something appears and how long it then stays, in milliseconds. */
export async function measureStay(something: Locator): Promise<number> {
  await expect(something).toBeVisible()
  const since = Date.now()
  await something.waitFor({ state: 'hidden', timeout: PATIENCE_MS })
  return Date.now() - since
}

/** @param slackMs For fading out, and for a busy machine. */
export function expectAbout(ms: number, expected: number, slackMs = 1500): void {
  expect(ms).toBeGreaterThan(expected - 600)
  expect(ms).toBeLessThan(expected + slackMs)
}
