import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import type { Model } from '../checker/history.ts'
import { seeChanges, seeCollection, seeFiles, seeProof, seeRounds, seeSealed } from './collection-answers.ts'
import type { CollectionCall, Told } from './collection-calls.ts'
import { isLegalRefusal } from './collection-refusals.ts'
import { isRevoked, publish, settleRound, UNSEEN, type Change, type CollectionState } from './collection-state.ts'

/**
 * A collection of the specification's section 4, from nothing to a revoked proof. That an approval is sealed and published
 * after it was decided, and a review document made after sending, are steps of the product's own: the state leaves them open
 * until an answer tells.
 */
export const collectionModel: Model<CollectionCall, CollectionState> = {
  initial: {
    phase: 'absent',
    title: '',
    description: DEFAULT_ADMIN_DESC,
    reviewer: null,
    files: [],
    rounds: [],
    digest: null,
    claim: null,
    changes: [],
    sealed: null,
    refusing: [],
  },
  keyOf: (state) => JSON.stringify(state),
  step: (state, call) => {
    if (call.kind === 'be refused') return endRefusal(state, call.text)
    if (call.kind === 'approve in vain') return beginRefusal(state, { ...call, kind: 'approve' })
    if (call.answer.told === 'refused') return isLegalRefusal(state, call, call.answer.code) ? state : undefined
    switch (call.kind) {
      case 'see':
        return call.answer.told === 'done' ? seeCollection(state, call.answer.shown) : undefined
      case 'see files':
        return call.answer.told === 'done' ? seeFiles(state, call.answer.shown) : undefined
      case 'see rounds':
        return call.answer.told === 'done' ? seeRounds(state, call.answer.shown, call.isOwner) : undefined
      case 'see changes':
        return call.answer.told === 'done' ? seeChanges(state, call.proofId, call.answer.shown) : undefined
      case 'verify':
        return call.answer.told === 'done' ? seeProof(state, call.proofId, call.answer.shown) : undefined
      case 'fetch':
        return call.answer.told === 'done' ? seeSealed(state, call.proofId, call.answer.shown.sha256) : undefined
      case 'create':
      case 'rename':
      case 'send':
      case 'reject':
      case 'withdraw':
        return thenSee(change(state, call), call.answer)
      case 'upload':
        return call.answer.told === 'done' && call.answer.shown.sha256 !== call.sha256 ? undefined : change(state, call)
      case 'approve':
        return change(state, call)
      case 'revoke':
      case 'reinstate': {
        const changed = change(state, call)
        return call.answer.told === 'done' && changed?.changes.length !== call.answer.shown ? undefined : changed
      }
    }
  },
}

/** The answer to a change shows what it left. */
function thenSee(state: CollectionState | undefined, answer: Told<Parameters<typeof seeCollection>[1]>) {
  return state && answer.told === 'done' ? seeCollection(state, answer.shown) : state
}

/** @returns undefined where the state does not allow it. */
function change(state: CollectionState, call: CollectionCall): CollectionState | undefined {
  const { phase } = state
  switch (call.kind) {
    case 'create':
      return phase === 'absent' ? { ...state, phase: 'open', title: call.title } : undefined
    case 'rename':
      return phase === 'open' ? { ...state, title: call.title } : undefined
    case 'upload':
      if (phase !== 'open' || state.files.includes(call.sha256)) return undefined
      return { ...state, files: [...state.files, call.sha256].sort() }
    case 'send': {
      if (phase !== 'open') return undefined
      return { ...state, phase: 'sent', rounds: [...state.rounds, { outcome: 'waiting', text: null }], digest: null }
    }
    case 'approve': {
      // What is empty is refused, and what is approved had its review document.
      if (!isLookedAt(state, call.digest) || state.files.length === 0) return undefined
      const claim = { proofId: null, text: call.text, reviewer: call.by, isDoomed: false }
      return { ...state, phase: 'claimed', claim, digest: call.digest ?? state.digest ?? UNSEEN }
    }
    case 'reject':
      if (!isLookedAt(state, call.digest)) return undefined
      return giveBack(state, 'rejected', call)
    case 'withdraw':
      return phase === 'claimed' ? giveBack({ ...state, claim: null }, 'withdrawn', call) : undefined
    case 'revoke':
      return addChange(state, call, { kind: 'revoke', reason: call.reason })
    case 'reinstate':
      return addChange(state, call, { kind: 'reinstate', reason: null })
    case 'approve in vain':
    case 'be refused':
    case 'see':
    case 'see files':
    case 'see rounds':
    case 'see changes':
    case 'verify':
    case 'fetch':
      return undefined
  }
}

/** An approval is decided here, where it can be, and must have been withdrawn by its other moment. */
function beginRefusal(state: CollectionState, call: Extract<CollectionCall, { kind: 'approve' }>) {
  if (state.phase === 'absent') return undefined
  const refusing = [...state.refusing, call.text].sort()
  if (state.phase !== 'sent') return { ...state, refusing }
  const claimed = change(state, call)
  return claimed?.claim ? { ...claimed, claim: { ...claimed.claim, isDoomed: true }, refusing } : undefined
}

function endRefusal(state: CollectionState, text: string): CollectionState | undefined {
  if (!state.refusing.includes(text) || state.claim?.text === text) return undefined
  return { ...state, refusing: state.refusing.filter((other) => other !== text) }
}

/** Whether this is what waits for a decision. Nobody names a digest that they were not shown. */
function isLookedAt({ phase, digest }: CollectionState, lookedAt: string | undefined): boolean {
  return phase === 'sent' && (lookedAt === undefined || digest === null || digest === UNSEEN || digest === lookedAt)
}

function giveBack(
  state: CollectionState,
  outcome: 'rejected' | 'withdrawn',
  { text, by }: { text: string; by: string },
): CollectionState {
  const rounds = settleRound(state, outcome, text)
  return { ...state, phase: 'open', description: text, reviewer: by, rounds, digest: null }
}

function addChange(
  state: CollectionState,
  { proofId, count }: { proofId: string; count: number | undefined },
  entry: Change,
): CollectionState | undefined {
  const published = publish(state, proofId)
  if (!published || isRevoked(published) === (entry.kind === 'revoke')) return undefined
  if (count !== undefined && count !== published.changes.length) return undefined
  return { ...published, changes: [...published.changes, entry] }
}
