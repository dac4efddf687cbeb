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

/** When the last whole round through each kind of stored files ended. */
export async function listWholeRounds(db: Db) {
  return db
    .selectFrom('stored_rounds')
    .select(['kind', 'ended_at'])
    .where('ended_at', 'is not', null)
    .$narrowType<{ ended_at: number }>()
    .execute()
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
