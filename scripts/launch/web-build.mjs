import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { LaunchProblem, ROOT, inProject } from './project.mjs'
import { runChild } from './run.mjs'
import { makeEnvironment } from './runtime.mjs'

const WEB = inProject('packages', 'web')
const DIST = join(WEB, 'dist')
const STAMP = join(DIST, '.built-from')
const VERIFIER = inProject('packages', 'verifier')
const OFFLINE_PAGE = join(VERIFIER, 'dist', 'verify.html')

/** Everything the built pages are made of; a dependency counts through the lock. */
const SOURCES = [
  'package-lock.json',
  'packages/web/chunks.ts',
  'packages/web/first-loads.ts',
  'packages/web/index.html',
  'packages/web/package.json',
  'packages/web/pdf-resources.ts',
  'packages/web/precompress.ts',
  'packages/web/project.inlang/settings.json',
  'packages/web/public',
  'packages/web/src',
  'packages/web/vite.config.ts',
  'packages/contract/messages',
  'packages/contract/src',
  'packages/proof/src',
  'packages/verifier/build.ts',
  'packages/verifier/package.json',
  'packages/verifier/src',
]
const NOT_BUILT = /(^|\/)(paraglide|testing)\/|\.test\.tsx?$/

/**
 * Builds the web app and the offline page if any of their sources changed since the last build.
 * @param {string} node
 */
export async function ensureWebBuilt(node) {
  if (isFresh()) return
  await withLock(async () => {
    if (isFresh()) return
    console.error('Building the web app …')
    // The stamp comes with the web app, so that stands last.
    await buildVerifier(node)
    await buildWeb(node)
  })
}

async function buildWeb(node) {
  const source = hashSources()
  const next = `${DIST}.next`
  const args = [inProject('node_modules', 'vite', 'bin', 'vite.js'), 'build', WEB]
  args.push('--outDir', next, '--emptyOutDir', '--logLevel', 'warn')
  const exitCode = await runChild(node, args, { cwd: ROOT, env: makeEnvironment(node) })
  if (exitCode !== 0)
    throw new LaunchProblem(`The web app could not be built (exit ${exitCode}); the reason stands above.`)
  writeFileSync(join(next, '.built-from'), source)
  // A running server keeps whole files in front of it: the old build stands until the new one is complete.
  const old = `${DIST}.old`
  rmSync(old, { recursive: true, force: true })
  if (existsSync(DIST)) renameSync(DIST, old)
  renameSync(next, DIST)
  rmSync(old, { recursive: true, force: true })
}

async function buildVerifier(node) {
  const exitCode = await runChild(node, [join(VERIFIER, 'build.ts')], { cwd: ROOT, env: makeEnvironment(node) })
  if (exitCode !== 0)
    throw new LaunchProblem(`The offline page could not be built (exit ${exitCode}); the reason stands above.`)
}

function isFresh() {
  return existsSync(OFFLINE_PAGE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashSources()
}

function hashSources() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of listFiles(source))
      hash
        .update(`${file}\0`)
        .update(readFileSync(inProject(file)))
        .update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} path relative to the project
 * @returns {string[]}
 */
function listFiles(path) {
  const full = inProject(path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  return readdirSync(full, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? listFiles(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
    .filter((file) => !NOT_BUILT.test(file))
    .toSorted()
}
