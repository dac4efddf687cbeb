import { defineEvents, type AuditDetails } from '../../events/event.ts'
import type { Work } from '../../outbox/outbox.ts'
import { tellOnlookers, type ConcernedCollection } from '../collections/events.ts'
import { removeBlob } from '../../blobs/remove-blob.ts'
import { approvalMail, rejectionMail, sealProof } from './work.ts'

/** A collection as its owner reads of it. */
type DecidedCollection = ConcernedCollection & { title: string; submission_number: number }

const removeIfKept = (key: string | null): Work[] => (key === null ? [] : [removeBlob({ key })])

/** A decision notifies the owner as well. */
const tellDecision = (collection: ConcernedCollection) => [
  ...tellOnlookers(collection, ['collections']),
  { topics: ['notifications'] as const, user: collection.owner_id },
]

/** What was decided on, and whether the caller had named it by its digest. */
const decidedOn = ({ submission_number: submission }: DecidedCollection, isNamed: boolean) => ({
  submission,
  named: isNamed,
})

/** The collection is its owner's again, with what the reviewer wrote. */
const givenBack = (by: number, collection: DecidedCollection, decision: number, details: AuditDetails = {}) => ({
  audit: {
    actor: by,
    object: { kind: 'collection', id: collection.id },
    collection: collection.id,
    details: { ...details, decision },
  } as const,
  notify: {
    user: collection.owner_id,
    type: 'REJECTED_COLLECTION',
    path: String(collection.id),
    title: collection.title,
  } as const,
  work: [
    rejectionMail({
      user_id: collection.owner_id,
      collection_id: collection.id,
      submission: collection.submission_number,
    }),
  ],
  tell: tellDecision(collection),
})

export const reviewEvents = defineEvents({
  collection_rejected: (by: number, collection: DecidedCollection, decision: number, isNamed: boolean) =>
    givenBack(by, collection, decision, decidedOn(collection, isNamed)),
  approval_withdrawn: (by: number, collection: DecidedCollection, decision: number, revision0Key: string | null) => {
    const { work, ...same } = givenBack(by, collection, decision)
    return { ...same, work: [...work, ...removeIfKept(revision0Key)] }
  },
  approval_claimed: (by: number, collection: DecidedCollection, proof: number, isNamed: boolean) => ({
    audit: {
      actor: by,
      object: { kind: 'proof', id: proof },
      collection: collection.id,
      details: decidedOn(collection, isNamed),
    },
    work: [sealProof({ proof_id: proof })],
    tell: tellOnlookers(collection, ['collections']),
  }),
  /** The approval is there to see. @param proof With the keys of what it was made from. @param decision What the reviewer wrote. */
  collection_approved: (
    by: number,
    collection: Omit<DecidedCollection, 'submission_number'>,
    proof: { id: number; keys: readonly (string | null)[] },
    decision: number,
  ) => ({
    audit: {
      actor: by,
      object: { kind: 'proof', id: proof.id },
      collection: collection.id,
      details: { decision },
    },
    notify: { user: collection.owner_id, type: 'APPROVED_COLLECTION', path: null, title: collection.title },
    work: [approvalMail({ proof_id: proof.id }), ...proof.keys.flatMap(removeIfKept)],
    tell: tellDecision(collection),
  }),
})
