import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { macSeal } from '../../features/certificates/proof-mac.ts'
import { findProofByProofId } from '../../features/certificates/queries.ts'
import { insertSubmission, listFilesToSend } from '../../features/submissions/queries.ts'
import { prepareDocument } from '../../features/submissions/work.ts'
import { enqueue } from '../../outbox/outbox.ts'
import { plantCollection, type TestState } from '../collections.ts'
import { makePdf } from '../small-files.ts'
import type { Scene } from './role-row.ts'

const PDF = makePdf()
const SHA256 = Buffer.from(await crypto.subtle.digest('SHA-256', Uint8Array.from(PDF))).toString('hex')

/**
 * A collection of the owner in a state, with one file. Reviewed by somebody who calls nothing.
 * @param isPrepared Whether the review document of one that is sent is prepared as that of any other. That takes longer than
 * all else here, and few calls ask for it.
 */
export async function plantFiledCollection(
  { server, owner }: Pick<Scene, 'server' | 'owner'>,
  state: TestState,
  isPrepared = false,
): Promise<{ id: number; contentId: number; proofid: string | null }> {
  const { db } = server.deps
  const { id, proofid } = await plantCollection(server, owner, state)
  const file = { size: PDF.length, pages: 1 }
  const { id: contentId } = await db
    .insertInto('contents')
    .values({
      ...file,
      collection_id: id,
      title: 'TYPE1',
      title_key: 'type1',
      title_type: 'TYPE1',
      type: 'PDF',
      file_name: 'degree.pdf',
      blob_key: await plantBlob(server),
      sha256: SHA256,
      created_at: server.clock.now(),
      thumbnail_state: 'ready',
      thumbnail_key: await plantBlob(server),
      thumbnail_size: PDF.length,
      thumbnail_sha256: SHA256,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('collections')
    .set({ content_count: 1, content_bytes: file.size, content_pages: file.pages })
    .where('id', '=', id)
    .execute()
  if (state === 'sent') await plantSubmission(server, id, owner.username, isPrepared)
  if (proofid !== null) {
    const sealed = { sealed_key: await plantBlob(server, 'certified'), sealed_sha256: SHA256, sealed_size: PDF.length }
    const proof = await findProofByProofId(db, proofid)
    if (!proof) throw new Error('the proof was not planted')
    const seal_mac = macSeal(server.deps.secrets, { ...proof, ...sealed })
    await db
      .updateTable('proofs')
      .set({ ...sealed, seal_mac })
      .where('collection_id', '=', id)
      .execute()
  }
  return { id, contentId, proofid }
}

async function plantSubmission(
  { deps, clock }: Scene['server'],
  id: number,
  username: string,
  isPrepared: boolean,
): Promise<void> {
  await deps.db.transaction().execute(async (transaction) => {
    const bound = { number: 1, digest: null, document_state: 'preparing' } as const
    const facts = { collection_id: id, title: 'A collection that is sent', username, sent_at: clock.now(), ...bound }
    const submission = await insertSubmission(transaction, facts, await listFilesToSend(transaction, id))
    const { number: submission_number, ...same } = bound
    await transaction
      .updateTable('collections')
      .set({ submission_number, ...same })
      .where('id', '=', id)
      .execute()
    if (isPrepared) await enqueue(transaction, clock.now(), prepareDocument({ submission_id: submission }))
  })
  deps.outbox.ring()
}

async function plantBlob({ deps }: Scene['server'], folder = 'originals'): Promise<string> {
  const key = `${folder}/${randomBytes(16).toString('hex')}`
  const path = deps.blobs.temporaryPath()
  await writeFile(path, PDF)
  await deps.blobs.putFile(key, path)
  return key
}

/** A comment of the owner. @returns its id. */
export async function plantComment(
  { server, owner }: Pick<Scene, 'server' | 'owner'>,
  collectionId: number,
): Promise<number> {
  const { db } = server.deps
  const { id } = await db
    .insertInto('comments')
    .values({ collection_id: collectionId, user_id: owner.id, text: 'Hello', created_at: server.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('collections').set({ comment_count: 1 }).where('id', '=', collectionId).execute()
  return id
}

export type TicketState = 'not answered' | 'answered by oneself' | 'answered by another' | 'closed'

/** A ticket of the owner. @returns its id. */
export async function plantTicket({ server, owner, caller, unique }: Scene, state: TicketState): Promise<number> {
  const { db } = server.deps
  const another = await server.createUser({ username: `olga${unique}`, is_staff: true })
  const taker = state === 'answered by oneself' ? (caller ?? another) : another
  const { id } = await db
    .insertInto('tickets')
    .values({
      title: 'Lost seal',
      title_key: 'lost seal',
      owner_id: owner.id,
      email: null,
      email_key: null,
      visitor_id: null,
      status: state === 'not answered' ? 'OPEN' : 'ANSWERED',
      is_locked: state === 'closed' ? 1 : 0,
      admin_id: state === 'not answered' ? null : taker.id,
      created_at: server.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
