import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Manifest, SourceFile, SourceTree } from '../walls/source-tree.ts'

const TEST = /\.(test|spec)\.tsx?$/
const SOURCE = /\.(tsx?|mjs)$/
/** A change of them may change how any test runs. */
const RUNS_EVERYTHING =
  /^(package(-lock)?\.json|tsconfig[^/]*\.json|\.npmrc|scripts\/run-tests\.ts|scripts\/tests\/.*)$/
/** What no test names in an import but runs with: by folder of the tests. */
const RUN_WITH: Record<string, string[]> = {
  'packages/server': ['packages/server/src/testing/one-postgres.ts'],
  'packages/web': ['packages/web/vitest.config.ts', 'packages/web/src/testing/setup.ts'],
  e2e: ['e2e/playwright.config.ts'],
}
/** What browser tests look at; they name the server themselves. */
const SHOWN_TO_BROWSERS = /^packages\/web\//

/**
 * The test files that a change can reach: those that import a changed source file, over any number of files, or name it
 * as a program to start. A file of any other kind reaches all tests of its package and of the packages above it.
 * @param changes paths relative to the project, of files that are gone as well
 */
export function findTouchedTests(tree: SourceTree, changes: readonly string[]): string[] {
  const tests = tree.files.filter(({ path }) => TEST.test(path)).map(({ path }) => path)
  if (changes.some((path) => RUNS_EVERYTHING.test(path) && !TEST.test(path))) return tests
  const changed = new Set(changes)
  const reach = makeReach(tree)
  const isTouched = (test: string) =>
    [...reach(test)].some((path) => changed.has(path)) || changes.some((path) => isReachedByKind(tree, test, path))
  return tests.filter(isTouched)
}

/** What no import tells. */
function isReachedByKind({ root, manifests }: SourceTree, test: string, changed: string): boolean {
  const isGone = !existsSync(join(root, changed))
  if (TEST.test(changed)) return false
  const isImported = SOURCE.test(changed) && !isGone
  // The tests of scripts look at pages, at settings and at the project as a whole; they are few.
  if (test.startsWith('scripts/')) return changed.startsWith('scripts/') || !/^(packages|e2e)\//.test(changed)
  if (test.startsWith('e2e/') && SHOWN_TO_BROWSERS.test(changed)) return !changed.endsWith('.md')
  if (isImported || changed.endsWith('.md')) return false
  const [own, other] = [findManifest(manifests, test), findManifest(manifests, changed)]
  return own !== undefined && other !== undefined && dependsOn(manifests, own, other)
}

const findManifest = (manifests: Manifest[], path: string) =>
  manifests.find(({ folder }) => folder !== '.' && path.startsWith(`${folder}/`))

function dependsOn(manifests: Manifest[], own: Manifest, other: Manifest): boolean {
  if (own === other) return true
  return Object.keys({ ...own.dependencies, ...own.devDependencies }).some((name) => {
    const next = manifests.find((manifest) => manifest.name === name)
    return next !== undefined && dependsOn(manifests, next, other)
  })
}

/** @returns a function that lists everything a file leads to, itself included */
function makeReach(tree: SourceTree): (path: string) => Set<string> {
  const files = new Map(tree.files.map((file) => [file.path, file]))
  const known = new Map<string, string[]>()
  function listNext(path: string): string[] {
    let next = known.get(path)
    if (!next) {
      const file = files.get(path)
      next = file ? listNamed(tree, file) : []
      known.set(path, next)
    }
    return next
  }
  return (start) => {
    const seen = new Set([start])
    const runWith = Object.entries(RUN_WITH).flatMap(([folder, also]) => (start.startsWith(`${folder}/`) ? also : []))
    for (const path of runWith) seen.add(path)
    for (const path of seen) for (const next of listNext(path)) seen.add(next)
    return seen
  }
}

/** What a file imports, and what it names as text: programs, threads and pages are found by their paths. */
function listNamed(tree: SourceTree, { path, text, imports }: SourceFile): string[] {
  const imported = imports.filter(({ typeOnly }) => !typeOnly)
  const ofPackages = imported.flatMap(({ specifier }) => resolvePackage(tree.manifests, specifier))
  const literals = [...text.matchAll(/(['"`])((?:\.{1,2}\/)*[\w@.-][\w@./-]*)\1/g)].map(([, , literal = '']) => literal)
  const named = literals.filter((literal) => literal.startsWith('../') || /\.\w+$/.test(literal))
  const folder = posix.dirname(path)
  const places = named.map((literal) => posix.join(folder, literal))
  // Whoever names a folder may use anything in it.
  const inFolders = places.flatMap((place) => listSources(tree, place, path))
  return [...imported.flatMap(({ target }) => target ?? []), ...ofPackages, ...places, ...inFolders]
}

function listSources({ files }: SourceTree, folder: string, namedBy: string): string[] {
  // A folder around the file itself is only the way to somewhere else.
  if (!/^(packages|e2e)\//.test(folder) || namedBy.startsWith(`${folder}/`)) return []
  return files.flatMap(({ path, isTest }) => (path.startsWith(`${folder}/`) && !isTest ? [path] : []))
}

function resolvePackage(manifests: Manifest[], specifier: string): string[] {
  const manifest = manifests.find(({ name }) => name !== '' && specifier.startsWith(`${name}/`))
  const target = manifest?.exports[`.${specifier.slice(manifest.name.length)}`]
  return manifest && target !== undefined ? [posix.join(manifest.folder, target)] : []
}
