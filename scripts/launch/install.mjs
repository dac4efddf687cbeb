import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { withLock } from './lock.mjs'
import { LaunchProblem, ROOT, inProject } from './project.mjs'
import { runChild } from './run.mjs'

const LOCKFILE = inProject('package-lock.json')
/** npm writes this one last, so an interrupted install does not have it. */
const INSTALLED = inProject('node_modules', '.package-lock.json')
const STAMP = inProject('node_modules', '.proofdesk-install')

/** Installs what package-lock.json names, unless it stands there already. */
export async function ensureInstalled() {
  if (isStamped()) return
  await withLock(async () => {
    if (isStamped()) return
    if (!isInstalled()) {
      console.error('Installing packages (first start only) …')
      const exitCode = await installPackages(ROOT)
      if (exitCode !== 0)
        throw new LaunchProblem(`npm could not install the packages (exit ${exitCode}); its own words stand above.`)
    }
    writeStamp()
  })
}

/**
 * `npm ci` in one folder. No package here needs an install script, so none is run.
 * @param {string} folder
 * @returns {Promise<number>} npm's exit code
 */
export async function installPackages(folder) {
  const args = ['ci', '--prefix', folder, '--include=dev', '--include=optional', '--ignore-scripts']
  args.push('--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error')
  const started = Date.now()
  const showTime = () => console.error(`… still installing (${Math.round((Date.now() - started) / 1000)} s)`)
  // On a terminal npm shows its own progress.
  const tick = setInterval(process.stderr.isTTY ? () => {} : showTime, 10_000)
  try {
    const npm = process.env['npm_execpath'] ?? ''
    if (basename(npm) === 'npm-cli.js') return await runChild(process.execPath, [npm, ...args], { cwd: folder })
    return await runChild('npm', args, { cwd: folder })
  } finally {
    clearInterval(tick)
  }
}

function isStamped() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashLockfile()
}

function writeStamp() {
  try {
    writeFileSync(STAMP, hashLockfile())
  } catch (error) {
    // A read-only installation works as well; it is only looked through again next time.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
  }
}

function hashLockfile() {
  return createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex')
}

/** True also after an `npm install` by hand; without it every new dependency would cost a second, whole install. */
function isInstalled() {
  if (!existsSync(INSTALLED)) return false
  return coversLock(
    JSON.parse(readFileSync(INSTALLED, 'utf8')).packages,
    JSON.parse(readFileSync(LOCKFILE, 'utf8')).packages,
  )
}

/**
 * @param {Record<string, { version?: string, integrity?: string }>} present packages by folder, as npm noted them
 * @param {Record<string, { version?: string, integrity?: string, optional?: boolean }>} wanted the same of the lock
 */
export function coversLock(present, wanted) {
  return Object.entries(wanted).every(([folder, entry]) => {
    const found = present[folder]
    // Packages for other platforms are optional and never there.
    if (folder === '' || (!found && entry.optional)) return true
    return found?.version === entry.version && found?.integrity === entry.integrity
  })
}
