// `node scripts/web-weight.ts`: what each first screen of the built web app loads before it stands, against a budget.
// The browser tests check the same budget, and that screens load just these files (`e2e/first-view.spec.ts`).
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Kilobytes as sent, gzip, and files. Raised only with a reason. */
interface Budget {
  screen: string
  path: string
  audience: 'guest' | 'member'
  scripts: number
  files: number
}

const BUDGETS: Budget[] = [
  { screen: 'landing', path: '/', audience: 'guest', scripts: 106.5, files: 4 },
  { screen: 'verify', path: '/service-content', audience: 'guest', scripts: 106.5, files: 4 },
  { screen: 'transparency', path: '/transparency', audience: 'guest', scripts: 162, files: 7 },
  { screen: 'login', path: '/login', audience: 'guest', scripts: 182, files: 7 },
  { screen: 'dashboard', path: '/dashboard', audience: 'member', scripts: 191.4, files: 8 },
  { screen: 'collections', path: '/collection', audience: 'member', scripts: 205.6, files: 10 },
  { screen: 'detail', path: '/content/:id', audience: 'member', scripts: 225.6, files: 11 },
]
const STYLES_BUDGET = 18

export interface Weight {
  screen: string
  files: number
  gzip: number
  brotli: number
  /** One line for each bound that is exceeded. */
  excess: string[]
}

/** @param dist folder of the built web app */
export function weighScreens(dist: string): Weight[] {
  const addresses = readJson(dist, 'first-loads.json') as { path: string; guest: string[]; member: string[] }[]
  const manifest = readJson(dist, 'manifest.json') as Record<string, { css?: string[] }>
  const weights = BUDGETS.map(({ screen, path, audience, scripts, files }): Weight => {
    const loaded = addresses.find((address) => address.path === path)?.[audience]
    if (!loaded) throw new Error(`The build names no scripts for ${path}.`)
    const weight = weigh(dist, screen, loaded)
    if (weight.gzip > scripts) weight.excess.push(`${screen}: ${weight.gzip.toFixed(1)} kB of ${scripts} kB`)
    if (weight.files > files) weight.excess.push(`${screen}: ${weight.files} files of ${files}`)
    return weight
  })
  const styles = weigh(dist, 'styles', manifest['index.html']?.css ?? [])
  if (styles.gzip > STYLES_BUDGET || styles.files === 0)
    styles.excess.push(`styles: ${styles.gzip.toFixed(1)} kB of ${STYLES_BUDGET} kB`)
  return [...weights, styles]
}

function weigh(dist: string, screen: string, files: string[]): Weight {
  const sum = (coding: 'br' | 'gz') => files.reduce((bytes, file) => bytes + sizeOf(dist, file, coding), 0) / 1000
  return { screen, files: files.length, gzip: sum('gz'), brotli: sum('br'), excess: [] }
}

/** Tiny files are sent as they are. */
function sizeOf(dist: string, file: string, coding: 'br' | 'gz'): number {
  const compressed = join(dist, `${file}.${coding}`)
  return statSync(existsSync(compressed) ? compressed : join(dist, file)).size
}

function readJson(dist: string, name: string): unknown {
  return JSON.parse(readFileSync(join(dist, '.vite', name), 'utf8'))
}

if (import.meta.main) {
  const weights = weighScreens(process.argv[2] ?? join(dirname(import.meta.dirname), 'packages/web/dist'))
  for (const { screen, files, gzip, brotli } of weights)
    console.log(`${screen.padEnd(12)} ${files} files  gzip ${gzip.toFixed(1)} kB  brotli ${brotli.toFixed(1)} kB`)
  const excess = weights.flatMap((weight) => weight.excess)
  for (const line of excess) console.error(`Over the budget: ${line}`)
  if (excess.length) process.exitCode = 1
}
