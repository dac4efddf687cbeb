import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

// Entry of a process that only reads. It works off one statement after the other, and is killed when one takes too long:
// a statement of SQLite cannot be broken off from another thread.

export interface Question {
  sql: string
  parameters: readonly unknown[]
}

/** Rows, or what SQLite said; the codes are those of https://www.sqlite.org/rescode.html. */
export type Answer =
  | { kind: 'rows'; rows: Record<string, unknown>[] }
  | { kind: 'failed'; message: string; errcode: number | undefined }

const [, , path = ''] = process.argv
let opened: DatabaseSync | undefined

function answer({ sql, parameters }: Question): Answer {
  try {
    const rows = openReading()
      .prepare(sql)
      .all(...(parameters as SQLInputValue[]))
    // Its rows have no prototype, and those of the other connections have one.
    return { kind: 'rows', rows: rows.map((row) => ({ ...row })) }
  } catch (error) {
    const { message, errcode } = error as { message: string; errcode?: number }
    return { kind: 'failed', message, errcode }
  }
}

function openReading(): DatabaseSync {
  if (opened === undefined) {
    opened = new DatabaseSync(path, { readOnly: true })
    opened.exec('pragma busy_timeout = 2000')
  }
  return opened
}

process.on('message', (question: Question) => process.send?.(answer(question)))
process.on('disconnect', () => process.exit())
