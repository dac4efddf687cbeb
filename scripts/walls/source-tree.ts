import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseSync } from 'rolldown/utils'

export type Program = ReturnType<typeof parseSync>['program']

export interface Import {
  /** As written: `./queries.ts`, `node:fs`, `zod`. */
  specifier: string
  /** For relative ones the path of the file meant, relative to the project; undefined for the others. */
  target: string | undefined
  /** Names taken from it; `*` for all of them, empty for a mere load. */
  names: string[]
  /** Erased before anything runs. */
  typeOnly: boolean
  line: number
}

export interface SourceFile {
  /** Relative to the project, with `/`. */
  path: string
  /** Folder of the workspace it belongs to: `packages/web`, `e2e`, `bench`, `scripts`. */
  home: string
  text: string
  program: Program
  imports: Import[]
  /** Tests, and what only tests use: `*.test.ts`, `testing.ts`, `testing/`, everything in e2e. */
  isTest: boolean
}

export interface Manifest {
  path: string
  folder: string
  name: string
  exports: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

/** The project as the rules look at it. */
export interface SourceTree {
  root: string
  files: SourceFile[]
  manifests: Manifest[]
}

/** Something a rule refuses, with a sentence that says where to go instead. */
export interface Problem {
  path: string
  line?: number
  text: string
}

export type Rule = (tree: SourceTree) => Problem[]

const SOURCES = [
  'packages/*/src/**/*.{ts,tsx}',
  'packages/*/*.ts',
  'scripts/**/*.{ts,mjs}',
  'e2e/**/*.{ts,mjs}',
  'bench/**/*.ts',
]
const MANIFESTS = [
  'package.json',
  'packages/*/package.json',
  'e2e/package.json',
  'e2e/browser/package.json',
  'bench/package.json',
]
const NOT_OURS = /(^|\/)(node_modules|paraglide|dist|unpacked)(\/|$)/
const TEST = /\.(test|spec)\.tsx?$|\/testing(\.ts$|\/)|^e2e\//

/** Reads and parses every source file and package.json under `root`. */
export function readSourceTree(root: string): SourceTree {
  const list = (patterns: string[]) =>
    globSync(patterns, { cwd: root, exclude: (path) => NOT_OURS.test(path) })
      .map((path) => path.split('\\').join('/'))
      .filter((path) => !NOT_OURS.test(path))
      .toSorted()
  return {
    root,
    files: list(SOURCES).map((path) => readSourceFile(root, path)),
    manifests: list(MANIFESTS).map((path) => readManifest(root, path)),
  }
}

function readSourceFile(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const lang = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.mjs') ? 'js' : 'ts'
  const { program, module, errors } = parseSync(path, text, { lang })
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  const home = /^packages\/[^/]+|^[^/]+/.exec(path)?.[0] ?? path
  return { path, home, text, program, imports: listImports(path, text, module), isTest: TEST.test(path) }
}

type Module = ReturnType<typeof parseSync>['module']

function listImports(path: string, text: string, module: Module): Import[] {
  const found: Import[] = []
  const add = (specifier: string, names: string[], typeOnly: boolean, start: number) => {
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined
    found.push({ specifier, target, names, typeOnly, line: findLine(text, start) })
  }
  for (const { moduleRequest, entries, start } of module.staticImports) {
    const names = entries.map(({ importName }) =>
      importName.kind === 'NamespaceObject' ? '*' : (importName.name ?? 'default'),
    )
    add(moduleRequest.value, names, entries.length > 0 && entries.every((entry) => entry.isType), start)
  }
  for (const { entries, start } of module.staticExports) {
    for (const { moduleRequest, importName, isType } of entries) {
      if (moduleRequest) add(moduleRequest.value, [importName.name ?? '*'], isType, start)
    }
  }
  for (const { moduleRequest, start } of module.dynamicImports) {
    const literal = /^(['"`])([^'"`$]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2]
    if (literal !== undefined) add(literal, ['*'], false, start)
  }
  return found
}

/** Line of a place in a text, counted from 1. */
export function findLine(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function readManifest(root: string, path: string): Manifest {
  const json = JSON.parse(readFileSync(join(root, path), 'utf8')) as Partial<Manifest>
  return {
    path,
    folder: dirname(path),
    name: json.name ?? '',
    exports: json.exports ?? {},
    dependencies: json.dependencies ?? {},
    devDependencies: json.devDependencies ?? {},
    optionalDependencies: json.optionalDependencies ?? {},
  }
}

/** Name of the npm package a specifier belongs to; undefined for relative ones and Node's own. */
export function findPackageName(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('/') || specifier.startsWith('node:')) return undefined
  return /^@[^/]+\/[^/]+|^[^/]+/.exec(specifier)?.[0]
}
