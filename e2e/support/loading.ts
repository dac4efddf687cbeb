import type { Page } from '@playwright/test'

/** How long nothing new may come before a page counts as loaded. */
const STILL_MS = 500

/** Waits until a page has loaded all it asked for. Not 'networkidle': the live stream of a signed-in person never ends. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.waitForFunction(async (stillMs) => {
    const count = () => performance.getEntriesByType('resource').length
    const before = count()
    await new Promise((resolve) => setTimeout(resolve, stillMs))
    return count() === before
  }, STILL_MS)
}
