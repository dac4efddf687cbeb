import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import type { UserInfo } from '@proofdesk/contract/users'
import { makeProofId } from '@proofdesk/proof/proof-id'
import { randomBytes } from 'node:crypto'
import { macClaim } from '../features/certificates/proof-mac.ts'
import { insertProof, type NewProof } from '../features/certificates/queries.ts'
import type { TestServer } from '../testing.ts'
import type { TestAnswer, TestClient } from './client.ts'
import { makePdf } from './small-files.ts'

export const STATES = ['opened', 'answered', 'sent', 'claimed', 'approved', 'expired'] as const
export type TestState = (typeof STATES)[number]

/** Opens a collection by the real call. @returns its id. */
export async function openCollection(owner: TestClient, title = 'Degree'): Promise<number> {
  return must(await owner.post('/collections/', { title }), 201).id
}

/** Adds a small PDF by the real call. @returns the content's id. */
export async function addFile(owner: TestClient, collection: number, bytes: Uint8Array = makePdf()): Promise<number> {
  const answer = await owner.upload('/contents/', { collection: String(collection) }, { name: 'degree.pdf', bytes })
  return must(answer, 201).id
}

/** A collection with one file, with the reviewers. @returns its id. */
export async function sendCollection(owner: TestClient, bytes?: Uint8Array): Promise<number> {
  const id = await openCollection(owner)
  await addFile(owner, id, bytes)
  must(await owner.post(`/collections/${id}/save/`), 200)
  return id
}

export function must(answer: TestAnswer, status: number) {
  if (answer.status !== status) throw new Error(`${status} was expected, not ${answer.status} ${answer.body}`)
  return answer.body === '' ? undefined : answer.json()
}

/** Puts a collection straight into the database in any state, for tests of what each state allows. */
export async function plantCollection(
  { deps, clock }: TestServer,
  owner: UserInfo,
  state: TestState,
  reviewer: UserInfo = owner,
): Promise<{ id: number; proofid: string | null }> {
  const now = clock.now()
  const isDecided = state === 'claimed' || state === 'approved' || state === 'expired'
  const isPublished = state === 'approved' || state === 'expired'
  const seed = randomBytes(32)
  const proofid = isPublished ? makeProofId(seed) : null
  const expireTime = state === 'expired' ? now - 1 : null
  const { id } = await deps.db
    .insertInto('collections')
    .values({
      owner_id: owner.id,
      title: `A collection that is ${state}`,
      title_key: `a collection that is ${state}`,
      is_locked: state === 'opened' || state === 'answered' ? 0 : 1,
      proofid,
      admin_desc: state === 'answered' ? 'The second page is missing' : DEFAULT_ADMIN_DESC,
      expire_time: expireTime,
      created_at: now,
      revision: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!isDecided) return { id, proofid }
  const planted: NewProof = {
    proofid: proofid ?? makeProofId(seed),
    collection_id: id,
    owner_id: owner.id,
    reviewer_id: reviewer.id,
    title: `A collection that is ${state}`,
    username: owner.username,
    reviewer_username: reviewer.username,
    admin_desc: 'Fine',
    approved_at: now,
    expire_time: expireTime,
    seed: seed.toString('hex'),
    revision0_key: null,
    revision0_sha256: '',
    revision0_size: 0,
    revision0_facts: '',
    pages: 1,
    claim_mac: null,
  }
  const proofRowId = await insertProof(deps.db, { ...planted, claim_mac: macClaim(deps.secrets, planted) })
  if (isPublished)
    await deps.db
      .updateTable('proofs')
      .set({ state: 'published', published_at: now })
      .where('id', '=', proofRowId)
      .execute()
  await deps.db.updateTable('collections').set({ claim_id: proofRowId }).where('id', '=', id).execute()
  return { id, proofid }
}
