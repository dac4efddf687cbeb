import { COLLECTION_MAX_FILES } from '@proofdesk/contract/limits'
import type { Db } from '../db/open.ts'

/** Every kind of work that follows a commit, with the ids it carries. */
export interface OutboxPayloads {
  verification_mail: { user_id: number }
  /** 0: the request named nobody; the row is there so that it cost the same. */
  reset_mail: { user_id: number }
  security_mail: { user_id: number; event: SecurityEvent }
  email_changed_mail: { email_change_id: number }
  provider_join_mail: { pending_identity_id: number }
  rejection_mail: { user_id: number; collection_id: number }
  approval_mail: { proof_id: number }
  seal_proof: { proof_id: number }
  remove_blob: { key: string }
  draw_thumbnail: { content_id: number }
  ticket_answer_mail: { message_id: number }
  /** Null where the address has no ticket: the row is there all the same, so that asking takes the same work. */
  ticket_link_mail: { ticket_id: number | null }
}

/** What a person is told at once, in case it was not them. */
export type SecurityEvent =
  | 'password_changed'
  | 'two_factor_on'
  | 'two_factor_replaced'
  | 'two_factor_off'
  | 'recovery_codes_renewed'
  | 'provider_linked'
  | 'provider_unlinked'
  | 'wrong_passwords'
  | 'wrong_codes'

export type OutboxKind = keyof OutboxPayloads

/**
 * What is done for each kind. Every handler may be run again after it has already done its work; it is told how often it
 * has failed at this row so far.
 */
export type OutboxHandlers = { [K in OutboxKind]: (payload: OutboxPayloads[K], failures: number) => Promise<void> }

/** Thrown by a handler when trying again can never help: the row is dropped and the reason logged. */
export class HopelessWork extends Error {
  override readonly name = 'HopelessWork'
}

/** Rings the worker after a commit; without it a row waits for the next round of at most a few seconds. */
export interface OutboxBell {
  ring(): void
}

/**
 * Puts a row into the outbox, in the transaction whose commit it must follow. Ring the bell after the commit.
 * @param askedBy For whom, where people are to take turns: their next row stands behind the first that waits of each other.
 */
export async function enqueue<K extends OutboxKind>(
  transaction: Db,
  now: number,
  kind: K,
  payload: OutboxPayloads[K],
  askedBy?: number,
): Promise<void> {
  const turn = askedBy === undefined ? {} : { asked_by: askedBy, turn: await findTurn(transaction, kind, askedBy) }
  await transaction
    .insertInto('outbox')
    .values({ ...makeRow(now, kind, payload), ...turn })
    .execute()
}

/** Rows of one statement: the files and thumbnails of a full collection. */
const ROWS_AT_ONCE = 2 * COLLECTION_MAX_FILES

/** The same for much work of one kind, which nobody in particular waits for. */
export async function enqueueAll<K extends OutboxKind>(
  transaction: Db,
  now: number,
  kind: K,
  payloads: readonly OutboxPayloads[K][],
): Promise<void> {
  const rows = payloads.map((payload) => makeRow(now, kind, payload))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await transaction
      .insertInto('outbox')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
}

function makeRow<K extends OutboxKind>(now: number, kind: K, payload: OutboxPayloads[K]) {
  return { kind, payload: JSON.stringify(payload), attempts: 0, due_at: now, created_at: now }
}

/**
 * Start-time fair queueing: the turn after one's own last, but none that is over. So many rows of one person delay each
 * other, and the first of somebody else comes next.
 */
async function findTurn(transaction: Db, kind: OutboxKind, askedBy: number): Promise<number> {
  const ofKind = transaction.selectFrom('outbox').where('kind', '=', kind)
  const first = await ofKind.select(({ fn }) => fn.min('turn').as('turn')).executeTakeFirst()
  const own = await ofKind
    .select(({ fn }) => fn.max('turn').as('turn'))
    .where('asked_by', '=', askedBy)
    .executeTakeFirst()
  const afterOwn = (own?.turn ?? -1) + 1
  return Math.max(afterOwn, first?.turn ?? 0)
}

/** Takes back the rows of a kind that carry exactly this, where what they were to follow no longer holds. */
export async function withdraw<K extends OutboxKind>(
  transaction: Db,
  kind: K,
  payload: OutboxPayloads[K],
): Promise<void> {
  await transaction
    .deleteFrom('outbox')
    .where('kind', '=', kind)
    .where('payload', '=', JSON.stringify(payload))
    .execute()
}
