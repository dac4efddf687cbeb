import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

export const BROWSER = process.env['CHROME'] ?? '/usr/bin/chromium'
/** Nothing but the page uses the line; no sandbox, as in containers. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']

/** What a page was like until nothing more came. */
export interface Looked {
  /** The largest that is shown, from the request on, ms. */
  largestPaint: number
  /** How far what was shown has moved, as https://web.dev/articles/cls has it. */
  shift: number
  /** Over the line, in thousands of bytes. */
  kilobytes: number
}

/** A browser as a phone of little speed on a thin line has it; each look begins with nothing kept. */
export interface SlowPhone {
  /** @param refresh Of who is signed in. @param part What is there when the page is whole, as CSS selects it. */
  look(url: string, part: string, refresh?: string): Promise<Looked>
  close(): Promise<void>
}

export function whyNoBrowser(): string | undefined {
  return existsSync(BROWSER) ? undefined : `no browser at ${BROWSER}`
}

export async function openSlowPhone(): Promise<SlowPhone> {
  const browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS })
  return { look: (...what) => look(browser, ...what), close: () => browser.close() }
}

const SCREEN = { width: 390, height: 844 }
/** 1.6 Mbit/s down, 750 kbit/s up, in bytes a second; every answer comes 150 ms later. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const CPU_SLOWER = 4
const SETTLES_MS = 1500

async function look(browser: Browser, url: string, part: string, refresh?: string): Promise<Looked> {
  const kept = refresh === undefined ? [] : [{ name: 'refresh', value: refresh }]
  const context = await browser.newContext({
    viewport: SCREEN,
    deviceScaleFactor: 2,
    storageState: { cookies: [], origins: [{ origin: new URL(url).origin, localStorage: kept }] },
  })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', LINE)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER })
    let bytes = 0
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
    await page.addInitScript(WATCH)
    await page.goto(url)
    await page.locator(part).first().waitFor({ timeout: 60_000 })
    await page.waitForTimeout(SETTLES_MS)
    const seen = (await page.evaluate('window.seenByBench')) as { largestPaint: number; shift: number }
    return { ...seen, kilobytes: bytes / 1000 }
  } finally {
    await context.close()
  }
}

/** Runs in the page before anything of it. */
const WATCH = `
  window.seenByBench = { largestPaint: 0, shift: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.seenByBench.largestPaint = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.seenByBench.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`
