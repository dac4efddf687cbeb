import { sql, type Kysely } from 'kysely'

/** Each column list stands here for the query named beside it, which read the whole table before. */
const INDEXES: [name: string, columns: string][] = [
  // What is swept by its age or its end.
  ['blob_intents_by_age', 'blob_intents (created_at)'],
  ['email_changes_by_end', 'email_changes (undo_until)'],
  ['link_tokens_by_end', 'link_tokens (expires_at)'],
  ['pending_authenticators_by_age', 'pending_authenticators (made_at)'],
  ['sessions_by_age', 'sessions (created_at)'],
  ['used_codes_by_step', 'used_codes (step)'],
  // Everyone's lists in the orders they are offered in.
  ['collections_by_title', 'collections (title_key, id)'],
  ['proofs_by_title', 'proofs (title_key, id)'],
  ['tickets_by_status', 'tickets (status, id)'],
  ['tickets_by_title', 'tickets (title_key, id)'],
  ['users_newest', 'users (joined_at, id)'],
  // Which kinds of work are due.
  ['outbox_by_due', 'outbox (due_at)'],
  // At start: proofs from before their rows carried MACs.
  ['proofs_unvouched', 'proofs (id) where claim_mac is null'],
]

/** Indexes for reading what would else be read from one end to the other. */
export async function addReadIndexes(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of INDEXES) await sql`create index ${sql.ref(name)} on ${sql.raw(columns)}`.execute(db)
}
