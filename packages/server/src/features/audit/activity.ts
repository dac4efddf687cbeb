import type { ActivityKind, ActivityStep } from '@proofdesk/contract/activity'
import type { AuditAction } from '@proofdesk/contract/audit-actions'
import { ACTIVITY_MAX_STEPS, DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import type { PageOf } from '@proofdesk/contract/paging'
import { canReadPrivateTexts, type Viewer } from '@proofdesk/contract/permissions'
import type { ProofChangeKind } from '@proofdesk/contract/proof-changes'
import { tellOutcome } from '@proofdesk/contract/submissions'
import { z } from 'zod'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { toWholeList } from '../../http/page-links.ts'
import { listChanges } from '../certificates/changes/queries.ts'
import { findProofByProofId } from '../certificates/queries.ts'
import type { CollectionRecord } from '../collections/queries.ts'
import { mustSeeCollection, recordCollectionView } from '../collections/service.ts'
import { listDecisions } from '../reviews/queries.ts'
import { listSentNames, type FileNames } from '../submissions/queries.ts'
import * as queries from './queries.ts'
import type { AuditRow } from './queries.ts'

const KINDS = {
  collection_created: 'created',
  collection_sent: 'sent',
  collection_viewed: 'opened',
  collection_rejected: 'rejected',
  collection_approved: 'approved',
  approval_withdrawn: 'withdrawn',
} as const satisfies Partial<Record<AuditAction, ActivityKind>>

/** What counts only where somebody else than the owner did it. */
const KINDS_BY_OTHERS = { content_deleted: 'file_removed' } as const satisfies Partial<
  Record<AuditAction, ActivityKind>
>

const ALL_KINDS = { ...KINDS, ...KINDS_BY_OTHERS }

interface Step {
  kind: ActivityKind
  at: number | null
  by: string | null
  text: string | null
  file?: ActivityStep['file']
}

const CHANGE_KINDS = {
  revoke: 'revoked',
  reinstate: 'reinstated',
  extend: 'expiry_changed',
} as const satisfies Record<ProofChangeKind, ActivityKind>

/**
 * What has become of a collection. Its owner learns that a reviewer opened what was sent, not which one, and reads of an
 * approval that was taken back what every rejection says: nobody has told them of the approval.
 * @throws AppError `collection_not_found`
 */
export async function showActivity(deps: Deps, viewer: Viewer, id: number): Promise<PageOf<ActivityStep>> {
  const collection = await mustSeeCollection(deps, viewer, id)
  await recordCollectionView(deps, viewer, collection)
  const actions = Object.keys(KINDS) as (keyof typeof KINDS)[]
  const byOthers = Object.keys(KINDS_BY_OTHERS) as (keyof typeof KINDS_BY_OTHERS)[]
  const [rows, texts] = await Promise.all([
    queries.listHistory(deps.reads, collection, { actions, byOthers }, ACTIVITY_MAX_STEPS),
    listDecisions(deps.reads, id),
  ])
  const removed = rows.flatMap(({ action, object_id }) =>
    action === 'content_deleted' && object_id !== null ? [object_id] : [],
  )
  const files = removed.length > 0 ? await listSentNames(deps.reads, id, removed) : new Map<number, FileNames>()
  const isOwner = collection.owner_id === viewer.id
  const recorded = rows.map((row) => toStep(row, texts, files))
  const steps = chooseSteps([...(await recallSteps(deps.reads, collection, recorded)), ...recorded], isOwner)
  const told = steps.map((step) => ({
    ...step,
    at: step.at === null ? null : new Date(step.at).toISOString(),
    file: step.file ?? null,
    reason: null,
    expire_time: null,
  }))
  return toWholeList([...told, ...(await listProofSteps(deps.reads, viewer, collection))].slice(-ACTIVITY_MAX_STEPS))
}

/** What became of its proof: by the history of that, which is kept for ever. Nothing else happens to what is approved. */
async function listProofSteps(reads: Db, viewer: Viewer, { proofid }: CollectionRecord): Promise<ActivityStep[]> {
  const proof = proofid === null ? undefined : await findProofByProofId(reads, proofid)
  if (!proof) return []
  const changes = await listChanges(reads, proof.id, canReadPrivateTexts(viewer, proof))
  return changes.map(({ kind, expire_time, ...same }) => ({
    ...same,
    kind: CHANGE_KINDS[kind],
    file: null,
    expire_time: kind === 'extend' ? expire_time : null,
  }))
}

const Details = z.object({ decision: z.number().optional() })

function toStep(row: AuditRow, texts: Map<number, string>, files: Map<number, FileNames>): Step {
  const { decision } = Details.parse(JSON.parse(row.details))
  return {
    kind: ALL_KINDS[row.action as keyof typeof ALL_KINDS],
    at: row.at,
    by: row.actor,
    text: decision === undefined ? null : (texts.get(decision) ?? null),
    file: row.action === 'content_deleted' ? (files.get(row.object_id ?? 0) ?? null) : null,
  }
}

/** What the rows of a collection from before the audit trail, or from before what is kept of it, still tell. */
async function recallSteps(reads: Db, collection: CollectionRecord, recorded: Step[]): Promise<Step[]> {
  const has = (...kinds: ActivityKind[]) => recorded.some(({ kind }) => kinds.includes(kind))
  if (has('created')) return []
  const { username, admin_username, admin_desc, created_at, submitted_at, proofid } = collection
  const recalled: Step[] = [{ kind: 'created', at: created_at, by: username, text: null }]
  const first = recorded[0]
  if (submitted_at !== null && !has('sent')) recalled.push({ kind: 'sent', at: submitted_at, by: username, text: null })
  if (has('rejected', 'withdrawn', 'approved')) return recalled
  const decided = { by: admin_username, text: admin_desc }
  if (proofid !== null) {
    const proof = await findProofByProofId(reads, proofid)
    recalled.push({ kind: 'approved', at: proof?.published_at ?? null, ...decided })
  } else if (admin_desc !== DEFAULT_ADMIN_DESC) {
    const rejected: Step = { kind: 'rejected', at: null, ...decided }
    // Whoever waits again was rejected before they sent it last.
    const isBeforeSent = collection.is_locked && first === undefined
    recalled.splice(isBeforeSent ? recalled.length - 1 : recalled.length, 0, rejected)
  }
  return recalled
}

/** Of openings the first of each round counts, and of each reviewer; one after the decision is none. */
function chooseSteps(steps: Step[], isOwner: boolean): Step[] {
  const chosen: Step[] = []
  let openedBy: Set<string | null> | undefined
  let wasSent = false
  for (const step of steps) {
    if (step.kind === 'opened') {
      const by = isOwner ? null : step.by
      if (!openedBy || openedBy.has(by)) continue
      openedBy.add(by)
      chosen.push({ ...step, by })
      continue
    }
    // A file that goes ends no round and begins none.
    if (step.kind === 'file_removed') {
      chosen.push(step)
      continue
    }
    if (step.kind === 'created') chosen.push(step)
    else if (step.kind === 'sent') {
      chosen.push({ ...step, kind: wasSent ? 'sent_again' : 'sent' })
      openedBy = new Set()
    } else {
      chosen.push({ ...step, kind: tellOutcome(step.kind, isOwner) })
      openedBy = undefined
    }
    wasSent ||= step.kind !== 'created'
  }
  return chosen
}
