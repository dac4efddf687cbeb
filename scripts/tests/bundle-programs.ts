// Programs that tests start by the hundred, bundled.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listHeapFlags, nameCompiled, USUAL_MEMORY_BYTES } from '@proofdesk/certify/parsing-program'
import {
  bundlePrograms,
  nameProgram,
  PARSING,
  PARSING_PROCESS,
  SERVING,
  writeBundled,
  type BundledFile,
} from '../programs/bundle-programs.ts'

/** Those of a release, and those that only tests start. */
const PROGRAMS = [
  ...SERVING,
  'packages/server/src/testing/admin-shell.ts',
  'packages/server/src/testing/approve-on-and-on.ts',
  'packages/server/src/testing/approve-until-killed.ts',
]
const A_DAY_MS = 24 * 60 * 60 * 1000

const KINDS = ['inspect', 'prepare', 'build', 'draw', 'verify']

/**
 * Bundles have a folder of their own, named by what is in them: nobody who reads one sees it change.
 * @returns what tells tests, and the programs that they start, where they are; nothing where there are no such programs
 */
export async function bundleForTests(root: string): Promise<Record<string, string>> {
  if (![...PARSING, ...PROGRAMS].every((path) => existsSync(join(root, path)))) return {}
  const folder = join(root, 'node_modules/.cache/bundled')
  const parsing = join(store(folder, await bundle(root, PARSING)), `${nameProgram(PARSING_PROCESS)}.js`)
  const programs = store(folder, await bundle(root, PROGRAMS))
  removeOld(folder)
  compileAhead(parsing)
  return { PROOFDESK_PARSING_PROGRAM: parsing, PROOFDESK_TEST_PROGRAMS: programs }
}

const bundle = (root: string, programs: readonly string[]): Promise<BundledFile[]> =>
  bundlePrograms(root, programs, (path) => JSON.stringify(pathToFileURL(path).href))

function store(folder: string, files: readonly BundledFile[]): string {
  const hash = createHash('sha256')
  for (const { name, code } of files) hash.update(`${name}\0${code}\0`)
  const place = join(folder, hash.digest('hex').slice(0, 16))
  if (!existsSync(place)) {
    // Two may bundle at once.
    const next = `${place}.${process.pid}`
    writeBundled(next, files)
    putInPlace(next, place)
  }
  const now = new Date()
  utimesSync(place, now, now)
  return place
}

/** V8 takes it under the flags of parsing processes only. Where it fails, each process compiles for itself. */
function compileAhead(program: string): void {
  const compiled = nameCompiled(program)
  if (existsSync(compiled)) return
  const next = `${compiled}.${process.pid}`
  const flags = listHeapFlags(USUAL_MEMORY_BYTES)
  const env = { ...process.env, NODE_COMPILE_CACHE: next }
  const { status } = spawnSync(process.execPath, [...flags, program, ...KINDS], { env, stdio: 'ignore' })
  if (status === 0) putInPlace(next, compiled)
  else rmSync(next, { recursive: true, force: true })
}

/** Those that no run has asked for since yesterday. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity }
    if (Date.now() - mtimeMs > A_DAY_MS) rmSync(path, { recursive: true, force: true })
  }
}

function putInPlace(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    rmSync(from, { recursive: true, force: true })
    // Another one was first, with the same.
    if (!existsSync(to)) throw error
  }
}
