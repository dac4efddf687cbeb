import * as certificates from '@proofdesk/contract/certificates'
import { issueReceipt, judgeProofForProgram } from '@proofdesk/contract/judged-proof'
import * as proofChanges from '@proofdesk/contract/proof-changes'
import * as reviews from '@proofdesk/contract/reviews'
import { plantFiledCollection } from './plant.ts'
import { listRows, type RoleRow, type Scene, type Statuses } from './role-row.ts'

// Columns:                 visitor, unverified, owner, other, staff, admin, superuser, deactivated
const SEES_IT: Statuses = [401, 200, 200, 404, 200, 404, 200, 401]
const DECIDED: Statuses = [401, 403, 403, 404, 409, 404, 409, 401]
const OWN: Statuses = [401, 403, 403, 403, 403, 403, 403, 401]

/** A collection has to be locked, undecided and another's to be reviewed. */
const REVIEWED: Readonly<Record<'opened' | 'answered' | 'sent' | 'claimed' | 'approved' | 'expired', Statuses>> = {
  opened: DECIDED,
  answered: DECIDED,
  sent: [401, 403, 403, 404, 200, 404, 200, 401],
  claimed: DECIDED,
  approved: DECIDED,
  expired: DECIDED,
}

const body = { admin_desc: 'Looked at.' }

/** For those whose approval is taken the review document has to be there. */
const isApproved = (route: RoleRow['route'], { role }: Scene) =>
  route === reviews.approveCollection && (role === 'staff' || role === 'superuser')

export const REVIEW_ROWS: RoleRow[] = [
  ...[reviews.approveCollection, reviews.rejectCollection].flatMap((route) => [
    ...listRows(route, REVIEWED, async (scene, state) => ({
      params: { id: (await plantFiledCollection(scene, state, isApproved(route, scene))).id },
      body,
    })),
    ...listRows(
      route,
      { 'sent, one’s own': OWN },
      async (scene) => ({ params: { id: (await plantFiledCollection(scene, 'sent')).id }, body }),
      { isOwn: true },
    ),
  ]),
  ...listRows(
    reviews.withdrawApproval,
    {
      opened: [401, 403, 403, 404, 403, 404, 409, 401],
      sent: [401, 403, 403, 404, 403, 404, 409, 401],
      claimed: [401, 403, 403, 404, 403, 404, 200, 401],
      approved: [401, 403, 403, 404, 403, 404, 409, 401],
      expired: [401, 403, 403, 404, 403, 404, 409, 401],
    },
    async (scene, state) => ({ params: { id: (await plantFiledCollection(scene, state)).id }, body }),
  ),
  ...listRows(
    reviews.withdrawApproval,
    { 'claimed, one’s own': OWN },
    async (scene) => ({ params: { id: (await plantFiledCollection(scene, 'claimed')).id }, body }),
    { isOwn: true },
  ),
]

const QUEUE: Statuses = [401, 403, 403, 403, 200, 403, 200, 401]

export const QUEUE_ROWS: RoleRow[] = [
  ...listRows(reviews.showReviewQueue, { '': QUEUE }, () => ({})),
  ...listRows(reviews.showReviewQueue, { sent: QUEUE, approved: QUEUE }, async (scene, state) => ({
    query: { collection: (await plantFiledCollection(scene, state)).id },
  })),
  ...listRows(reviews.listOwnDecisions, { '': QUEUE }, () => ({})),
  ...listRows(reviews.listReasons, { '': QUEUE }, () => ({})),
  ...listRows(reviews.saveReason, { '': [401, 403, 403, 403, 201, 403, 201, 401] }, () => ({
    body: { decision: 'reject', text: 'Page 2 is not signed.' },
  })),
  ...listRows(
    reviews.deleteReason,
    {
      'one’s own': [401, 403, 403, 403, 204, 403, 204, 401],
      'another’s': [401, 403, 403, 403, 404, 403, 404, 401],
    },
    async ({ server, caller, owner }, state) => {
      const { db, now } = server.deps
      const user_id = (state === 'another’s' ? owner : (caller ?? owner)).id
      const reason = { user_id, decision: 'approve', text: 'Fine.', text_hash: 'ff', saved_at: now() } as const
      const { id } = await db.insertInto('saved_reasons').values(reason).returning('id').executeTakeFirstOrThrow()
      return { params: { id } }
    },
  ),
]

