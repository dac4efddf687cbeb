import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fits, readExcuses, type Excuse } from './excuses.ts'
import type { Explained } from './explain-all.ts'
import { SQL_ENGINES, toKey, type SqlEngine, type Statement } from './statements.ts'

export const DOCUMENTS_FOLDER = join(import.meta.dirname, '../../../../../docs/sql')
const NAMES: Record<SqlEngine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const LINE_WIDTH = 110

/** One document for each feature and each folder of the platform, and one that tells about them. @returns texts by names */
export function writeDocuments(
  statements: readonly Statement[],
  explained: Record<SqlEngine, Explained>,
): Map<string, string> {
  const excuses = readExcuses(statements)
  const groups = Map.groupBy(statements, ({ file }) => file.replace(/^features\//, '').replace(/[/.].*$/, ''))
  const documents = [...groups].map(([name, itsStatements]): [string, string] => {
    const senders = Map.groupBy(itsStatements, ({ file, sender }) => `## ${sender} of ${file}\n\n`)
    const parts = [...senders].map(([heading, those]) => {
      const answers = Map.groupBy(those, (statement) => writeAnswers(statement, explained, excuses).join('\n'))
      return heading + [...answers].map(([answer, alike]) => writeBlock(alike, answer)).join('\n')
    })
    return [`${name}.md`, `# SQL: ${name}\n\n${parts.join('\n')}`]
  })
  return new Map([...documents, ['README.md', writeReadme(documents, explained)]])
}

function writeReadme(documents: [string, string][], explained: Record<SqlEngine, Explained>): string {
  return `# Every statement the server sends

Written by \`node packages/server/src/testing/sql/write-docs.ts\` from what the server's tests make it send, by the function
that sends it. A list of values of any length stands as \`(?, …)\`, and of two
whose orders run against each other one stands here. Below each statement stands how the databases answer it
(${SQL_ENGINES.map((engine) => `${NAMES[engine]} ${explained[engine].version}`).join(', ')}) with 100,000 people, sessions, collections, contents, comments, proofs, notifications,
tickets and messages, and 10,000 rows in every other table that grows.

The server's tests refuse a statement that does not stand here, and one that reads a table that grows from one end to the
other, unless the comment of its function says why it may: \`@scans: why\`, or \`\`@scans with \`words of it\`: why\`\`, or
\`\`@scans without \`words of it\`: why\`\`. With paths of tests behind it the command runs only these, and adds what they
send.

${documents
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name]) => `- [${name.replace('.md', '')}](${name})`)
  .join('\n')}
`
}

/** Statements that are answered alike, and below them how, as comments. */
function writeBlock(alike: readonly Statement[], answer: string): string {
  return `\`\`\`sql\n${alike.map(({ sql }) => breakSql(sql)).join('\n\n')}\n${answer}\n\`\`\`\n`
}

/** Of what PostgreSQL says about a step, this repeats the statement. */
const REPEATED = /^ *(Filter|Join Filter|One-Time Filter|Recheck Cond|Cache Key|Cache Mode|Conflict \w+( \w+)?): /

function writeAnswers(
  statement: Statement,
  explained: Record<SqlEngine, Explained>,
  excuses: readonly Excuse[],
): string[] {
  const answers = SQL_ENGINES.flatMap((engine) => {
    const answer = explained[engine].answers.get(toKey(statement))
    return answer ? [{ engine, ...answer }] : []
  })
  const plans = answers.flatMap(({ engine, plan }) => {
    const steps = plan.length > 0 ? plan.filter((line) => !REPEATED.test(line)) : ['writes only']
    return steps.length === 1
      ? [`-- ${NAMES[engine]}: ${steps[0]?.trim()}`]
      : [`-- ${NAMES[engine]}:`, ...steps.map((step) => `--   ${step}`)]
  })
  const scans = [...new Set(answers.flatMap((answer) => answer.scans))].toSorted()
  const reason = excuses.find((excuse) => fits(excuse, statement))?.reason
  return [...(scans.length > 0 ? [`-- Scans ${scans.join(' and ')}: ${reason ?? 'WITHOUT A REASON'}`] : []), ...plans]
}

const PART = / (?=(?:from|inner join|left join|where|group by|order by|limit|set|values|returning|on conflict|union) )/g

/** A line for each part outside of parentheses, none too long; white space means nothing in it. */
function breakSql(sql: string): string {
  return sql
    .replace(PART, (space, at: number) => (countOpen(sql.slice(0, at)) === 0 ? '\n' : space))
    .split('\n')
    .map((line) => line.replace(new RegExp(`(.{1,${LINE_WIDTH}})(?: |$)`, 'g'), '$1\n  ').trimEnd())
    .join('\n')
}

function countOpen(sql: string): number {
  return sql.split('(').length - sql.split(')').length
}

const BLOCK = /^## (\S+) of (\S+)$|^```sql\n([^`]*)\n```$/gm

/** The statements that stand in the documents, with the databases they are sent to. */
export function readDocuments(): Statement[] {
  const found: Statement[] = []
  for (const name of globSync('*.md', { cwd: DOCUMENTS_FOLDER }).toSorted()) {
    let [sender, file] = ['', '']
    for (const [, newSender, newFile, block] of readDocument(name).matchAll(BLOCK)) {
      if (newSender !== undefined && newFile !== undefined) [sender, file] = [newSender, newFile]
      if (block === undefined) continue
      const { answers = [], sqls = [] } = Object.groupBy(block.split('\n'), (line) =>
        line.startsWith('-- ') ? 'answers' : 'sqls',
      )
      const engines = SQL_ENGINES.filter((engine) => answers.some((line) => line.startsWith(`-- ${NAMES[engine]}:`)))
      for (const sql of sqls.join('\n').split('\n\n'))
        found.push({ file, sender, sql: sql.replace(/\s+/g, ' '), engines })
    }
  }
  return found
}

function readDocument(name: string): string {
  return readFileSync(join(DOCUMENTS_FOLDER, name), 'utf8')
}
