import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toKey, type Statement } from './statements.ts'

const SRC = join(import.meta.dirname, '../..')

/** Why a statement of a function may read a whole table: a line `@scans` of the function's comment. */
export interface Excuse {
  file: string
  sender: string
  /** Words that such a statement has or lacks; undefined where all of the function's are meant. */
  only: { has: boolean; words: string } | undefined
  reason: string
}

const TAG = /@scans(?: (with|without) `([^`]+)`)?: ((?:(?!@|\*\/)[\s\S])+)/g

/** What the comments beside the queries say. @throws Error for a function that is gone */
export function readExcuses(statements: readonly Statement[]): Excuse[] {
  const senders = Map.groupBy(statements, ({ file, sender }) => `${sender} of ${file}`)
  return [...senders].flatMap(([name, [statement]]) => {
    const comment = statement && findComment(statement)
    if (statement === undefined || comment === undefined) throw new Error(`docs/sql names ${name}, which is not there`)
    return [...comment.matchAll(TAG)].map(([, word, words = '', reason = '']) => ({
      file: statement.file,
      sender: statement.sender,
      only: word === undefined ? undefined : { has: word === 'with', words },
      reason: reason.replace(/\s*\n? \* */g, ' ').trim(),
    }))
  })
}

/** The comment of the function that sends a statement, empty where it has none. @returns undefined when it is gone */
export function findComment({ file, sender }: Statement): string | undefined {
  const path = join(SRC, file)
  const declared = new RegExp(`(/\\*\\*(?:(?!\\*/)[^])*\\*/\\s*)?(?:export )?(?:async )?function ${sender}\\b`)
  const found = existsSync(path) ? declared.exec(readFileSync(path, 'utf8')) : null
  return found ? (found[1] ?? '') : undefined
}

/** What the check holds against scans of tables that grow, a sentence each. @param scans by the keys of the statements */
export function judgeScans(
  statements: readonly Statement[],
  scans: ReadonlyMap<string, readonly string[]>,
  excuses: readonly Excuse[],
): string[] {
  const scanning = statements.filter((statement) => (scans.get(toKey(statement))?.length ?? 0) > 0)
  const unexcused = scanning.filter((statement) => !excuses.some((excuse) => fits(excuse, statement)))
  const unneeded = excuses.filter((excuse) => !scanning.some((statement) => fits(excuse, statement)))
  return [
    ...unexcused.map(
      (statement) =>
        `${statement.sender} of ${statement.file} scans ${scans.get(toKey(statement))?.join(' and ')}: give it an index, or its comment a line "@scans …: why"\n  ${statement.sql}`,
    ),
    ...unneeded.map(({ sender, file, reason }) => `${sender} of ${file} need not say any more "@scans … ${reason}"`),
  ]
}

export function fits({ file, sender, only }: Excuse, statement: Statement): boolean {
  if (file !== statement.file || sender !== statement.sender) return false
  return only === undefined || statement.sql.includes(only.words) === only.has
}
