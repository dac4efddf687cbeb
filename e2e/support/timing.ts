import { expect, type Page } from '@playwright/test'

/**
 * Begins to look for a text that is about to appear. The page itself takes the times, so that a busy machine, which looks
 * late from outside, measures right.
 * @returns what waits until it has gone again and tells how long it stayed, in milliseconds
 */
export async function watchStay(page: Page, text: string): Promise<() => Promise<number>> {
  const stay = await page.evaluateHandle((looked) => {
    const { promise, resolve } = Promise.withResolvers<number>()
    let since: number | undefined
    const observer = new MutationObserver(() => {
      const isThere = document.body.textContent.includes(looked)
      if (isThere) since ??= performance.now()
      if (isThere || since === undefined) return
      observer.disconnect()
      resolve(performance.now() - since)
    })
    observer.observe(document, { subtree: true, childList: true, characterData: true })
    return { promise }
  }, text)
  return () => stay.evaluate(({ promise }) => promise)
}

/** @param slackMs For fading out, and for a busy machine. */
export function expectAbout(ms: number, expected: number, slackMs = 4000): void {
  expect(ms).toBeGreaterThan(expected - 200)
  expect(ms).toBeLessThan(expected + slackMs)
}
