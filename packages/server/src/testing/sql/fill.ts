import { sql } from 'kysely'
import type { Db, Engine, OpenDatabase } from '../../db/open.ts'

const ROWS = 100_000
/** Those that hold what people work with; the others hold a tenth of it. */
const LARGE_TABLES: readonly string[] = [
  'collections',
  'comments',
  'contents',
  'log_commitments',
  'log_entries',
  'notifications',
  'proofs',
  'session_tokens',
  'sessions',
  'ticket_messages',
  'tickets',
  'users',
]
/** Those that hold a handful of rows however large an installation grows. */
export const FIXED_TABLES: readonly string[] = [
  'collection_counts',
  'instance',
  'log_state',
  'log_status_pages',
  'mail_events',
  'proof_counts',
  'reminder_marks',
  'stored_rounds',
  'ticket_counts',
  'user_counts',
]
const FIXED_ROWS = 3

/** 2025-01-01 UTC, milliseconds; rows are a second apart. */
const START = 1_735_689_600_000
const KIND = /^(kind|type|title_type|state|status|decision|provider|issuer)$/
/** What the nth row holds where it is a number, by the name of the column, in words of SQL that both databases know. */
const NUMBERS: [name: RegExp, value: string][] = [
  [/^id$/, 'n'],
  // Everything that a person or a collection has, it has ten of.
  [/_id$|^asked_by$/, `1 + n % ${ROWS / 10}`],
  [/_(at|time|until)$|^at$/, `${START} + n * 1000`],
  [/^(is|gfa_is)_/, '0'],
  [/./, 'n % 50'],
]

/** Where the name does not say enough. */
const COLUMNS: Record<string, string> = {
  'users.is_active': 'case when n % 100 = 0 then 0 else 1 end',
  'users.is_email_verified': 'case when n % 20 = 0 then 0 else 1 end',
  'users.is_staff': 'case when n % 500 = 0 then 1 else 0 end',
  'users.is_admin': 'case when n % 5000 = 0 then 1 else 0 end',
  'users.is_superuser': 'case when n % 20000 = 0 then 1 else 0 end',
  'notifications.is_read': 'case when n % 10 = 0 then 0 else 1 end',
  // One in two hundred waits for a decision, one in ten is with its owner, the others are approved.
  'collections.is_locked': 'case when n % 10 = 0 then 0 else 1 end',
  'collections.proofid': `case when n % 10 = 0 or n % 200 = 1 then null else 'proofid-' || n end`,
  'collections.claim_id': 'case when n % 10 = 0 or n % 200 = 1 then null else n end',
  'collections.reviewer_id': 'case when n % 10 = 0 then null else 1 + n % 200 * 500 end',
  'collections.admin_desc': `case when n % 20 = 0 then 'Admin Not approve yet' else 'admin_desc-' || n % 100 end`,
  'collections.expire_time': `case when n % 3 = 0 then null else ${START} + n * 1000 end`,
  'collections.lapsed': `case when n % 3 > 0 and n < ${ROWS / 1000} then 1 else 0 end`,
  'proofs.collection_id': 'n',
  'proofs.reviewer_id': '1 + n % 200 * 500',
  'proofs.state': `case when n % 1000 = 0 then 'claimed' when n % 1000 = 1 then 'withdrawn' else 'published' end`,
  'proofs.revoked_at': `case when n % 100 = 0 then ${START} + n * 1000 else null end`,
  'proofs.revocation_reason': `case when n % 100 = 0 then 'superseded' else null end`,
  'proofs.current_expire_time': `case when n % 3 = 0 then null else ${START} + n * 1000 end`,
  'proofs.change_count': 'case when n % 100 = 0 then 1 else 0 end',
  'tickets.owner_id': `case when n % 4 = 0 then null else 1 + n % ${ROWS / 10} end`,
  'tickets.email_key': `case when n % 4 = 0 then 'email_key-' || n % 5000 else null end`,
  'tickets.visitor_id': 'case when n % 4 = 0 then n else null end',
  'tickets.admin_id': '1 + n % 200 * 500',
  'tickets.is_locked': 'case when n % 20 = 0 then 0 else 1 end',
  // An entry comes into the chain later, and a link is emptied later: the database insists.
  'audit_entries.link_id': 'null',
  'audit_entries.hash': 'null',
  'audit_links.emptied_at': 'null',
  'audit_links.emptied_mac': 'null',
  'outbox.kind': `'kind-' || n % 12`,
  'outbox.held_until': `case when n % 1000 = 0 then ${START} + n * 1000 else null end`,
  'outbox.asked_by': `case when n % 2 = 0 then null else 1 + n % ${ROWS / 10} end`,
  'outbox.attempts': 'case when n % 1000 = 0 then 1 else 0 end',
  'session_tokens.used_at': `case when n % 2 = 0 then null else ${START} + n * 1000 end`,
  'saved_reasons.decision': `case when n % 2 = 0 then 'approve' else 'reject' end`,
  'proof_counts.state': `'state-' || n`,
  'stored_rounds.kind': `'kind-' || n`,
  'ticket_counts.status': `'status-' || n`,
  'proof_changes.proof_id': 'n',
  'file_problems.proof_id': 'n',
  'reminder_marks.days': 'n',
  'user_counts.is_admin': 'n % 2',
  'user_counts.is_staff': 'n / 2',
  'log_checkpoints.size': 'n',
  'log_status_pages.page': 'n - 1',
  // Three witnesses have signed each head.
  'log_cosignatures.size': 'n / 3',
  'log_cosignatures.witness': `'witness-' || (n % 3)`,
  'log_commitments.proof_id': 'n',
  'log_commitments.kind': `case when n % 100 = 0 then 'revoke' else 'approve' end`,
  'log_entries.leaf_index': 'n - 1',
  'log_tiles.level': '0',
  'log_tiles.tile_index': 'n',
  // Those of which there is one only, or one of a pair.
  'authenticators.user_id': 'n',
  'pending_authenticators.user_id': 'n',
  'identities.user_id': 'n',
  'used_codes.step': 'n',
  'ticket_reads.user_id': '1 + n / 10',
}

