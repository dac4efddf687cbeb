import { sql, type Kysely } from 'kysely'
import { toEmailKey } from '../../text/email-key.ts'

/** Read and written together: a statement for each row takes a minute for every 100,000 of them. */
const AT_ONCE = 1000

interface Before {
  users: { id: number; email: string; email_key: string; recovery_email: string; recovery_email_key: string }
  email_changes: { id: number; old_email: string; held_email_key: string | null }
  tickets: { id: number; email: string | null; email_key: string | null }
  ticket_links: { hash: string; email: string; email_key: string }
  visitor_addresses: { visitor_id: number; email_key: string }
}

/**
 * Until this step addresses were compared by a folding that takes some domains for others. Only those with other
 * characters than ASCII get another key. No two of them meet by it: those that were one may only become two.
 */
export async function renewEmailKeys(db: Kysely<Before>): Promise<void> {
  await renewUsers(db)
  await forgetDoubtfulProofs(db)
  await renewKeys(db, { table: 'tickets', id: 'id', idType: 'bigint', email: 'email', key: 'email_key' })
  await renewKeys(db, {
    table: 'email_changes',
    id: 'id',
    idType: 'bigint',
    email: 'old_email',
    key: 'held_email_key',
  })
  await renewKeys(db, { table: 'ticket_links', id: 'hash', idType: 'text', email: 'email', key: 'email_key' })
}

async function renewUsers(db: Kysely<Before>): Promise<void> {
  for (let after = 0; ;) {
    const users = await db
      .selectFrom('users')
      .select(['id', 'email', 'email_key', 'recovery_email'])
      .where('id', '>', after)
      .where(({ or }) => or([isBeyondAscii('email'), isBeyondAscii('recovery_email')]))
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    const newest = users.at(-1)
    if (!newest) return
    after = newest.id
    const rows = users.map(({ id, email, email_key: old, recovery_email }) => {
      // Who only claims an address that somebody else has since has a key with a space and the id.
      const end = old.endsWith(` ${id}`) ? ` ${id}` : ''
      return sql`(cast(${id} as bigint), ${toEmailKey(email) + end}, ${toEmailKey(recovery_email)})`
    })
    await sql`with fresh(id, email_key, recovery_email_key) as (values ${sql.join(rows)})
      update users set email_key = fresh.email_key, recovery_email_key = fresh.recovery_email_key
      from fresh where users.id = fresh.id`.execute(db)
  }
}

/**
 * Whoever proved such an address proves it once more, in every browser: which one the link went to is not known any more, and
 * it proves the address to the one that it is used in. All together, since no index leads there by the address.
 */
async function forgetDoubtfulProofs(db: Kysely<Before>): Promise<void> {
  const doubtful = db
    .selectFrom('tickets')
    .select('email_key')
    .where('email_key', 'is not', null)
    .where(isBeyondAscii('email'))
  await db.deleteFrom('visitor_addresses').where('email_key', 'in', doubtful).execute()
}

/** Where an address and its key stand. */
interface KeptKey {
  table: 'tickets' | 'email_changes' | 'ticket_links'
  id: 'id' | 'hash'
  idType: 'bigint' | 'text'
  email: string
  key: string
}

/** Rows without a key keep none. */
async function renewKeys(db: Kysely<Before>, kept: KeptKey): Promise<void> {
  const [table, id, email, key] = [kept.table, kept.id, kept.email, kept.key].map((name) => sql.ref(name))
  const idType = sql.raw(kept.idType)
  for (let after: number | string = kept.idType === 'text' ? '' : 0; ;) {
    const { rows } = await sql<{
      id: number | string
      email: string
    }>`select ${id} as id, ${email} as email from ${table}
      where ${id} > ${after} and ${key} is not null and ${isBeyondAscii(kept.email)}
      order by ${id} limit ${sql.lit(AT_ONCE)}`.execute(db)
    const newest = rows.at(-1)
    if (!newest) return
    after = newest.id
    const fresh = rows.map((row) => sql`(cast(${row.id} as ${idType}), ${toEmailKey(row.email)})`)
    await sql`with fresh(id, new_key) as (values ${sql.join(fresh)})
      update ${table} set ${key} = fresh.new_key from fresh where ${table}.${id} = fresh.id`.execute(db)
  }
}

function isBeyondAscii(column: string) {
  return sql<boolean>`octet_length(${sql.ref(column)}) <> length(${sql.ref(column)})`
}
