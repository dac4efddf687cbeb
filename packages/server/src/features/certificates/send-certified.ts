import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { sendBlob, type StoredFile } from '../../http/send-file.ts'
import { keepProblem } from './rounds/queries.ts'

/** A published proof's certified PDF. */
export interface CertifiedFile extends StoredFile {
  /** Row of the proof. */
  proof_id: number
}

/**
 * Answers with a certified PDF. One that is found to be missing or altered is named on the health page and in the log from then
 * on, and not only when its turn comes.
 * @throws AppError as `sendBlob`
 */
export async function sendCertified(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  file: CertifiedFile,
): Promise<FastifyReply> {
  try {
    return await sendBlob(request, reply, deps.blobs, file)
  } catch (error) {
    const told = error instanceof AppError ? TOLD[error.code] : undefined
    if (told !== undefined) await reportFound(deps, file.proof_id, told)
    throw error
  }
}

const TOLD: Partial<Record<AppError['code'], string>> = { file_missing: 'no file', file_altered: 'altered' }

async function reportFound({ db, now, logger }: Deps, proof_id: number, told: string): Promise<void> {
  try {
    await keepProblem(db, { proof_id, found_at: now(), told })
  } catch (error) {
    logger.fail('a spoiled file could not be written down', error, { proof: proof_id })
  }
}
