import type { SeenCollection, Verified } from './collection-calls.ts'
import { isRevoked, publish, UNSEEN, type Change, type CollectionState, type Round } from './collection-state.ts'

// What answers to questions show. Each gives the state, with what the answer settles of it; undefined where no such state
// shows this.

const alike = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export function seeCollection(before: CollectionState, seen: SeenCollection): CollectionState | undefined {
  const state = seen.proofId === null ? before : publish(before, seen.proofId)
  if (!state || state.phase === 'absent') return undefined
  const { phase } = state
  if (seen.proofId === null && phase === 'published') return undefined
  const isSame =
    seen.isLocked === (phase !== 'open') &&
    seen.title === state.title &&
    seen.description === state.description &&
    seen.reviewer === state.reviewer &&
    seen.fileCount === state.files.length &&
    seen.isRevoked === isRevoked(state) &&
    (seen.isSealing === undefined || seen.isSealing === (phase === 'claimed'))
  return isSame ? seeWaiting(state, seen.waiting) : undefined
}

function seeWaiting(state: CollectionState, waiting: SeenCollection['waiting']): CollectionState | undefined {
  const isThere = state.phase === 'sent' || state.phase === 'claimed'
  if (!waiting) return isThere ? undefined : state
  if (!isThere || waiting.number !== state.rounds.length) return undefined
  const { digest, document } = waiting
  if (document !== (state.files.length === 0 ? 'none' : digest === null ? 'preparing' : 'ready')) return undefined
  if (digest === null) return state.digest === null ? state : undefined
  if (state.digest === null || state.digest === UNSEEN) return { ...state, digest }
  return state.digest === digest ? state : undefined
}

/** @param files SHA-256 of each. */
export function seeFiles(state: CollectionState, files: string[]): CollectionState | undefined {
  return state.phase !== 'absent' && alike(files.toSorted(), state.files) ? state : undefined
}

/** @param rounds The oldest first. @param isOwner Of whoever was shown them: to them a withdrawal reads as a rejection. */
export function seeRounds(state: CollectionState, rounds: Round[], isOwner: boolean): CollectionState | undefined {
  const isSeen = (kept: readonly Round[]) =>
    alike(
      rounds,
      isOwner ? kept.map((round) => (round.outcome === 'withdrawn' ? { ...round, outcome: 'rejected' } : round)) : kept,
    )
  if (isSeen(state.rounds)) return state
  // Published meanwhile, by a Proof ID that this answer does not tell.
  const published = publish(state, null)
  return published && isSeen(published.rounds) ? published : undefined
}

export function seeChanges(before: CollectionState, proofId: string, changes: Change[]): CollectionState | undefined {
  const state = publish(before, proofId)
  return state && alike(changes, state.changes) ? state : undefined
}

/** What a stranger is told of a proof. */
export function seeProof(
  before: CollectionState,
  proofId: string,
  { verdict, reason, title, files }: Verified,
): CollectionState | undefined {
  const state = publish(before, proofId)
  if (!state || title !== state.title || !alike(files.toSorted(), state.files)) return undefined
  const last = state.changes.at(-1)
  const isSame = isRevoked(state) ? verdict === 'revoked' && reason === last?.reason : verdict === 'valid'
  return isSame ? state : undefined
}

/** A certified PDF, byte by byte the same for ever; only one in force is handed out. */
export function seeSealed(before: CollectionState, proofId: string, sha256: string): CollectionState | undefined {
  const state = publish(before, proofId)
  if (!state || isRevoked(state) || (state.sealed !== null && state.sealed !== sha256)) return undefined
  return { ...state, sealed: sha256 }
}
