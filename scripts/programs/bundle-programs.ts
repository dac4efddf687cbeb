// Programs that are started again and again, each bundled into a few files: to find their modules takes longer than to run them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { keepPlaces, type PlaceWriter } from './keep-places.ts'

export const PARSING_PROCESS = 'packages/certify/src/processes/parsing-process.ts'
export const PARSING = [PARSING_PROCESS, 'packages/certify/src/processes/orphan-watch.ts']
export const SERVER = 'packages/server/src/start/main.ts'
export const ADMIN = 'packages/server/src/admin/main.ts'
/** Bundled apart from those, which would else load what they share with a server from many more files. */
export const SERVING = [
  'packages/certify/src/sealing/sealing-thread.ts',
  'packages/server/src/db/group-commit/checkpoint-thread.ts',
  ADMIN,
  'packages/server/src/db/long-reads/reading-process.ts',
  SERVER,
]
/** It requires native code by a name that differs from one machine to the next. */
const EXTERNAL = [/^@node-rs\//]

export interface BundledFile {
  name: string
  code: string
}

/** @param root Of the project, with its packages installed. @param programs Paths from there. @throws where a module is missing */
export async function bundlePrograms(
  root: string,
  programs: readonly string[],
  writePlace: PlaceWriter,
): Promise<BundledFile[]> {
  const named = new Map(programs.map((path) => [join(root, path), nameProgram(path)]))
  const { output } = await build({
    input: Object.fromEntries([...named].map(([path, name]) => [name, path])),
    cwd: root,
    platform: 'node',
    external: EXTERNAL,
    plugins: [keepPlaces(named, writePlace)],
    write: false,
    logLevel: 'warn',
    output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments: false },
  })
  return output.map((file) => {
    if (file.type !== 'chunk') throw new Error(`${file.fileName} is no program`)
    return { name: file.fileName, code: file.code }
  })
}

/** Its name in a bundle, without ending: by where it lies below `src`. */
export const nameProgram = (path: string): string =>
  path
    .replace(/^.*\/src\//, '')
    .replace(/\.ts$/, '')
    .replaceAll('/', '-')

export function writeBundled(folder: string, files: readonly BundledFile[]): void {
  mkdirSync(folder, { recursive: true })
  for (const { name, code } of files) writeFileSync(join(folder, name), code)
}
