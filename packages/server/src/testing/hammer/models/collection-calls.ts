import type { RevocationReason } from '@proofdesk/contract/proof-verdict'
import type { Change, Round } from './collection-state.ts'

/** What a row of the API says of a collection. */
export interface SeenCollection {
  title: string
  isLocked: boolean
  proofId: string | null
  description: string
  reviewer: string | null
  fileCount: number
  isRevoked: boolean
  /** Of what waits; undefined where nothing does. */
  waiting: { number: number; digest: string | null; document: string } | undefined
  /** Whether an approval is being sealed; undefined for whoever is not told. */
  isSealing: boolean | undefined
}

/** What a change was answered: done, with what the answer shows, refused by a code, or nobody knows. */
export type Told<Shown> = { told: 'done'; shown: Shown } | { told: 'refused'; code: string } | { told: 'unknown' }

/** What a question was answered; one whose answer is lost says nothing and is not in any history. */
export type Answered<Shown> = Exclude<Told<Shown>, { told: 'unknown' }>

/** Everything that is asked of one collection, with its answer. */
export type CollectionCall =
  | { kind: 'create'; title: string; answer: Told<SeenCollection> }
  | { kind: 'rename'; title: string; answer: Told<SeenCollection> }
  | { kind: 'upload'; sha256: string; answer: Told<{ sha256: string }> }
  | { kind: 'send'; answer: Told<SeenCollection> }
  | { kind: 'approve'; text: string; by: string; digest: string | undefined; answer: Told<undefined> }
  /** The two moments of an approval that may have been withdrawn before its caller was answered, see `splitRefusals`. */
  | { kind: 'approve in vain'; text: string; by: string; digest: string | undefined; answer: Told<undefined> }
  | { kind: 'be refused'; text: string; answer: Told<undefined> }
  | { kind: 'reject'; text: string; by: string; digest: string | undefined; answer: Told<SeenCollection> }
  | { kind: 'withdraw'; text: string; by: string; answer: Told<SeenCollection> }
  | { kind: 'revoke'; proofId: string; reason: RevocationReason; count: number | undefined; answer: Told<number> }
  | { kind: 'reinstate'; proofId: string; count: number | undefined; answer: Told<number> }
  | { kind: 'see'; answer: Answered<SeenCollection> }
  | { kind: 'see files'; answer: Answered<string[]> }
  | { kind: 'see rounds'; isOwner: boolean; answer: Answered<Round[]> }
  | { kind: 'see changes'; proofId: string; answer: Answered<Change[]> }
  | { kind: 'verify'; proofId: string; answer: Answered<Verified> }
  | { kind: 'fetch'; proofId: string; answer: Answered<{ sha256: string }> }

/** What a stranger is told of a proof. */
export interface Verified {
  verdict: 'valid' | 'revoked' | 'expired'
  reason: RevocationReason | null
  title: string
  files: string[]
}
