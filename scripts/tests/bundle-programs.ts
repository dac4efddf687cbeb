// Programs that tests start by the hundred, each bundled into a few files: to find their modules takes longer than to run them.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listHeapFlags, nameCompiled, USUAL_MEMORY_BYTES } from '@proofdesk/certify/parsing-program'
import { build } from 'rolldown'
import { keepPlaces } from './keep-places.ts'

const PARSING_PROCESS = 'packages/certify/src/processes/parsing-process.ts'
const PARSING = [PARSING_PROCESS, 'packages/certify/src/processes/orphan-watch.ts']
/** Built apart from those, which would else load what they share with a server from many more files. */
const SERVER = [
  'packages/certify/src/sealing/sealing-thread.ts',
  'packages/server/src/admin/main.ts',
  'packages/server/src/db/long-reads/reading-process.ts',
  'packages/server/src/start/main.ts',
  'packages/server/src/testing/admin-shell.ts',
  'packages/server/src/testing/approve-on-and-on.ts',
  'packages/server/src/testing/approve-until-killed.ts',
]
/** It requires native code by a name that differs from one machine to the next. */
const EXTERNAL = [/^@node-rs\//]
const A_DAY_MS = 24 * 60 * 60 * 1000

const KINDS = ['inspect', 'prepare', 'build', 'draw', 'verify']

interface BundledFile {
  name: string
  code: string
}

/**
 * Bundles have a folder of their own, named by what is in them: nobody who reads one sees it change.
 * @returns what tells tests, and the programs that they start, where they are; nothing where there are no such programs
 */
export async function bundlePrograms(root: string): Promise<Record<string, string>> {
  if (![...PARSING, ...SERVER].every((path) => existsSync(join(root, path)))) return {}
  const folder = join(root, 'node_modules/.cache/bundled')
  const parsing = join(store(folder, await bundle(root, PARSING)), `${nameProgram(PARSING_PROCESS)}.js`)
  const programs = store(folder, await bundle(root, SERVER))
  removeOld(folder)
  compileAhead(parsing)
  return { PROOFDESK_PARSING_PROGRAM: parsing, PROOFDESK_TEST_PROGRAMS: programs }
}

async function bundle(root: string, programs: readonly string[]): Promise<BundledFile[]> {
  const named = new Map(programs.map((path) => [join(root, path), nameProgram(path)]))
  const { output } = await build({
    input: Object.fromEntries([...named].map(([path, name]) => [name, path])),
    cwd: root,
    platform: 'node',
    external: EXTERNAL,
    plugins: [keepPlaces(named)],
    write: false,
    logLevel: 'warn',
    output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false },
  })
  return output.map((file) => {
    if (file.type !== 'chunk') throw new Error(`${file.fileName} is no program`)
    return { name: file.fileName, code: file.code }
  })
}

/** As tests know it: by where it lies below `src`. */
const nameProgram = (path: string): string =>
  path
    .replace(/^.*\/src\//, '')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-')

function store(folder: string, files: readonly BundledFile[]): string {
  const hash = createHash('sha256')
  for (const { name, code } of files) hash.update(`${name}\0${code}\0`)
  const place = join(folder, hash.digest('hex').slice(0, 16))
  if (!existsSync(place)) {
    // Two may bundle at once.
    const next = `${place}.${process.pid}`
    mkdirSync(next, { recursive: true })
    for (const { name, code } of files) writeFileSync(join(next, name), code)
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
