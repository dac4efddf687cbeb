import type { Import, Problem, Rule, SourceTree } from './source-tree.ts'

const SERVER = 'packages/server/src/'
/** Doors of certify that run in the server's own thread. */
const DOORS = ['packages/certify/src/pool.ts', 'packages/certify/src/sealing/issuing-keys.ts']
/** Work that stops every other request while it lasts. */
const HEAVY = ['@libpdf/core', 'sharp', 'harfbuzzjs', 'bidi-js', 'file-type']
const HASHING = new Set(['createHash', 'hash', 'pbkdf2Sync', 'scryptSync', 'default', '*'])
/** Tokens of 32 bytes, and files piece by piece as they pass. */
const MAY_HASH = new Set([`${SERVER}secrets/tokens.ts`, `${SERVER}blobs/hashing-stream.ts`])

/** PDF and image work never runs on the server's main thread, and nothing is hashed there in one go that may be long. */
export const checkMainThread: Rule = (tree) => {
  const problems: Problem[] = []
  for (const file of tree.files.filter(({ path, isTest }) => path.startsWith(SERVER) && !isTest)) {
    for (const imported of file.imports.filter(({ typeOnly }) => !typeOnly)) {
      const text = checkServerImport(file.path, imported)
      if (text) problems.push({ path: file.path, line: imported.line, text })
    }
  }
  return [...problems, ...DOORS.flatMap((door) => checkDoor(tree, door))]
}

function checkServerImport(path: string, { specifier, names }: Import): string | undefined {
  if (HEAVY.includes(specifier))
    return `${specifier} would block every request: this work belongs into a worker of certify, behind its pool.`
  const hashing = specifier === 'node:crypto' ? names.find((name) => HASHING.has(name)) : undefined
  if (!hashing || MAY_HASH.has(path)) return undefined
  if (hashing === '*' || hashing === 'default')
    return 'import single names from node:crypto, so that hashing on the main thread stays visible.'
  return `${hashing} on the main thread is for tokens.ts alone: files pass through blobs/hashing-stream.ts.`
}

/** Follows what is loaded with a door, workers and types left out. */
function checkDoor({ files }: SourceTree, door: string): Problem[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const ways = new Map([[door, [door]]])
  const problems: Problem[] = []
  for (const [path, way] of ways) {
    for (const { specifier, target, typeOnly, line } of byPath.get(path)?.imports ?? []) {
      if (typeOnly) continue
      if (HEAVY.includes(specifier)) {
        problems.push({
          path,
          line,
          text: `${specifier} is loaded into the server's main thread by way of ${way.join(' > ')}: load it in the worker only.`,
        })
      }
      if (target && !ways.has(target)) ways.set(target, [...way, target])
    }
  }
  return problems
}
