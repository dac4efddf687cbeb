import type { Test } from './list-tests.ts'
import { listItems, type Item, type Section } from './read-items.ts'

const KINDS: [prefix: string, kind: string][] = [
  ['e2e/', 'browser'],
  ['packages/web/', 'web'],
  ['packages/server/', 'server'],
  ['packages/demo/', 'demo'],
  ['packages/contract/', 'contract'],
  ['packages/certify/', 'certify'],
  ['packages/proof/', 'proof'],
  ['packages/verifier/', 'verifier'],
]

/** The document, from the items and the tests of each number. */
export function formatCoverage(sections: readonly Section[], shownBy: ReadonlyMap<string, Test[]>): string {
  const items = sections.flatMap(listItems)
  const waiting = items.filter(({ comesWith }) => comesWith !== undefined)
  const shown = items.length - waiting.length
  const tests = new Set([...shownBy.values()].flat())
  const lines = [
    '# What the specification asks, and the tests that show it',
    '',
    'Written by `node scripts/write-coverage.ts` from `docs/specification/` and the numbers that titles of tests begin with; do not',
    'edit it. `npm run check` refuses an item without a test, a number without an item, and a document that is out of date.',
    '',
    `${shown} items are shown by ${tests.size} tests.`,
    '',
    ...sections.flatMap((section) => formatSection(section, shownBy)),
  ]
  if (waiting.length > 0) lines.push(...formatWaiting(waiting))
  return `${lines.join('\n').trimEnd()}\n`
}

function formatSection({ title, groups }: Section, shownBy: ReadonlyMap<string, Test[]>): string[] {
  const lines = [`## ${title}`, '']
  for (const group of groups) {
    const items = group.items.filter(({ comesWith }) => comesWith === undefined)
    if (items.length === 0) continue
    lines.push(`### ${group.title}`, '', '| Item | What | Shown by | Kind |', '| --- | --- | --- | --- |')
    for (const item of items) lines.push(formatRow(item, shownBy.get(item.number) ?? []))
    lines.push('')
  }
  return lines
}

function formatRow({ number, text }: Item, tests: readonly Test[]): string {
  const shown = tests.map(({ path, titles }) => `\`${path}\`: ${titles.map(escapeCell).join(' › ')}`)
  const kinds = [...new Set(tests.map(({ path }) => kindOf(path)))]
  return `| ${number} | ${escapeBar(text)} | ${shown.join('<br>')} | ${kinds.join(', ')} |`
}

function formatWaiting(items: readonly Item[]): string[] {
  const rows = items.map(({ number, text, comesWith = '' }) => `| ${number} | ${escapeBar(text)} | ${comesWith} |`)
  return ['## Not shown yet', '', '| Item | What | Comes with |', '| --- | --- | --- |', ...rows]
}

function kindOf(path: string): string {
  return KINDS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'other'
}

/** A title as it is written, with nothing in it that Markdown would take for its own. */
function escapeCell(text: string): string {
  return text.replace(/[|<>*_`\\]/g, '\\$&')
}

/** An item is Markdown already. */
function escapeBar(text: string): string {
  return text.replaceAll('|', '\\|')
}