/** What statements are explained with, by table and column: a value like most, and one that few others come before. */
export type Samples = Map<string, Record<'usual' | 'early', Record<string, unknown>>>

/** Puts as many rows into every table as a large installation has, and lets the database count them. */
export async function fillTables({ db, engine }: Pick<OpenDatabase, 'db' | 'engine'>): Promise<Samples> {
  const samples: Samples = new Map()
  const tables = (await db.introspection.getTables()).filter(
    ({ name }) => engine === 'postgres' || !isSearchIndex(name),
  )
  await db.connection().execute(async (connection) => {
    const run = (text: string) => sql.raw<Record<string, unknown>>(text).execute(connection)
    // What refers to what is right by the numbers, and looking each up would take longer than all the rest.
    await run(engine === 'sqlite' ? 'pragma foreign_keys = off' : 'set session_replication_role = replica')
    // 300 times as many rows are looked at: all of them, so that each run counts alike.
    if (engine === 'postgres') {
      await run(`set default_statistics_target = ${Math.ceil(ROWS / 300)}`)
      await run('set max_parallel_workers_per_gather = 0')
    }
    await run('begin')
    const indexes = await listIndexes(connection, engine)
    for (const { name } of indexes) await run(`drop index "${name}"`)
    // What they keep takes longer than all the rest, and says nothing about how a statement is answered.
    if (engine === 'sqlite') for (const name of await listTriggers(connection)) await run(`drop trigger "${name}"`)
    for (const { name: table, columns } of tables) {
      const formulas = columns.map(({ name, dataType }) => ({ name, formula: sayNth(table, name, dataType) }))
      await run(`delete from "${table}"`)
      await run(`insert into "${table}" (${formulas.map(({ name }) => `"${name}"`).join(', ')})
        with recursive series(n) as
          (select 1 union all select n + 1 from series where n < ${countRows(table)})
        select ${formulas.map(({ formula }) => formula).join(', ')} from series`)
      const sample = async (n: number) => {
        const values = formulas.map(({ name, formula }) => `${formula.replace(/\bn\b/g, String(n))} as "${name}"`)
        return (await run(`select ${values.join(', ')}`)).rows[0] ?? {}
      }
      samples.set(table, { usual: await sample(ROWS / 20 + 3), early: await sample(ROWS / 1000 + 3) })
    }
    // Made in one go they cost a fraction of what they cost row by row.
    for (const { made } of indexes) await run(made)
    await run('commit')
    await run(engine === 'sqlite' ? 'analyze' : 'vacuum analyze')
  })
  return samples
}

/** Tables of FTS5, with those that it keeps them in. */
const isSearchIndex = (table: string) => /_grams(_|$)/.test(table)

async function listTriggers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`.execute(db)
  return rows.map(({ name }) => name)
}

async function listIndexes(db: Db, engine: Engine): Promise<{ name: string; made: string }[]> {
  const { rows } = await sql<{ name: string; made: string }>`${
    engine === 'sqlite'
      ? sql`select name, sql as made from sqlite_master where type = 'index' and sql is not null`
      : sql`select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made from pg_index as i
          where i.indrelid::regclass::text = any(select tablename from pg_tables where schemaname = 'public')
            and not exists (select from pg_constraint as c where c.conindid = i.indexrelid)`
  }`.execute(db)
  return rows
}

function countRows(table: string): number {
  if (table === 'log_state') return 1
  if (FIXED_TABLES.includes(table)) return FIXED_ROWS
  return LARGE_TABLES.includes(table) ? ROWS : ROWS / 10
}

function sayNth(table: string, column: string, type: string): string {
  const known = COLUMNS[`${table}.${column}`]
  if (known !== undefined) return known
  if (/bytea/i.test(type)) return `cast('bytes' as bytea)`
  if (/blob/i.test(type)) return `x'00'`
  if (KIND.test(column)) return `'${column}-' || n % 4`
  return (/int/i.test(type) && NUMBERS.find(([name]) => name.test(column))?.[1]) || `'${column}-' || n`
}
