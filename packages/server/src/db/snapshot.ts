import { constants } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql, SqliteDialect, type Dialect } from 'kysely'
import { makeReadingDialect } from './long-reads/reading-dialect.ts'
import { openReadingProcesses, READING_LIMITS, type ReadingLimits } from './long-reads/reading-processes.ts'
import { toKyselyDatabase } from './node-sqlite.ts'
import type { Db, OpenDatabase } from './open.ts'
import type { Tables } from './schema.ts'

/** Nobody waits for what is read so. */
const LONG_LIMITS: ReadingLimits = {
  ...READING_LIMITS,
  size: 1,
  deadlineMs: 10 * 60 * 1000,
  priority: constants.priority.PRIORITY_LOW,
  // Another one would read what the database holds at another moment.
  startsAnew: false,
}

/**
 * Lets somebody read as often as they like what the database holds at one moment, while others go on writing. On SQLite by a
 * connection of its own: nobody else's reads wait for the end.
 * @param isLong On SQLite in a process of its own: nobody else waits for any part of it.
 */
export async function readSnapshot<T>(
  { db, engine }: Pick<OpenDatabase, 'db' | 'engine'>,
  isLong: boolean,
  read: (snapshot: Db) => Promise<T>,
): Promise<T> {
  if (engine === 'postgres')
    return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
  const file = await findFile(db)
  const dialect = isLong ? makeReadingDialect(openReadingProcesses(file, LONG_LIMITS)) : openHere(file)
  const snapshots = new Kysely<Tables>({ dialect })
  try {
    return await snapshots.connection().execute(async (snapshot) => {
      // What is read first decides the moment; it ends with the connection.
      await sql`begin deferred`.execute(snapshot)
      return read(snapshot)
    })
  } finally {
    await snapshots.destroy()
  }
}

function openHere(file: string): Dialect {
  const connection = new DatabaseSync(file, { readOnly: true })
  connection.exec('pragma busy_timeout = 5000')
  return new SqliteDialect({ database: toKyselyDatabase(connection) })
}

/** @scans: it is one row. */
async function findFile(db: Db): Promise<string> {
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(db)
  const [main] = rows
  if (!main) throw new Error('an SQLite database without a file')
  return main.file
}
