import type { Page } from '@playwright/test'

/**
 * Waits until what lay over the screen has left the history, a moment after it closed: that would break off a visit which
 * begins within that moment, as only a program's does.
 */
export async function leaveLayers(page: Page): Promise<void> {
  await page.waitForFunction(() => !(history.state as { layer?: number } | null)?.layer)
}
