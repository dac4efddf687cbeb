import type { Selectable } from 'kysely'
import type { WitnessStateRow } from '../../db/log-tables.ts'
import type { Db } from '../../db/open.ts'

export type WitnessState = Selectable<WitnessStateRow>

/** The head of another log that was signed last here. */
export async function findWitnessState(db: Db, origin: string): Promise<WitnessState | undefined> {
  return db.selectFrom('witness_state').selectAll().where('origin', '=', origin).executeTakeFirst()
}

/** Of a handful of logs, in the order of their names. */
export async function listWitnessStates(db: Db, origins: readonly string[]): Promise<WitnessState[]> {
  if (origins.length === 0) return []
  return db.selectFrom('witness_state').selectAll().where('origin', 'in', origins).orderBy('origin').execute()
}

/**
 * Puts a head in place of the one that was signed last.
 * @param was Size and root that the new one was found to continue; undefined where there was none.
 * @returns false when another request was first.
 */
export async function moveWitnessState(
  db: Db,
  was: Pick<WitnessState, 'size' | 'root'> | undefined,
  next: Omit<WitnessState, 'contradiction'>,
): Promise<boolean> {
  if (!was) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('witness_state')
      .values({ ...next, contradiction: null })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('witness_state')
    .set({ size: next.size, root: next.root, note: next.note, cosigned_at: next.cosigned_at })
    .where('origin', '=', next.origin)
    .where('size', '=', was.size)
    .where('root', '=', was.root)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Keeps the head that was signed last, and another of the same size, side by side. @returns whether these are the first. */
export async function keepContradiction(
  db: Db,
  { origin, size }: Pick<WitnessState, 'origin' | 'size'>,
  heads: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('witness_state')
    .set({ contradiction: heads })
    .where('origin', '=', origin)
    .where('size', '=', size)
    .where('contradiction', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
