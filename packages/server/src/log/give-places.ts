import { fromHex } from '@proofdesk/proof/bytes'
import { appendEntries } from './append-statement.ts'
import type { LogParts } from './log.ts'
import * as queries from './queries.ts'
import { inTransaction } from '../db/in-transaction.ts'

/**
 * PostgreSQL: gives the statements that are committed their places in the tree, in batches. Of several processes one does so
 * at a time, by a lock on the tree's row that no approval asks for; the update of that row decides.
 */
export async function givePlaces(parts: Pick<LogParts, 'db' | 'engine'>): Promise<void> {
  if (parts.engine === 'postgres') await placeQueue(parts)
}

/** The same whichever database the queue has come to. */
export async function placeQueue({ db, engine }: Pick<LogParts, 'db' | 'engine'>): Promise<void> {
  if (!(await queries.hasQueue(db))) return
  for (let mayHaveMore = true; mayHaveMore;) {
    mayHaveMore = await inTransaction(db, async (transaction) => {
      await queries.lockHead(transaction, engine)
      const waiting = await queries.listQueue(transaction)
      if (waiting.length === 0) return false
      // Two nodes may have said the same in one second: it has one place, and nothing waits for another for ever.
      const missing = waiting.filter(({ leaf_index }) => leaf_index === null)
      const entries = missing.map(({ entry, leaf_hash }) => ({ entry, leafHash: fromHex(leaf_hash) }))
      if (entries.length > 0) await appendEntries(engine, transaction, entries)
      await queries.dropFromQueue(
        transaction,
        waiting.map(({ id }) => id),
      )
      return waiting.length === queries.MOST_WAITING
    })
  }
}
