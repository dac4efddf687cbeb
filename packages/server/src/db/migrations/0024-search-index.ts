import { sql, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** Where a text stands, as `search-index.ts` has it: SQL of its parts, `new` being the row. A part may be null. */
interface Places {
  t: string[]
  r?: string[]
  p?: string[]
}

interface Indexed {
  table: 'collections' | 'proofs' | 'users' | 'tickets'
  index: string
  places: Places
  /** What is in the parts and may change; nobody's username does. */
  changing: string[]
}

const nameOf = (id: string) => `(select username_key from users where id = new.${id})`
const PROOF_ID = [`replace(new.proofid, '-', '')`]

/** What is searched by those who see everybody's; the reviewer's name apart, which not all of them are shown. */
const INDEXED: Indexed[] = [
  {
    table: 'collections',
    index: 'collection_grams',
    places: { t: ['new.title_key', nameOf('owner_id')], r: [nameOf('reviewer_id')], p: PROOF_ID },
    changing: ['title_key', 'reviewer_id', 'proofid'],
  },
  {
    table: 'proofs',
    index: 'proof_grams',
    places: { t: ['new.title_key', nameOf('owner_id'), nameOf('reviewer_id')], p: PROOF_ID },
    changing: [],
  },
  {
    table: 'users',
    index: 'user_grams',
    places: { t: ['new.username_key', 'new.email_key'] },
    changing: ['email_key'],
  },
  {
    table: 'tickets',
    index: 'ticket_grams',
    places: { t: [nameOf('owner_id'), 'new.email_key'], r: [nameOf('admin_id')] },
    changing: ['email_key', 'admin_id'],
  },
]

/** An index of parts of words for each list that is searched, kept by the database with the rows it is of. */
export async function addSearchIndex(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const statements =
    engine === 'sqlite' ? INDEXED.flatMap(sayForSqlite) : [LIST_GRAMS, ...INDEXED.flatMap(sayForPostgres)]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/**
 * FTS5 holds for each gram the rows that have it, without the texts (`content=''`) and without places (`detail=none`):
 * whether the grams of a row stand one behind the other is looked up in its text. Grams are written as hexadecimal digits,
 * so that any character is part of one.
 */
function sayForSqlite({ table, index, places, changing }: Indexed): string[] {
  const grams = writeSqliteGrams(places)
  const add = `insert into ${index}(rowid, grams) values (new.id, ${grams});`
  const remove = `delete from ${index} where rowid = old.id;`
  return [
    `create virtual table ${index} using fts5(grams, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
    `create trigger ${index}_added after insert on ${table} begin ${add} end`,
    `create trigger ${index}_removed after delete on ${table} begin ${remove} end`,
    ...sayChange(changing, 'is not').map(
      (change) =>
        `create trigger ${index}_changed ${change.on} on ${table} when ${change.when} begin ${remove} ${add} end`,
    ),
    `insert into ${index}(rowid, grams) select new.id, ${grams} from ${table} as new`,
  ]
}

function writeSqliteGrams({ t, r, p }: Places): string {
  const write = (letter: string, parts: string[] = [], shortest = 1) =>
    parts.length === 0
      ? []
      : `coalesce((with recursive
          whole(text) as (select concat_ws(char(10), ${parts.join(', ')})),
          place(n) as (select 1 union all select n + 1 from place, whole where n < length(text)),
          size(w) as (select ${shortest} union all select w + 1 from size where w < 3)
        select group_concat(gram, ' ') from (select distinct '${letter}' || hex(substr(text, n, w)) as gram
          from whole, place, size where n + w - 1 <= length(text))), '')`
  return [write('t', t), write('r', r), write('p', p, 3)].flat().join(` || ' ' || `)
}

/** The texts in a row beside each row: much is read of a small table, and what is in the index is worked out of it. */
function sayForPostgres({ table, index, places: { t, r = ['null'], p = ['null'] }, changing }: Indexed): string[] {
  const texts = [t, r, p].map((parts) => `nullif(concat_ws(chr(10), ${parts.join(', ')}), '')`).join(', ')
  const keep = `insert into ${index} (id, t, r, p) values (new.id, ${texts})
    on conflict (id) do update set t = excluded.t, r = excluded.r, p = excluded.p`
  const execute = `for each row execute function keep_${index}()`
  return [
    `create table ${index} (id bigint primary key references ${table}(id) on delete cascade, t text, r text, p text)`,
    `insert into ${index} (id, t, r, p) select new.id, ${texts} from ${table} as new`,
    `create index ${index}_by_gram on ${index} using gin (list_grams(t, r, p))`,
    `create function keep_${index}() returns trigger language plpgsql as $$ begin ${keep}; return null; end $$`,
    `create trigger ${index}_added after insert on ${table} ${execute}`,
    ...sayChange(changing, 'is distinct from').map(
      (change) =>
        `create trigger ${index}_changed ${change.on} on ${table} for each row when (${change.when})
        execute function keep_${index}()`,
    ),
  ]
}

const LIST_GRAMS = `create function list_grams(t text, r text, p text) returns text[]
  language sql immutable parallel safe as $$
  select array(
    select 't' || substr(t, n, w) from generate_series(1, length(t)) as n, generate_series(1, 3) as w
      where n + w - 1 <= length(t)
    union select 'r' || substr(r, n, w) from generate_series(1, length(r)) as n, generate_series(1, 3) as w
      where n + w - 1 <= length(r)
    union select 'p' || substr(p, n, 3) from generate_series(1, length(p) - 2) as n) $$`

function sayChange(changing: string[], differs: string): { on: string; when: string }[] {
  if (changing.length === 0) return []
  const when = changing.map((column) => `old.${column} ${differs} new.${column}`).join(' or ')
  return [{ on: `after update of ${changing.join(', ')}`, when }]
}
