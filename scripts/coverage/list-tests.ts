import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

export interface Test {
  /** Relative to the project. */
  path: string
  /** Titles of the tests around it, outermost first, then its own; `…` where a value is put in. */
  titles: string[]
  /** What its title may be once its values are put in. */
  pattern: RegExp
}

/** The tests of one file, and the texts that may be put into their titles. */
export interface TestFile {
  path: string
  tests: Test[]
  texts: ReadonlySet<string>
}

const FILES = ['packages/*/src/**/*.test.{ts,tsx}', 'e2e/*.spec.ts']
/** `$role` and `%s` of Vitest's tables. */
const TABLE_VALUE = /\$[\w.]+|%[sdifjo]/
/** A test that runs on every engine has one title for all of them. */
const ENGINE = ' ({engine})'

export function listTestFiles(root: string): TestFile[] {
  return globSync(FILES, { cwd: root, exclude: (path) => path.includes('node_modules') })
    .toSorted()
    .map((path) => readTestFile(path, readFileSync(join(root, path), 'utf8')))
}

/** A part of the syntax tree; which kind it is decides what else it has. */
interface Node {
  type: string
  name?: string
  value?: unknown
  callee?: Node
  object?: Node
  property?: Node
  arguments?: Node[]
  expressions?: Node[]
  quasis?: { value: { cooked?: string | null; raw: string } }[]
  key?: Node
}

export function readTestFile(path: string, text: string): TestFile {
  const { program, errors } = parseSync(path, text, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' })
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  const tests: Test[] = []
  const texts = new Set<string>()
  const around: string[] = []
  new Visitor({
    CallExpression(node) {
      const title = readTitle(node as unknown as Node)
      if (!title) return
      const shown = title.parts.join('…').replace(' (…)', title.hasEngine ? '' : ' (…)')
      around.push(shown)
      if (title.isTest) tests.push({ path, titles: [...around], pattern: toPattern(title) })
    },
    'CallExpression:exit'(node) {
      if (readTitle(node as unknown as Node)) around.pop()
    },
    Literal({ value }) {
      if (typeof value === 'string') texts.add(value)
    },
    TemplateElement({ value }) {
      texts.add(value.cooked ?? value.raw)
    },
    Property({ key }) {
      const { name } = key as unknown as Node
      if (name) texts.add(name)
    },
  }).visit(program)
  return { path, tests, texts }
}

interface Title {
  /** The literal parts; a value stands between each two. */
  parts: string[]
  hasEngine: boolean
  /** `describe` only has a title; `test`, a subtest and a step of a journey show something. */
  isTest: boolean
}

/** The title of a call of `test`, `t.test`, `test.each(…)`, `test.step` or `describe`; a skipped one has none. */
function readTitle({ callee, arguments: given = [] }: Node): Title | undefined {
  const [first] = given
  const kind = callee && first && readKind(callee)
  if (!kind) return undefined
  const isTest = kind !== 'describe'
  if (first.type === 'Literal' && typeof first.value === 'string') {
    const parts = kind === 'each' ? first.value.split(TABLE_VALUE) : [first.value]
    return { parts, hasEngine: false, isTest }
  }
  if (first.type === 'Identifier') return { parts: ['', ''], hasEngine: first.name === 'engine', isTest }
  if (first.type !== 'TemplateLiteral') return undefined
  const parts = (first.quasis ?? []).map(({ value }) => value.cooked ?? value.raw)
  return { parts, hasEngine: first.expressions?.at(-1)?.name === 'engine', isTest }
}

function readKind(callee: Node): 'test' | 'each' | 'describe' | undefined {
  if (callee.type === 'Identifier') {
    if (callee.name === 'test' || callee.name === 'it') return 'test'
    return callee.name === 'describe' ? 'describe' : undefined
  }
  if (callee.type === 'CallExpression')
    return callee.callee?.type === 'MemberExpression' && callee.callee.property?.name === 'each' ? 'each' : undefined
  if (callee.type !== 'MemberExpression') return undefined
  const { object, property } = callee
  if (property?.name === 'describe') return 'describe'
  // t.test(…), and test.step(…) of a journey; test.skip and test.todo show nothing.
  if (property?.name === 'test' && object?.type === 'Identifier') return 'test'
  return property?.name === 'step' && object?.name === 'test' ? 'test' : undefined
}

function toPattern({ parts, hasEngine }: Title): RegExp {
  const source = parts.map((part) => RegExp.escape(part)).join('(.+)')
  const engine = RegExp.escape(ENGINE).replace(RegExp.escape('{engine}'), '(.+)')
  return new RegExp(`^${hasEngine ? source.replace(engine, '(?: \\((.+)\\))?') : source}$`)
}
