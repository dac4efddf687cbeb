import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Visitor } from 'rolldown/utils'
import type { Problem, Rule, SourceFile } from './source-tree.ts'

const CATALOGUE = 'packages/contract/messages/en.json'
const ERRORS = 'packages/contract/src/errors.ts'

/** Every code has words, and every words are said somewhere. */
export const checkMessages: Rule = ({ root, files }) => {
  if (!existsSync(join(root, CATALOGUE))) return []
  const words = JSON.parse(readFileSync(join(root, CATALOGUE), 'utf8')) as Record<string, unknown>
  const keys = Object.keys(words).filter((key) => key !== '$schema')
  const used = listUses(files.filter(({ path, isTest }) => path.startsWith('packages/') && !isTest))
  const problems: Problem[] = []
  for (const code of listErrorCodes(files)) {
    if (!keys.includes(code))
      problems.push({ path: ERRORS, text: `code "${code}" has no words: add the key to ${CATALOGUE}.` })
  }
  for (const key of keys) {
    if (!used.exact.has(key) && !used.beginnings.some((beginning) => key.startsWith(beginning))) {
      problems.push({ path: CATALOGUE, text: `"${key}" is said nowhere: remove it.` })
    }
  }
  return problems
}

interface Uses {
  exact: Set<string>
  /** Of keys put together as in `mail_${kind}`. */
  beginnings: string[]
}

function listUses(files: SourceFile[]): Uses {
  const exact = new Set<string>()
  const beginnings: string[] = []
  for (const file of files) {
    new Visitor({
      Identifier: ({ name }) => void exact.add(name),
      Literal: ({ value }) => void (typeof value === 'string' && exact.add(value)),
      TemplateLiteral: ({ quasis: [first, ...rest] }) => {
        if (!first) return
        if (rest.length === 0) exact.add(first.value.raw)
        else if (/^[a-z][a-z0-9]*_/.test(first.value.raw)) beginnings.push(first.value.raw)
      },
    }).visit(file.program)
  }
  return { exact, beginnings }
}

function listErrorCodes(files: SourceFile[]): string[] {
  const file = files.find(({ path }) => path === ERRORS)
  const codes: string[] = []
  if (!file) return codes
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier' || id.name !== 'STATUS_OF' || !init) return
      let value: { type: string } = init
      while ('expression' in value) value = value.expression as { type: string }
      const { properties = [] } = value as { properties?: { key?: { name?: string; value?: string } }[] }
      for (const { key } of properties) codes.push(key?.name ?? key?.value ?? '')
    },
  }).visit(file.program)
  return codes
}
