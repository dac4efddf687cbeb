import type { Page, Request } from '@playwright/test'

/** What a page has asked for and has no answer to yet. */
interface Loading {
  open: Set<Request>
  /** How many it has asked for so far. */
  asked: number
}

const watched = new WeakMap<Page, Loading>()

/**
 * Notes what a page asks for from now on, so before it goes anywhere. The live stream of a signed-in person, which never
 * ends, and what a person sends do not count. Once a page is enough.
 */
export function watchLoading(page: Page): void {
  if (watched.has(page)) return
  const loading: Loading = { open: new Set(), asked: 0 }
  watched.set(page, loading)
  page.on('request', (request) => {
    loading.asked += 1
    if (request.method() === 'GET' && !request.url().includes('/events/')) loading.open.add(request)
  })
  page.on('requestfinished', (request) => loading.open.delete(request))
  page.on('requestfailed', (request) => loading.open.delete(request))
}

/** Waits until a watched page has all it asked for, has drawn it, and asked for nothing more because of it. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  const loading = watched.get(page)
  if (!loading) throw new Error('watchLoading comes first')
  await page.waitForLoadState('load')
  for (let before = -1; before !== loading.asked || loading.open.size > 0;) {
    before = loading.asked
    await waitUntilDrawn(page)
  }
}

/** Frames of a window that Chromium holds back do not come; what is in the page does not depend on them. */
const LONGEST_FRAMES_MS = 5000

/** Two frames, and the first moment after them at which the page has nothing to do. */
async function waitUntilDrawn(page: Page): Promise<void> {
  await page.evaluate(
    (longest) =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => resolve())))
        setTimeout(resolve, longest)
      }),
    LONGEST_FRAMES_MS,
  )
}
