import type { Browser, BrowserContext, Page } from '@playwright/test'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const PAGE_FILE = join(import.meta.dirname, '../../packages/verifier/dist/verify.html')

/** Both sizes in light and dark, as `openSaved` takes them. */
export const LOOKS = [1440, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, viewport: { width, height: 900 } })),
)
/** Where the rest follows from these: wide and light, narrow and dark. */
export const TWO_LOOKS = [LOOKS[0]!, LOOKS[3]!]

/** The page as it was saved, in a browser without a network. */
export async function openSaved(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ acceptDownloads: true, ...options })
  await context.setOffline(true)
  return openSavedIn(context)
}

export async function openSavedIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(pathToFileURL(PAGE_FILE).href)
  return page
}

export const givePolicy = (page: Page, buffer: Buffer) =>
  page
    .getByLabel('Policy file of the organisation')
    .setInputFiles({ name: 'proofdesk-policy.json', mimeType: 'application/json', buffer })

export const verdictOf = (page: Page) => page.locator('#verdict')

/** For whoever looks at it: only where a folder is named. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (!folder) return
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const look = `${page.viewportSize()?.width}-${isDark ? 'dark' : 'light'}`
  await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true })
}
