import { retryCollisions } from './collisions.ts'
import type { Db } from './open.ts'

/**
 * Does all of it or nothing, and again from its beginning where PostgreSQL ended it because it and another transaction stood
 * in each other's way (a deadlock, or two that cannot be put in an order). SQLite has one writer, so there it runs once.
 * @param work May run several times: it changes nothing but the database, and what it gathers it gathers anew each time.
 * @throws whatever `work` or the database throws: then nothing has happened.
 */
export async function inTransaction<T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> {
  return retryCollisions(() => db.transaction().execute(work))
}
