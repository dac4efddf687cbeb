import type { Db } from '../../../db/open.ts'
import type { FileProblemRow } from '../../../db/proof-tables.ts'

export async function keepProblem(transaction: Db, problem: FileProblemRow): Promise<void> {
  await transaction
    .insertInto('file_problems')
    .values(problem)
    .onConflict((conflict) =>
      conflict.column('proof_id').doUpdateSet({ found_at: problem.found_at, told: problem.told }),
    )
    .execute()
}

export async function deleteProblems(transaction: Db, proofIds: readonly number[]): Promise<void> {
  if (proofIds.length > 0) await transaction.deleteFrom('file_problems').where('proof_id', 'in', proofIds).execute()
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
