import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { keepStatements } from '../kept-statements.ts'

// Entry of a process that only reads. It works off one statement after the other, and is killed when one takes too long:
// a statement of SQLite cannot be broken off from another thread.

/** Pages of the database that are kept at hand: what a search reads again and again. */
const CACHE_KIB = 16_384

export interface Question {
  sql: string
  parameters: readonly unknown[]
}

/**
 * Rows, or what SQLite said; the codes are those of https://www.sqlite.org/rescode.html. The values stand one row behind the
 * other in one list: the thread that serves takes in a thousand ids so in a tenth of the time that objects take.
 */
export type Answer =
  | { kind: 'rows'; columns: string[]; values: unknown[] }
  | { kind: 'failed'; message: string; errcode: number | undefined }

/** Said once: from now on questions are read. */
export interface Ready {
  kind: 'ready'
}

const [, , path = ''] = process.argv
let prepare: ReturnType<typeof openReading> | undefined

function answer({ sql, parameters }: Question): Answer {
  try {
    const { statement, columns } = (prepare ??= openReading())(sql)
    const rows = statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]
    return { kind: 'rows', columns, values: rows.flat() }
  } catch (error) {
    const { message, errcode } = error as { message: string; errcode?: number }
    return { kind: 'failed', message, errcode }
  }
}

function openReading() {
  const opened = new DatabaseSync(path, { readOnly: true })
  opened.exec(`pragma busy_timeout = 2000; pragma cache_size = -${CACHE_KIB}`)
  return keepStatements((sql) => {
    const statement = opened.prepare(sql)
    statement.setReturnArrays(true)
    return { statement, columns: statement.columns().map(({ name }) => name) }
  })
}

process.on('message', (question: Question) => process.send?.(answer(question)))
process.send?.({ kind: 'ready' } satisfies Ready)
process.on('disconnect', () => process.exit())
