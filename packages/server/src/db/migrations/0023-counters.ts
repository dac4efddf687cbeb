import { sql, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** A table whose rows are counted by their state, and what makes the state of a row. */
interface Counted {
  rows: string
  counts: string
  /** Columns of the counts, each with its type and what it holds of a row. */
  state: Record<string, { type: 'integer' | 'text'; of: (row: string) => string }>
  /** Columns of the rows that the state depends on. */
  depends: string[]
}

/** Of that time; what a later one is, its own step says. */
const DEFAULT_DESC = `'Admin Not approve yet'`
const flag = (column: string) => ({ type: 'integer' as const, of: (row: string) => `${row}.${column}` })
const word = (column: string) => ({ type: 'text' as const, of: (row: string) => `${row}.${column}` })

const COUNTED: Counted[] = [
  {
    rows: 'collections',
    counts: 'collection_counts',
    state: {
      is_locked: flag('is_locked'),
      has_proofid: { type: 'integer', of: (row) => `case when ${row}.proofid is null then 0 else 1 end` },
      is_answered: { type: 'integer', of: (row) => `case when ${row}.admin_desc = ${DEFAULT_DESC} then 0 else 1 end` },
      lapsed: flag('lapsed'),
    },
    // A changed time takes `lapsed` back.
    depends: ['is_locked', 'proofid', 'admin_desc', 'expire_time', 'lapsed'],
  },
  { rows: 'proofs', counts: 'proof_counts', state: { state: word('state') }, depends: ['state'] },
  {
    rows: 'tickets',
    counts: 'ticket_counts',
    state: { is_locked: flag('is_locked'), status: word('status') },
    depends: ['is_locked', 'status'],
  },
  {
    rows: 'users',
    counts: 'user_counts',
    state: { is_admin: flag('is_admin'), is_staff: flag('is_staff') },
    depends: ['is_admin', 'is_staff'],
  },
]

/** The tile a collection stands under, but for one that has expired since it was last looked after. */
const STANDING = `(case when lapsed = 1 then 'expired' when proofid is not null then 'approved'
  when is_locked = 1 then 'in_progress' when admin_desc = ${DEFAULT_DESC} then 'opened' else 'answered' end)`
/** When it expires; the time of one that is marked is negative. */
const DUE = '(case when lapsed = 0 then expire_time else -expire_time end)'
/** Never is later than any time. */
const END = '(coalesce(expire_time, 9007199254740991))'

/** By `collections_due`, by `collections_of_tile_newest`, and by those of the same name. */
const REPLACED = ['collections_expiring', 'collections_queue', 'proofs_newest', 'proofs_by_title']

/** Each column list stands here for the lists named beside it. */
const INDEXES: [name: string, columns: string][] = [
  // What has expired and is not marked so, and what is marked and has not.
  ['collections_due', `collections (${DUE}) where expire_time is not null`],
  // Everyone's list, and each of its tiles (the review queue among them), in the orders they are offered in.
  ['collections_by_expiry', `collections (${END}, id)`],
  ['collections_of_tile_newest', `collections (${STANDING}, created_at, id)`],
  ['collections_of_tile_by_title', `collections (${STANDING}, title_key, id)`],
  ['collections_of_tile_by_expiry', `collections (${STANDING}, ${END}, id)`],
  // Everyone's certified PDFs: far down a list, only these are counted off and no row is looked at.
  ['proofs_newest', "proofs (published_at, id) where state = 'published'"],
  ['proofs_by_title', "proofs (title_key, id) where state = 'published'"],
  // The tiles of tickets; closed ones whatever their status.
  ['tickets_of_lock_newest', 'tickets (is_locked, created_at, id)'],
  ['tickets_of_lock_by_title', 'tickets (is_locked, title_key, id)'],
  ['tickets_of_lock_by_status', 'tickets (is_locked, status, id)'],
  ['tickets_of_face_by_title', 'tickets (is_locked, status, title_key, id)'],
  // The few among all people.
  ['users_admins', 'users (joined_at, id) where is_admin = 1'],
  ['users_staff', 'users (joined_at, id) where is_staff = 1'],
  // The orders of the list of people.
  ['users_by_active', 'users (is_active, id)'],
  ['users_by_email_verified', 'users (is_email_verified, id)'],
  ['users_by_admin', 'users (is_admin, id)'],
  ['users_by_staff', 'users (is_staff, id)'],
]

/**
 * Counts of everyone's rows by their state, which the database keeps with every row that comes, changes or goes. On
 * SQLite a row a state, changed in place. On PostgreSQL rows are only added, since a row that all change would make
 * transactions wait for each other: the sum of the rows of a state counts.
 */
export async function addCounters(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  await run('alter table collections add column lapsed integer not null default 0')
  await run(`update collections set lapsed = 1 where expire_time <= ${Date.now()}`)
  for (const name of REPLACED) await run(`drop index ${name}`)
  for (const counted of COUNTED) {
    const { rows, counts, state } = counted
    const names = Object.keys(state)
    const columns = names.map((name) => `${name} ${state[name]?.type} not null`).join(', ')
    const key = engine === 'sqlite' ? `, primary key (${names.join(', ')})` : ''
    await run(`create table ${counts} (${columns}, amount bigint not null${key})`)
    // Before counting: from here on PostgreSQL lets nobody write the rows until this is committed.
    for (const trigger of (engine === 'sqlite' ? writeForSqlite : writeForPostgres)(counted)) await run(trigger)
    await run(`insert into ${counts} (${names.join(', ')}, amount)
      select ${listState(counted, rows)}, count(*) from ${rows} group by ${names.map((_, at) => at + 1).join(', ')}`)
  }
  for (const statement of engine === 'sqlite' ? TAKE_BACK_ON_SQLITE : TAKE_BACK_ON_POSTGRES) await run(statement)
  for (const [name, columns] of INDEXES) await run(`create index ${name} on ${columns}`)
}

function listState({ state }: Counted, row: string): string {
  return Object.values(state)
    .map(({ of }) => of(row))
    .join(', ')
}

function hasMoved({ state }: Counted): string {
  return Object.values(state)
    .map(({ of }) => `${of('new')} <> ${of('old')}`)
    .join(' or ')
}

function writeForSqlite(counted: Counted): string[] {
  const { rows, counts, state, depends } = counted
  const names = Object.keys(state).join(', ')
  const add = (row: 'old' | 'new', by: 1 | -1) =>
    `insert into ${counts} (${names}, amount) values (${listState(counted, row)}, ${by})
      on conflict (${names}) do update set amount = amount + ${by};`
  return [
    `create trigger ${counts}_insert after insert on ${rows} begin ${add('new', 1)} end`,
    `create trigger ${counts}_delete after delete on ${rows} begin ${add('old', -1)} end`,
    `create trigger ${counts}_update after update of ${depends.join(', ')} on ${rows} when ${hasMoved(counted)}
      begin ${add('old', -1)} ${add('new', 1)} end`,
  ]
}

function writeForPostgres(counted: Counted): string[] {
  const { rows, counts, depends } = counted
  const add = (row: 'old' | 'new', by: 1 | -1) => `insert into ${counts} values (${listState(counted, row)}, ${by});`
  return [
    `create function ${counts}_add() returns trigger language plpgsql as $$ begin
      if tg_op <> 'INSERT' then ${add('old', -1)} end if;
      if tg_op <> 'DELETE' then ${add('new', 1)} end if;
      return null;
    end $$`,
    `create trigger ${counts}_insert after insert or delete on ${rows}
      for each row execute function ${counts}_add()`,
    `create trigger ${counts}_update after update of ${depends.join(', ')} on ${rows}
      for each row when (${hasMoved(counted)}) execute function ${counts}_add()`,
  ]
}

/** A collection whose time was changed is not known to have expired any more. */
const TAKE_BACK_ON_SQLITE = [
  `create trigger collections_time_changed after update of expire_time on collections
    when new.expire_time is not old.expire_time and new.lapsed <> 0
    begin update collections set lapsed = 0 where id = new.id; end`,
]
const TAKE_BACK_ON_POSTGRES = [
  `create function collections_take_back() returns trigger language plpgsql as $$ begin
    new.lapsed := 0;
    return new;
  end $$`,
  `create trigger collections_time_changed before update of expire_time on collections
    for each row when (new.expire_time is distinct from old.expire_time) execute function collections_take_back()`,
]
