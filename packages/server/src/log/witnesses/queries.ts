import type { Selectable } from 'kysely'
import type { LogCosignatureRow } from '../../db/log-tables.ts'
import type { Db } from '../../db/open.ts'
import type { SizeRange } from '../queries.ts'

export type Cosignature = Selectable<LogCosignatureRow>

/** At most so many heads are looked at, to find one that the right witnesses have signed; where few answer, few are among them. */
const MOST_LOOKED_AT = 50

/** Which heads that were signed by others are looked for. */
export interface CosignedRange extends SizeRange {
  /** So many signatures at least. */
  least: number
}

/** Keeps what a witness signed, unless it has signed that head before. */
export async function keepCosignature(db: Db, cosignature: Cosignature): Promise<void> {
  const { size, witness } = cosignature
  // Two nodes may come at once; the database of one process refuses a second row without being asked.
  if ((await listCosignatures(db, [size])).some((known) => known.witness === witness)) return
  await db
    .insertInto('log_cosignatures')
    .values(cosignature)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What was signed about heads of these sizes. */
export async function listCosignatures(db: Db, sizes: readonly number[]): Promise<Cosignature[]> {
  if (sizes.length === 0) return []
  return db
    .selectFrom('log_cosignatures')
    .selectAll()
    .where('size', 'in', sizes)
    .orderBy('size')
    .orderBy('witness')
    .execute()
}

/** Sizes of them, in the order of the key. */
const selectCosignedSizes = (db: Db, { above, upTo, least }: CosignedRange) =>
  db
    .selectFrom('log_cosignatures')
    .select('size')
    .where('size', '>', above)
    .where('size', '<=', upTo)
    .groupBy('size')
    .having(({ fn }) => fn.countAll(), '>=', least)
    .limit(MOST_LOOKED_AT)

/** Heads of some sizes that so many signed, the smallest first, a row for each signature. */
export async function listCosigned(
  db: Db,
  range: CosignedRange,
): Promise<{ size: number; note: string; line: string }[]> {
  return db
    .selectFrom('log_cosignatures as by_witness')
    .innerJoin('log_checkpoints as head', 'head.size', 'by_witness.size')
    .select(['head.size', 'head.note', 'by_witness.line'])
    .where('by_witness.size', 'in', selectCosignedSizes(db, range).orderBy('size'))
    .orderBy('by_witness.size')
    .execute()
}

/** The largest head that a witness signed, with what it signed. */
export async function findNewestBy(
  db: Db,
  witness: string,
): Promise<{ size: number; note: string; line: string } | undefined> {
  return db
    .selectFrom('log_cosignatures as by_witness')
    .innerJoin('log_checkpoints as head', 'head.size', 'by_witness.size')
    .select(['head.size', 'head.note', 'by_witness.line'])
    .where('by_witness.witness', '=', witness)
    .orderBy('by_witness.size', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest heads of some sizes that so many signed, the largest first, a row for each signature. */
export async function listNewestCosigned(
  db: Db,
  range: CosignedRange,
): Promise<{ size: number; signed_at: number; note: string; line: string }[]> {
  return db
    .selectFrom('log_cosignatures as by_witness')
    .innerJoin('log_checkpoints as head', 'head.size', 'by_witness.size')
    .select(['head.size', 'head.signed_at', 'head.note', 'by_witness.line'])
    .where('by_witness.size', 'in', selectCosignedSizes(db, range).orderBy('size', 'desc'))
    .orderBy('by_witness.size', 'desc')
    .execute()
}

/** When a witness signed the largest head that it signed, by its clock in milliseconds. */
export async function findNewestCosigning(db: Db, witness: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('log_cosignatures')
    .select('cosigned_at')
    .where('witness', '=', witness)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.cosigned_at
}
