import type { Selectable } from 'kysely'
import type { Db } from '../../../db/open.ts'
import type { FileProblemRow, FileRoundRow } from '../../../db/proof-tables.ts'

export type FileRound = Selectable<FileRoundRow>

export async function findNewestRound(db: Db): Promise<FileRound | undefined> {
  return db.selectFrom('file_rounds').selectAll().orderBy('began_at', 'desc').limit(1).executeTakeFirst()
}

/** Of several processes one is first. */
export async function beginRound(db: Db, now: number): Promise<void> {
  await db
    .insertInto('file_rounds')
    .values({ began_at: now, reached_id: 0, ended_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** @returns false when another process was quicker. */
export async function moveRound(
  transaction: Db,
  { began_at, reached_id }: FileRound,
  to: Partial<Pick<FileRound, 'reached_id' | 'ended_at'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('file_rounds')
    .set(to)
    .where('began_at', '=', began_at)
    .where('reached_id', '=', reached_id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Only the newest says anything. */
export async function deleteRoundsBefore(transaction: Db, began_at: number): Promise<void> {
  await transaction.deleteFrom('file_rounds').where('began_at', '<', began_at).execute()
}

export async function keepProblem(transaction: Db, problem: FileProblemRow): Promise<void> {
  await transaction
    .insertInto('file_problems')
    .values(problem)
    .onConflict((conflict) =>
      conflict.column('proof_id').doUpdateSet({ found_at: problem.found_at, told: problem.told }),
    )
    .execute()
}

export async function deleteProblem(transaction: Db, proofId: number): Promise<void> {
  await transaction.deleteFrom('file_problems').where('proof_id', '=', proofId).execute()
}

/**
 * Forgets what was wrong with a certified PDF that stands there again as it was sealed.
 * @scans: what is spoiled is next to nothing, or the installation has other sorrows.
 */
export async function deleteProblemOfFile(db: Db, sealedKey: string): Promise<void> {
  await db
    .deleteFrom('file_problems')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('proofs')
          .select('proofs.id')
          .whereRef('proofs.id', '=', 'file_problems.proof_id')
          .where('proofs.sealed_key', '=', sealedKey),
      ),
    )
    .execute()
}
