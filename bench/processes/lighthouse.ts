import { spawnSync } from 'node:child_process'
import { z } from 'zod'
import { BROWSER, whyNoBrowser } from './slow-phone.ts'

/** Pinned, for its scores change from version to version. It comes from npm's registry when it is first asked for. */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

export const FORMS = ['desktop', 'mobile'] as const
export type Form = (typeof FORMS)[number]

/** What Lighthouse thinks of a page. */
export interface Judged {
  /** 0 to 100 each. */
  scores: Record<(typeof CATEGORIES)[number], number>
  /** How far what was shown has moved, as https://web.dev/articles/cls has it. */
  shift: number
}

/** @returns why it cannot be asked on this machine; undefined where it can. Takes as long as npm needs to fetch it. */
export function whyNoLighthouse(): string | undefined {
  const noBrowser = whyNoBrowser()
  if (noBrowser !== undefined) return noBrowser
  const { status } = spawnSync('npx', ['--yes', LIGHTHOUSE, '--version'])
  return status === 0 ? undefined : `${LIGHTHOUSE} is not here and npm could not fetch it`
}

const score = z.number().transform((share) => Math.round(share * 100))
const Report = z.object({
  categories: z.object({
    performance: z.object({ score }),
    accessibility: z.object({ score }),
    'best-practices': z.object({ score }),
    seo: z.object({ score }),
  }),
  audits: z.object({ 'cumulative-layout-shift': z.object({ numericValue: z.number() }) }),
})

/** How often a page is loaded for one judgement, at most: at times the browser records no trace, and Lighthouse asks to be run again. */
const LOADS = 3

/** @throws with its own words where it came to no judgement */
export function judgePage(url: string, form: Form, loads = LOADS): Judged {
  const { status, stdout, stderr } = spawnSync(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      `--only-categories=${CATEGORIES.join(',')}`,
      '--chrome-flags=--headless=new --no-sandbox',
      ...(form === 'desktop' ? ['--preset=desktop'] : []),
    ],
    { encoding: 'utf8', env: { ...process.env, CHROME_PATH: BROWSER }, maxBuffer: 64 << 20 },
  )
  if (status !== 0 && loads > 1) return judgePage(url, form, loads - 1)
  if (status !== 0) throw new Error(`${LIGHTHOUSE}: ${stderr.trim().split('\n').at(-1) ?? ''}`)
  const { categories, audits } = Report.parse(JSON.parse(stdout))
  return {
    scores: {
      performance: categories.performance.score,
      accessibility: categories.accessibility.score,
      'best-practices': categories['best-practices'].score,
      seo: categories.seo.score,
    },
    shift: audits['cumulative-layout-shift'].numericValue,
  }
}
