import { createHash } from 'node:crypto'
import { ServerContent } from '@proofdesk/contract/certificates'
import { Collection } from '@proofdesk/contract/collections'
import { Comment } from '@proofdesk/contract/comments'
import { Content } from '@proofdesk/contract/contents'
import { JudgedProof } from '@proofdesk/contract/judged-proof'
import { ProofChange } from '@proofdesk/contract/proof-changes'
import { Submission } from '@proofdesk/contract/submissions'
import type { SeenCollection, Verified } from '../models/collection-calls.ts'
import type { Change, Round } from '../models/collection-state.ts'
import type { Person } from './people.ts'

// Answers of the API, by its own shapes, as the models see them.

export const hashBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export function toSeen(row: Collection, { role }: Person): SeenCollection {
  const { title, is_locked, proofid, admin_desc, admin_username, content_count, revoked_at, submission, sealing } = row
  return {
    title,
    isLocked: is_locked,
    proofId: proofid,
    description: admin_desc,
    reviewer: admin_username,
    fileCount: content_count,
    isRevoked: revoked_at !== null,
    waiting: submission ?? undefined,
    isSealing: role === 'user' ? undefined : sealing !== null,
  }
}

export const showCollection = (json: unknown): Collection => Collection.parse(json)

export const showCollections = (json: unknown): Collection[] => listResults(json).map((row) => Collection.parse(row))

export const showContent = (json: unknown): Content => Content.parse(json)

export const showFiles = (json: unknown): string[] => listResults(json).map((row) => Content.parse(row).sha256)

/** The oldest first. */
export const showRounds = (json: unknown): Round[] =>
  listResults(json)
    .map((row) => Submission.parse(row))
    .map(({ outcome, admin_desc: text }) => ({ outcome, text }))
    .toReversed()

export const showComment = (json: unknown): string => Comment.parse(json).text

export const showComments = (json: unknown): string[] => listResults(json).map(showComment)

export const showChangeCount = (json: unknown): number => ServerContent.parse(json).change_count

export const showChanges = (json: unknown): Change[] =>
  listResults(json).map((row) => {
    const { kind, reason } = ProofChange.parse(row)
    if (kind === 'extend') throw new Error('nobody changed an expiry')
    return { kind, reason }
  })

export function showVerified(json: unknown): Verified {
  const { verdict, reason, title, files } = JudgedProof.parse(json)
  return { verdict, reason, title, files: files.map(({ sha256 }) => sha256) }
}

const listResults = (json: unknown): unknown[] => (json as { results: unknown[] }).results
