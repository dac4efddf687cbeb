import { sql, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** Grams are runs of up to three characters. Each begins with the letter of where it stands, as `search-index.ts` reads them. */
interface Part {
  letter: 't' | 'r' | 'p'
  /** SQL of the text, `new` being the row; null where there is none. */
  text: string
  /** Shorter pieces of it are never looked for. */
  shortest: 1 | 3
}

interface Indexed {
  table: 'collections' | 'proofs' | 'users' | 'tickets'
  index: string
  parts: Part[]
  /** What is in the parts and may change; nobody's username does. */
  changing: string[]
}

const nameOf = (id: string) => `(select username_key from users where id = new.${id})`
const PROOF_ID: Part = { letter: 'p', text: `replace(new.proofid, '-', '')`, shortest: 3 }

/** What is searched by those who see everybody's; the reviewer's name apart, which not all of them are shown. */
const INDEXED: Indexed[] = [
  {
    table: 'collections',
    index: 'collection_grams',
    parts: [
      { letter: 't', text: 'new.title_key', shortest: 1 },
      { letter: 't', text: nameOf('owner_id'), shortest: 1 },
      { letter: 'r', text: nameOf('reviewer_id'), shortest: 1 },
      PROOF_ID,
    ],
    changing: ['title_key', 'reviewer_id', 'proofid'],
  },
  {
    table: 'proofs',
    index: 'proof_grams',
    parts: [
      { letter: 't', text: 'new.title_key', shortest: 1 },
      { letter: 't', text: nameOf('owner_id'), shortest: 1 },
      { letter: 't', text: nameOf('reviewer_id'), shortest: 1 },
      PROOF_ID,
    ],
    changing: [],
  },
  {
    table: 'users',
    index: 'user_grams',
    parts: [
      { letter: 't', text: 'new.username_key', shortest: 1 },
      { letter: 't', text: 'new.email_key', shortest: 1 },
    ],
    changing: ['email_key'],
  },
  {
    table: 'tickets',
    index: 'ticket_grams',
    parts: [
      { letter: 't', text: nameOf('owner_id'), shortest: 1 },
      { letter: 't', text: 'new.email_key', shortest: 1 },
      { letter: 'r', text: nameOf('admin_id'), shortest: 1 },
    ],
    changing: ['email_key', 'admin_id'],
  },
]

/** An index of parts of words for each list that is searched, kept by the database with the rows it is of. */
export async function addSearchIndex(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  for (const indexed of INDEXED) {
    const statements = engine === 'sqlite' ? sayForSqlite(indexed) : sayForPostgres(indexed)
    for (const statement of statements) await run(statement)
  }
}

/**
 * FTS5 holds for each gram the rows that have it, without the texts (`content=''`) and without places (`detail=none`):
 * whether the grams of a row stand one behind the other is looked up in its text. Grams are written as hexadecimal digits,
 * so that any character is part of one.
 */
function sayForSqlite({ table, index, parts, changing }: Indexed): string[] {
  const add = `insert into ${index}(rowid, grams) values (new.id, ${parts.map(writeSqliteGrams).join(` || ' ' || `)});`
  const took = `delete from ${index} where rowid = old.id;`
  return [
    `create virtual table ${index} using fts5(grams, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
    `create trigger ${index}_added after insert on ${table} begin ${add} end`,
    `create trigger ${index}_removed after delete on ${table} begin ${took} end`,
    ...sayChange(changing, (columns, differs) => [
      `create trigger ${index}_changed after update of ${columns} on ${table} when ${differs('is not')}
        begin ${took} ${add} end`,
    ]),
    `insert into ${index}(rowid, grams)
      select new.id, ${parts.map(writeSqliteGrams).join(` || ' ' || `)} from ${table} as new`,
  ]
}

function writeSqliteGrams({ letter, text, shortest }: Part): string {
  return `coalesce((with recursive
      at(n) as (select 1 where length(${text}) > 0 union all select n + 1 from at where n < length(${text})),
      size(w) as (select ${shortest} union all select w + 1 from size where w < 3)
    select group_concat(gram, ' ') from (select distinct '${letter}' || hex(substr(${text}, n, w)) as gram
      from at, size where n + w - 1 <= length(${text}))), '')`
}

/** A row of grams beside each row, with an index that holds for each gram the rows that have it. */
function sayForPostgres({ table, index, parts, changing }: Indexed): string[] {
  const grams = parts.map(writePostgresGrams).join(' union ')
  const keep = `insert into ${index} (id, grams) values (new.id, array(${grams}))
    on conflict (id) do update set grams = excluded.grams`
  return [
    `create table ${index} (id bigint primary key references ${table}(id) on delete cascade, grams text[] not null)`,
    `insert into ${index} (id, grams) select new.id, array(${grams}) from ${table} as new`,
    `create index ${index}_of on ${index} using gin (grams)`,
    `create function keep_${index}() returns trigger language plpgsql as
      $$ begin ${keep}; return null; end $$`,
    `create trigger ${index}_added after insert on ${table} for each row execute function keep_${index}()`,
    ...sayChange(changing, (columns, differs) => [
      `create trigger ${index}_changed after update of ${columns} on ${table} for each row
        when (${differs('is distinct from')}) execute function keep_${index}()`,
    ]),
  ]
}

function writePostgresGrams({ letter, text, shortest }: Part): string {
  return `select '${letter}' || substr(${text}, n, w)
    from generate_series(1, length(${text})) as n, generate_series(${shortest}, 3) as w
    where n + w - 1 <= length(${text})`
}

function sayChange(
  changing: string[],
  say: (columns: string, differs: (word: string) => string) => string[],
): string[] {
  if (changing.length === 0) return []
  const differs = (word: string) => changing.map((column) => `old.${column} ${word} new.${column}`).join(' or ')
  return say(changing.join(', '), differs)
}
