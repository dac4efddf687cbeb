import { expect, type Page, type ViewportSize } from '@playwright/test'
import { ALL_RULES, COLOUR_RULES, findAccessibilityFaults, scrollsSideways } from './accessibility.ts'

// A screen is opened once for its four looks: a window that is made narrow shows what a phone shows, and whether it is light
// or dark changes colours and nothing else.
export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** Light and dark at the size that the page has. @param keep is handed each look, to take a picture of it */
export async function expectInOrder(
  page: Page,
  { width }: ViewportSize,
  keep: (look: string) => Promise<void> = async () => {},
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const look = `${width} px, ${colorScheme}`
    await keep(look)
    const rules = colorScheme === 'light' ? ALL_RULES : COLOUR_RULES
    expect(await findAccessibilityFaults(page, rules), look).toEqual([])
  }
  expect(await scrollsSideways(page), `scrolls sideways at ${width} px`).toBe(false)
}
