import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { CertifyError } from '@proofdesk/certify/errors'
import type { BuildRequest, BuiltRevision, CertifiedSource } from '@proofdesk/certify/types'
import type { Viewer } from '@proofdesk/contract/permissions'
import { toVerifyUrl } from '@proofdesk/contract/proof-link'
import type { ProofFields } from '@proofdesk/proof/log/commitment'
import { makeProofId } from '@proofdesk/proof/proof-id'
import { giveUpBlob, recordIntent } from '../../blobs/intents.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { toProofFields } from '../certificates/service.ts'
import type { CollectionRecord } from '../collections/queries.ts'
import { reportSpoiled } from '../stored-files/service.ts'
import { findDocument, type SentFile, type StoredDocument } from '../submissions/queries.ts'
import { digestRecord, readPrepared } from '../submissions/service.ts'
import { signCode } from './sign-code.ts'

/** Random bytes a Proof ID is drawn from. */
const SEED_BYTES = 32

export interface Decision {
  admin_desc: string
  /** Milliseconds since 1970-01-01 UTC; null: never. */
  expire_time: number | null
  /** Of the submission that was looked at; without it the decision is on what waits. */
  digest?: string | undefined
}

/** Revision 0 of a certified PDF, stored under an intent: nobody has been told of it, and nothing is decided. */
export interface BuiltProof {
  proofId: string
  /** Hex. */
  seed: string
  /** Milliseconds since 1970-01-01 UTC. */
  approvedAt: number
  blobKey: string
  revision: BuiltRevision
  /** What the log commits to. */
  fields: ProofFields
}

/**
 * Step 1 of approving (design, section 3): makes the certified PDF out of the review document of what waits. No transaction
 * is open meanwhile; how many are built at once is bounded by the pool.
 * @throws AppError `collection_not_reviewable` when the document has gone meanwhile; `file_altered` when it is not the one
 *   that the digest speaks of, `file_missing` when it is gone; `certifying_unavailable` or `storage_unavailable` when it cannot be made now. Then nothing
 *   is left of it.
 */
export async function buildProof(
  deps: Deps,
  reviewer: Viewer,
  collection: CollectionRecord,
  decision: Decision,
): Promise<BuiltProof> {
  const document = await mustHaveDocument(deps, collection)
  const seed = randomBytes(SEED_BYTES)
  const proofId = makeProofId(seed)
  const approvedAt = deps.now()
  const { config } = deps
  const outPath = deps.blobs.temporaryPath()
  try {
    const originals = document.files.map(toOriginal)
    const printed = {
      proofId,
      organisation: config.organisation,
      isTestInstance: config.isTestInstance,
      title: collection.title,
      username: collection.username,
      reviewer: reviewer.username,
      description: decision.admin_desc,
      submission: { number: document.number, digest: document.digest, documentSha256: document.sha256 },
      submittedAt: collection.submitted_at,
      approvedAt,
      expiresAt: decision.expire_time,
      verifyUrl: toVerifyUrl(config.publicUrl),
    }
    const code = await signCode(deps, printed, originals, document.sha256)
    const stored = { kind: 'review_document', key: document.key, collection_id: collection.id } as const
    const revision = await reportSpoiled(deps, stored, () =>
      buildFrom(deps, document, (reviewDocument) =>
        deps.certify.build({ reviewDocument, originals, outPath, fields: { ...printed, code } }),
      ),
    )
    const blobKey = await storeRevision(deps, outPath)
    const fields = toProofFields({
      proofid: proofId,
      revision0: revision,
      files: document.files,
      approvedAt,
      expireTime: decision.expire_time,
      username: collection.username,
      title: collection.title,
      reviewer: reviewer.username,
      organisation: config.organisation,
      description: decision.admin_desc,
      digest: document.digest,
    })
    return { proofId, seed: seed.toString('hex'), approvedAt, blobKey, revision, fields }
  } catch (error) {
    await rm(outPath, { force: true })
    throw error
  }
}

/** The digest is worked out again: whoever could change a row could otherwise have other pages sealed. */
async function mustHaveDocument(
  { reads }: Deps,
  { id, submission_number, title, username, digest }: CollectionRecord,
): Promise<StoredDocument & { digest: string }> {
  const document = await findDocument(reads, id, submission_number)
  if (!document || digest === null) throw new AppError('collection_not_reviewable')
  const facts = { number: submission_number, title, username, files: document.files }
  if (digestRecord(facts, document.sha256) !== digest) throw new AppError('file_altered')
  return { ...document, digest }
}

function toOriginal(file: SentFile): CertifiedSource {
  const prepared = readPrepared(file)
  if (!prepared) throw new AppError('certifying_unavailable', { cause: new Error('a file that was not prepared') })
  const { type, title, file_name: fileName, size: sizeBytes, sha256 } = file
  return { type, title, fileName, sizeBytes, sha256, ...prepared }
}

async function buildFrom(
  deps: Deps,
  { key, size: sizeBytes, sha256 }: StoredDocument,
  build: (reviewDocument: BuildRequest['reviewDocument']) => Promise<BuiltRevision>,
): Promise<BuiltRevision> {
  try {
    const { path, release } = await deps.blobs.openLocal(key)
    try {
      return await build({ path, sizeBytes, sha256 })
    } finally {
      await release()
    }
  } catch (error) {
    throw toUnavailable(error)
  }
}

async function storeRevision(deps: Deps, path: string): Promise<string> {
  const key = `revisions/${randomBytes(16).toString('hex')}`
  await recordIntent(deps.db, deps.now(), key)
  try {
    await deps.blobs.putFile(key, path, true)
    return key
  } catch (error) {
    await giveUpBlob(deps, key)
    throw toUnavailable(error)
  }
}

/** A reviewer is told to try again later; what happened goes to the log as the cause. */
export function toUnavailable(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  if (cause instanceof CertifyError && cause.code === 'source_changed') return new AppError('file_altered', { cause })
  return new AppError(isStorageFailure(cause) ? 'storage_unavailable' : 'certifying_unavailable', { cause })
}

const DISK_FAILURE = /\b(?:ENOSPC|EDQUOT|EROFS|EIO|EFBIG)\b/

/** The disk was full, or broken, while a worker wrote. Out of another process such an error comes as words only. */
function isStorageFailure(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (DISK_FAILURE.test(`${(at as NodeJS.ErrnoException).code} ${at.message}`)) return true
  }
  return false
}