const EVERYONE: Statuses = [200, 200, 200, 200, 200, 200, 200, 200]
const MISSING: Statuses = [404, 404, 404, 404, 404, 404, 404, 404]

export const CERTIFICATE_ROWS: RoleRow[] = [
  ...listRows(certificates.listServerContents, { '': [401, 200, 200, 200, 200, 200, 200, 401] }, () => ({})),
  ...listRows(
    certificates.serveServerContent,
    { approved: SEES_IT, expired: SEES_IT, claimed: [401, 404, 404, 404, 404, 404, 404, 401] },
    async (scene, state) => ({ query: { collection_proofid: await plantProof(scene, state) } }),
  ),
  ...listRows(
    certificates.retrieveCertifiedPdf,
    { approved: EVERYONE, expired: [410, 410, 410, 410, 410, 410, 410, 410], claimed: MISSING },
    async (scene, state) => ({ query: { proofid: await plantProof(scene, state), username: scene.owner.username } }),
  ),
  ...listRows(
    certificates.retrieveCertifiedPdf,
    { 'another username': MISSING, 'no username': [400, 400, 400, 400, 400, 400, 400, 400] },
    async (scene, state) => ({
      query: {
        proofid: await plantProof(scene, 'approved'),
        ...(state === 'another username' && { username: 'nobody' }),
      },
    }),
  ),
  ...listRows(
    certificates.describeProof,
    { approved: EVERYONE, expired: [410, 410, 410, 410, 410, 410, 410, 410], claimed: MISSING },
    async (scene, state) => ({ body: { proofid: await plantProof(scene, state), username: scene.owner.username } }),
  ),
  ...listRows(
    certificates.describeProof,
    { 'another username': MISSING, 'no username': [400, 400, 400, 400, 400, 400, 400, 400] },
    async (scene, state) => ({
      body: {
        proofid: await plantProof(scene, 'approved'),
        ...(state === 'another username' && { username: 'nobody' }),
      },
    }),
  ),
]

const CHANGED: Statuses = [401, 403, 403, 404, 200, 404, 200, 401]
const UNFIT: Statuses = [401, 403, 403, 404, 409, 404, 409, 401]
const UNKNOWN: Statuses = [401, 404, 404, 404, 404, 404, 404, 401]

export const PROOF_CHANGE_ROWS: RoleRow[] = [
  ...[certificates.showServerContent, proofChanges.listProofChanges].flatMap((route) =>
    listRows(route, { approved: SEES_IT, expired: SEES_IT, claimed: UNKNOWN }, async (scene, state) => ({
      query: { collection_proofid: await plantProof(scene, state) },
    })),
  ),
  ...listRows(
    judgeProofForProgram,
    { approved: EVERYONE, expired: EVERYONE, claimed: MISSING },
    async (scene, state) => ({ body: { proofid: await plantProof(scene, state), username: scene.owner.username } }),
  ),
  ...listRows(judgeProofForProgram, { 'another username': MISSING }, async (scene) => ({
    body: { proofid: await plantProof(scene, 'approved'), username: 'nobody' },
  })),
  ...listRows(issueReceipt, { approved: EVERYONE, expired: EVERYONE, claimed: MISSING }, async (scene, state) => ({
    body: { proofid: await plantProof(scene, state), username: scene.owner.username },
  })),
  ...(
    [
      [proofChanges.revokeProof, { reason: 'superseded' }, CHANGED],
      [proofChanges.reinstateProof, {}, UNFIT],
      [proofChanges.changeProofExpiry, { expire_time: null }, CHANGED],
    ] as const
  ).flatMap(([route, more, statuses]) => [
    ...listRows(route, { approved: statuses, expired: statuses, claimed: UNKNOWN }, async (scene, state) => ({
      body: { proofid: await plantProof(scene, state), ...more },
    })),
    ...listRows(
      route,
      { 'approved, one’s own': OWN },
      async (scene) => ({ body: { proofid: await plantProof(scene, 'approved'), ...more } }),
      { isOwn: true },
    ),
  ]),
]

/** @returns its Proof ID, also where nobody has been told of it yet. */
async function plantProof(scene: Parameters<RoleRow['prepare']>[0], state: 'approved' | 'expired' | 'claimed') {
  const { id } = await plantFiledCollection(scene, state)
  const { proofid } = await scene.server.deps.db
    .selectFrom('proofs')
    .select('proofid')
    .where('collection_id', '=', id)
    .executeTakeFirstOrThrow()
  return proofid
}
