import { DatabaseSync } from 'node:sqlite'
import { migrate } from '../migrate.ts'
import { openSqlite } from '../open.ts'
import { copyAndCompare, type CopiedTable, type TellTable } from './copy-rows.ts'
import type { ReadSide } from './database-sides.ts'
import { withTransaction, readPostgresSide, withConnection } from './postgres-side.ts'
import { fillSqlite } from './sqlite-side.ts'
import { CopyFailure } from './table-shapes.ts'

/**
 * Writes a database into a new file, reads it again and compares. Nothing of it is on the disk for sure yet, and a file that
 * was not finished is worth nothing.
 * @throws CopyFailure
 */
export async function copyToSqlite(from: ReadSide, path: string, tell: TellTable = () => {}): Promise<CopiedTable[]> {
  const empty = openSqlite(path)
  try {
    await migrate(empty)
  } finally {
    await empty.close()
  }
  const db = new DatabaseSync(path)
  try {
    db.exec('pragma journal_mode = memory; pragma synchronous = off')
    const copied = await fillSqlite(db, (side) => copyAndCompare(from, side, tell))
    const told = db.prepare('pragma integrity_check(5)').all()
    if (told[0]?.['integrity_check'] !== 'ok') throw new CopyFailure('the copy of the database is damaged')
    return copied
  } finally {
    db.close()
  }
}

/** The same of a PostgreSQL, as it is at one moment, while others read and write it. */
export async function copyPostgresToSqlite(url: string, path: string): Promise<void> {
  await withConnection(url, (client) =>
    withTransaction(client, 'isolation level repeatable read read only', () =>
      copyToSqlite(readPostgresSide(client), path),
    ),
  )
}
