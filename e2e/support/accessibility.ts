import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Which rules the checker runs, in its own words. */
type Rules = { type: 'tag' | 'rule'; values: readonly string[] }

export const ALL_RULES: Rules = { type: 'tag', values: TAGS }
/** Those that a change of colours alone can break. */
export const COLOUR_RULES: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** What the accessibility checker finds on the page as it stands; empty when all is well. */
export async function findAccessibilityFaults(page: Page, rules: Rules = ALL_RULES): Promise<string[]> {
  // Half-faded colours of a transition would be judged as the final ones.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((one) => one.playState !== 'running' || one.effect?.getComputedTiming().iterations === Infinity),
  )
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const results = await page.evaluate(
    (runOnly) =>
      (window as unknown as { axe: { run(root: Document, options: object): Promise<AxeResults> } }).axe.run(document, {
        runOnly,
        // What is in order need not be described.
        resultTypes: ['violations'],
      }),
    rules as { type: 'tag' | 'rule'; values: string[] },
  )
  return results.violations.map(
    (violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
  )
}

/** Whether anything makes the page scroll sideways. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1)
}

/** Collects what the browser refuses because of the Content-Security-Policy, and uncaught errors. */
export function watchComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/Content Security|Trusted Type|Refused to|violates/i.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}
