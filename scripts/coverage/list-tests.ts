import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

export interface Test {
  /** Relative to the project. */
  path: string
  /** Titles of the tests around it, outermost first, then its own without its numbers; `…` where a value is put in. */
  titles: string[]
  /** Numbers of the items it shows: its title begins with them. */
  items: string[]
  /** Numbers that values of the file begin with, where its title begins with a value; not all need be items. */
  rowItems: readonly string[]
}

const FILES = ['packages/*/src/**/*.test.{ts,tsx}', 'e2e/*.spec.ts']
/** `$role` and `%s` of Vitest's tables. */
const TABLE_VALUE = /\$[\w.]+|%[sdifjo]/
/** `4.12 5.3 a login answer …`; in a table also the numbers alone. */
const ITEMS = /^(\d+\.\d+(?: \d+\.\d+)*)(?: |$)/

export function listTests(root: string): Test[] {
  return globSync(FILES, { cwd: root, exclude: (path) => path.includes('node_modules') })
    .toSorted()
    .flatMap((path) => readTests(path, readFileSync(join(root, path), 'utf8')))
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
  quasis?: { value: { cooked?: string | null; raw: string } }[]
}

function readTests(path: string, text: string): Test[] {
  const { program, errors } = parseSync(path, text, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' })
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`)
  const tests: Test[] = []
  const rowItems: string[] = []
  const around: string[] = []
  new Visitor({
    CallExpression(node) {
      const title = readTitle(node as unknown as Node)
      if (!title) return
      const items = ITEMS.exec(title.parts[0] ?? '')?.[1]?.split(' ') ?? []
      // A test that runs on every engine has one title for all of them.
      around.push(
        title.parts
          .join('…')
          .replace(ITEMS, '')
          .replace(/ \(…\)$/, ''),
      )
      const isTable = title.parts[0] === '' && title.parts.length > 1
      if (title.isTest) tests.push({ path, titles: [...around], items, rowItems: isTable ? rowItems : [] })
    },
    'CallExpression:exit'(node) {
      if (readTitle(node as unknown as Node)) around.pop()
    },
    Property({ value }) {
      collectNumbers(value as unknown as Node)
    },
    ArrayExpression({ elements }) {
      for (const element of elements) if (element) collectNumbers(element as unknown as Node)
    },
  }).visit(program)
  return tests

  function collectNumbers({ value }: Node): void {
    if (typeof value === 'string') rowItems.push(...(ITEMS.exec(value)?.[1]?.split(' ') ?? []))
  }
}

interface Title {
  /** The literal parts; a value stands between each two. */
  parts: string[]
  /** `describe` only has a title; `test`, a subtest and a step of a journey show something. */
  isTest: boolean
}

/** The title of a call of `test`, `t.test`, `test.each(…)`, `test.step` or `describe`; a skipped one has none. */
function readTitle({ callee, arguments: given = [] }: Node): Title | undefined {
  const [first] = given
  const kind = callee && first && readKind(callee)
  if (!kind) return undefined
  const isTest = kind !== 'describe'
  if (first.type === 'Literal' && typeof first.value === 'string')
    return { parts: kind === 'each' ? first.value.split(TABLE_VALUE) : [first.value], isTest }
  if (first.type === 'Identifier') return { parts: ['', ''], isTest }
  if (first.type !== 'TemplateLiteral') return undefined
  return { parts: (first.quasis ?? []).map(({ value }) => value.cooked ?? value.raw), isTest }
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
