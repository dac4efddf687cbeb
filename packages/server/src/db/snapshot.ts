import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { toKyselyDatabase } from './node-sqlite.ts'
import type { Db, OpenDatabase } from './open.ts'
import type { Tables } from './schema.ts'

/**
 * Lets somebody read as often as they like what the database holds at one moment, while others go on writing. On SQLite by a
 * connection of its own: nobody else's reads wait for the end.
 */
export async function readSnapshot<T>(
  { db, engine }: Pick<OpenDatabase, 'db' | 'engine'>,
  read: (snapshot: Db) => Promise<T>,
): Promise<T> {
  if (engine === 'postgres')
    return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
  const connection = new DatabaseSync(await findFile(db), { readOnly: true })
  const snapshot = new Kysely<Tables>({ dialect: new SqliteDialect({ database: toKyselyDatabase(connection) }) })
  try {
    connection.exec('pragma busy_timeout = 5000')
    // What is read first decides the moment; it ends with the connection.
    connection.exec('begin')
    return await read(snapshot)
  } finally {
    await snapshot.destroy()
  }
}

/** @scans: it is one row. */
async function findFile(db: Db): Promise<string> {
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(db)
  const [main] = rows
  if (!main) throw new Error('an SQLite database without a file')
  return main.file
}
