import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Visitor } from 'rolldown/utils'
import { findLine, type Problem, type Rule, type SourceFile } from './source-tree.ts'

const LOGICAL: [RegExp, string][] = [
  [/^m([lr])-/, 'ms- or me-'],
  [/^p([lr])-/, 'ps- or pe-'],
  [/^scroll-[mp][lr]-/, 'scroll-ms-, scroll-me-, scroll-ps- or scroll-pe-'],
  [/^(left|right)-(\d|px$|auto$|full$|\[|\()/, 'start- or end-'],
  [/^(text|float|clear)-(left|right)$/, '-start or -end'],
  [/^rounded-(l|r|tl|tr|bl|br)(-|$)/, 'rounded-s, rounded-e or rounded-ss and the like'],
  [/^border-[lr](-|$)/, 'border-s or border-e'],
]
const COLOURS =
  'red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose|slate|gray|zinc|neutral|stone'
const PALETTE = new RegExp(`^[a-z-]+-(?:(?:${COLOURS})-\\d{2,3}|white|black)(?:/\\d+)?$`)
const COLOUR =
  /(?:^|\[)(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})(?=$|\])|(?:rgba?|hsla?|oklch|oklab|lab|lch|color)\()/i
const PHYSICAL_CSS =
  /(?:^|[;{\s])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|left|right)\s*:|(?:text-align|float)\s*:\s*(?:left|right)/g

/** Layout follows the direction of the language, and colours are the tokens of app.css, so both themes hold. */
export const checkStyles: Rule = ({ root, files }) => [
  ...files.filter(({ path, isTest }) => path.startsWith('packages/web/src/') && !isTest).flatMap(checkStrings),
  ...globSync('packages/web/src/**/*.css', { cwd: root }).flatMap((path) =>
    checkSheet(path, readFileSync(join(root, path), 'utf8')),
  ),
]

function checkStrings(file: SourceFile): Problem[] {
  const problems: Problem[] = []
  const check = (text: string, start: number) => {
    for (const word of text.split(/\s+/)) {
      const problem = checkUtility(word)
      if (problem) problems.push({ path: file.path, line: findLine(file.text, start), text: problem })
    }
  }
  new Visitor({
    Literal: ({ value, start }) => void (typeof value === 'string' && check(value, start)),
    TemplateElement: ({ value, start }) => check(value.raw, start),
  }).visit(file.program)
  return problems
}

function checkUtility(word: string): string | undefined {
  // Variants such as `md:` and `hover:` stand in front; a colon inside brackets is not one.
  const utility = word.replace(/^(?:[^[\]:()]*(?:\[[^\]]*\]|\([^)]*\))?[^[\]:()]*:)+/, '').replace(/^[!-]+/, '')
  const logical = LOGICAL.find(([pattern]) => pattern.test(utility))?.[1]
  if (logical) return `"${word}" stands on one side whatever the direction of the language: use ${logical}.`
  if (PALETTE.test(utility) || COLOUR.test(utility))
    return `"${word}" is a colour of its own, which one theme will miss: use a token of app.css.`
  return undefined
}

function checkSheet(path: string, css: string): Problem[] {
  return [...css.matchAll(PHYSICAL_CSS)].map((match) => ({
    path,
    line: findLine(css, match.index + 1),
    text: `"${match[0].trim()}" stands on one side whatever the direction of the language: use inline-start or inline-end.`,
  }))
}
