import { listCollectionRights, type Viewer } from '@proofdesk/contract/permissions'

export const PAGE_SIZE = 10
const DAY_MS = 24 * 60 * 60 * 1000
export const LONGEST_SESSION_MS = 90 * DAY_MS

export interface PersonRow {
  id: number
  username: string
  is_staff: number
  is_admin: number
  is_superuser: number
  is_email_verified: number
}

export interface CollectionRow {
  id: number
  username: string
  title: string
  is_locked: number
  proofid: string | null
  admin_desc: string
  admin_username: string | null
  expire_time: number | null
  created_at: number
  submitted_at: number | null
  submission_number: number
  digest: string | null
  document_state: string
  claim_id: number | null
  content_count: number
  revoked_at: number | null
}

export const SELECT_PERSON = `
  select u.id, u.username, u.is_staff, u.is_admin, u.is_superuser, u.is_email_verified
  from session_tokens as t join sessions as s on s.id = t.session_id join users as u on u.id = s.user_id`
export const SELECT_OWN = `
  select c.id, u.username, c.title, c.is_locked, c.proofid, c.admin_desc, r.username as admin_username, c.expire_time,
    c.created_at, c.submitted_at, c.submission_number, c.digest, c.document_state, c.claim_id, c.content_count, p.revoked_at
  from collections as c join users as u on u.id = c.owner_id left join users as r on r.id = c.reviewer_id
    left join proofs as p on p.id = c.claim_id`

/** Which page of the list a call asks for, and how addresses of others are written. */
export function readPage(url: string): { page: number; toPage: (page: number) => string } {
  const [where = '', query = ''] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  return {
    page: Number(parameters.get('page') ?? 1),
    toPage: (number) => {
      parameters.set('page', String(number))
      return `${where}?${parameters}`
    },
  }
}

/** The product's answer, by hand. */
export function writeOwnList(
  person: PersonRow,
  { count, rows }: { count: number; rows: CollectionRow[] },
  { page, toPage }: ReturnType<typeof readPage>,
  now: number,
): string {
  const viewer: Viewer = {
    id: person.id,
    username: person.username,
    is_staff: person.is_staff === 1,
    is_admin: person.is_admin === 1,
    is_superuser: person.is_superuser === 1,
    is_email_verified: person.is_email_verified === 1,
  }
  return JSON.stringify({
    count,
    next: page * PAGE_SIZE < count ? toPage(page + 1) : null,
    previous: page > 1 ? toPage(page - 1) : null,
    results: rows.map((row) => toAnswer(row, viewer, now)),
    // Only of what was searched for.
    count_capped: false,
  })
}

function toAnswer(row: CollectionRow, viewer: Viewer, now: number) {
  const is_locked = row.is_locked === 1
  const is_active = row.expire_time === null || row.expire_time > now
  const waits = is_locked && row.proofid === null && row.submission_number > 0
  return {
    id: row.id,
    title: row.title,
    username: row.username,
    is_locked,
    is_active,
    proofid: row.proofid,
    admin_desc: row.admin_desc,
    admin_username: row.admin_username,
    expire_time: row.expire_time === null ? null : new Date(row.expire_time).toISOString(),
    remaining_approval_time: row.expire_time === null ? null : Math.max(0, Math.floor((row.expire_time - now) / 1000)),
    created_at: new Date(row.created_at).toISOString(),
    content_count: row.content_count,
    revoked_at: row.revoked_at === null ? null : new Date(row.revoked_at).toISOString(),
    sealing: null,
    submission: waits ? toSubmission(row) : null,
    may: listCollectionRights(viewer, { ...row, is_locked, is_active, is_claimed: row.claim_id !== null }),
  }
}

function toSubmission({ submission_number: number, submitted_at, created_at, digest, document_state }: CollectionRow) {
  const sent_at = new Date(submitted_at ?? created_at).toISOString()
  return { number, sent_at, state: document_state, digest, document: document_state }
}
