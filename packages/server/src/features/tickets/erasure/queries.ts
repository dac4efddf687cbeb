import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'
import type { ErasedPerson } from '../../../feature.ts'

/**
 * Deletes somebody's tickets with all that is in them, also those from before they had an account.
 * @returns their ids and titles
 */
export async function deleteTicketsOf(
  transaction: Db,
  { id, emailKey }: ErasedPerson,
): Promise<{ id: number; title: string }[]> {
  return transaction
    .deleteFrom('tickets')
    .where(({ eb, and, or }) =>
      or([
        eb('owner_id', '=', id),
        ...(emailKey === undefined ? [] : [and([eb('owner_id', 'is', null), eb('email_key', '=', emailKey)])]),
      ]),
    )
    .returning(['id', 'title'])
    .execute()
}

/**
 * Forgets that a browser has proved an address, and links that were mailed there.
 * @scans: somebody is erased a few times a year.
 */
export async function forgetAddress(transaction: Db, emailKey: string): Promise<void> {
  await transaction.deleteFrom('visitor_addresses').where('email_key', '=', emailKey).execute()
  await transaction.deleteFrom('ticket_links').where('email_key', '=', emailKey).execute()
}

/**
 * Deletes what somebody wrote in tickets of others. What those have seen of a ticket is counted anew first: it is so many
 * messages from its first.
 * @scans: somebody is erased a few times a year.
 */
export async function deleteMessagesOf(transaction: Db, userId: number): Promise<void> {
  // Whoever writes there takes the ticket's row first.
  await sql`update tickets set message_count = message_count where id in
    (select ticket_id from ticket_messages where user_id = ${userId})`.execute(transaction)
  const amongSeen = (ticket: string, seen: string) => sql`(select count(*) from (select m.user_id, row_number() over
      (order by m.created_at, m.id) as place from ticket_messages as m where m.ticket_id = ${sql.ref(ticket)}) as placed
    where placed.user_id = ${userId} and placed.place <= ${sql.ref(seen)})`
  await sql`update ticket_reads set seen = seen - ${amongSeen('ticket_reads.ticket_id', 'ticket_reads.seen')}
    where ticket_id in (select ticket_id from ticket_messages where user_id = ${userId})`.execute(transaction)
  await sql`update tickets set visitor_seen = visitor_seen - ${amongSeen('tickets.id', 'tickets.visitor_seen')},
    message_count = message_count -
      (select count(*) from ticket_messages as own where own.ticket_id = tickets.id and own.user_id = ${userId})
    where id in (select ticket_id from ticket_messages where user_id = ${userId})`.execute(transaction)
  await transaction.deleteFrom('ticket_messages').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('ticket_reads').where('user_id', '=', userId).execute()
}

/**
 * The index of parts of words follows a change of who took a ticket, not of what that person is called.
 * @scans: somebody is erased a few times a year.
 */
export async function indexTakenAnew(transaction: Db, userId: number): Promise<void> {
  const taken = await transaction.selectFrom('tickets').select('id').where('admin_id', '=', userId).execute()
  for (const { id } of taken)
    for (const admin_id of [null, userId])
      await transaction.updateTable('tickets').set({ admin_id }).where('id', '=', id).execute()
}
