import type { Locator, Page } from '@playwright/test'

/** Two looks this far apart that see the same place see something that stands. */
const BETWEEN_LOOKS_MS = 60

/** Opens the three-dots menu of a row and chooses one of its options with the mouse. */
export async function chooseOption(page: Page, row: string, option: string): Promise<void> {
  await page.getByRole('button', { name: `Options of ${row}` }).click()
  const item = page.getByRole('menuitem', { name: option })
  await waitUntilStill(item)
  await item.click()
}

/**
 * A menu finds its place over several frames. Playwright scrolls the page when what it wants to press still moves, and
 * the menu then turns over to the other side of its button, away from under the press. Nobody presses that fast.
 */
async function waitUntilStill(item: Locator): Promise<void> {
  await item.waitFor()
  await item.evaluate(async (element, between) => {
    const place = () => JSON.stringify(element.getBoundingClientRect())
    for (let before = ''; before !== place();) {
      before = place()
      await new Promise((resolve) => setTimeout(resolve, between))
    }
  }, BETWEEN_LOOKS_MS)
}
