import type { Db } from '../../db/open.ts'

/**
 * All rows of the outbox, those that have failed among them, and since when the longest waiting could have been done.
 * @scans: what is not done yet is little on any day.
 */
export async function countWork(db: Db): Promise<{ waiting: number; failing: number; oldest: number | null }> {
  return db
    .selectFrom('outbox')
    .select(({ fn }) => [
      fn.countAll<number>().as('waiting'),
      fn.countAll<number>().filterWhere('attempts', '>', 0).as('failing'),
      fn.min('due_at').as('oldest'),
    ])
    .executeTakeFirstOrThrow()
}

/**
 * The same by kind.
 * @scans: as above.
 */
export async function countWorkByKind(db: Db): Promise<{ kind: string; waiting: number; oldest: number | null }[]> {
  return db
    .selectFrom('outbox')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('waiting'), fn.min('due_at').as('oldest')])
    .groupBy('kind')
    .orderBy('kind')
    .execute()
}

export async function findLastWholeRound(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('file_rounds')
    .select(({ fn }) => fn.max('ended_at').as('ended_at'))
    .executeTakeFirst()
  return row?.ended_at ?? null
}

/** @scans: what is spoiled is next to nothing, or the installation has other sorrows. */
export async function countFileProblems(db: Db): Promise<number> {
  const [certified, others] = await Promise.all([
    db
      .selectFrom('file_problems')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('spoiled_files')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return certified.count + others.count
}

/**
 * Originals and review documents, the newest first.
 * @scans: as above.
 */
export async function listSpoiledFiles(db: Db, most: number) {
  return db
    .selectFrom('spoiled_files as f')
    .innerJoin('collections as c', 'c.id', 'f.collection_id')
    .innerJoin('users as u', 'u.id', 'c.owner_id')
    .select(['f.kind as what', 'f.found_at', 'f.told', 'c.title', 'u.username', 'c.id as collection_id'])
    .orderBy('f.found_at', 'desc')
    .orderBy('f.key')
    .limit(most)
    .execute()
}

/** Originals and review documents. */
const KINDS_OF_STORED = 2

/** When the last whole rounds through originals and through review documents ended; null before the first of either. */
export async function findLastStoredRound(db: Db): Promise<number | null> {
  const rounds = await db.selectFrom('stored_rounds').select('ended_at').execute()
  const ends = rounds.flatMap(({ ended_at }) => ended_at ?? [])
  return ends.length < KINDS_OF_STORED ? null : Math.min(...ends)
}

/**
 * The newest first.
 * @scans: what is spoiled is next to nothing, or the installation has other sorrows.
 */
export async function listFileProblems(db: Db, most: number) {
  return db
    .selectFrom('file_problems as f')
    .innerJoin('proofs as p', 'p.id', 'f.proof_id')
    .leftJoin('collections as c', 'c.id', 'p.collection_id')
    .select(['f.proof_id', 'f.found_at', 'f.told', 'p.title', 'p.username', 'c.id as collection_id'])
    .orderBy('f.found_at', 'desc')
    .orderBy('f.proof_id', 'desc')
    .limit(most)
    .execute()
}
