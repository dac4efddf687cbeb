import { CertifyError } from '@proofdesk/certify/pool'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { judgeInTurns, NOT_KNOWN } from '../../../rounds/judge-in-turns.ts'
import { explainStored } from '../judge-stored.ts'
import { listSealed } from '../queries.ts'
import { deleteProblems, keepProblem } from './queries.ts'

/**
 * Judges the stored certified PDFs one after the other by the verifier that strangers have. What is not what was approved is
 * kept in `file_problems`, and told in the log, until it is right again.
 */
export async function judgeCertified(deps: Deps): Promise<void> {
  await judgeInTurns(deps, {
    kind: 'certified',
    turnMs: 1000,
    listAfter: listSealed,
    judge: (proof) =>
      explainStored(deps, proof).catch(async (error: unknown) => {
        if (error instanceof AppError && error.code === 'storage_unavailable') {
          // A store that is well but for this file, which the round must not stop at.
          await deps.blobs.check()
          return 'unreadable'
        }
        // That no process could be had says nothing about the file, which has its turn again in the next round.
        if (!(error instanceof CertifyError)) throw error
        deps.logger.fail('a stored file could not be judged', error, { proof: proof.id })
        return NOT_KNOWN
      }),
    keep: async (transaction, judged) => {
      const right = judged.filter(({ told }) => told === undefined)
      await deleteProblems(
        transaction,
        right.map(({ file }) => file.id),
      )
      for (const { file, told } of judged)
        if (told !== undefined) await keepProblem(transaction, { proof_id: file.id, found_at: deps.now(), told })
    },
    tell: ({ id }, told) =>
      deps.logger.fail('a stored file is not what was approved: put it back from a backup', new Error(told), {
        proof: id,
      }),
  })
}
