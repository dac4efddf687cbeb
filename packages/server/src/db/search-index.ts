import { SEARCH_COUNT_MAX } from '@proofdesk/contract/limits'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Engine } from './open.ts'

/** Tables of the step `0024-search-index`: for each gram the rows that have it. */
export type SearchIndex = 'collection_grams' | 'proof_grams' | 'user_grams' | 'ticket_grams'

/** A text to be found in one place of a row: `t` where everybody looks, `r` in the reviewer's name, `p` in a Proof ID. */
export interface Sought {
  place: 't' | 'r' | 'p'
  /** Case-folded, at least one character; of a Proof ID at least three. */
  text: string
}

const LONGEST_GRAM = 3
/** More of them narrow nothing: what they find is compared with the whole text anyway. */
const MOST_GRAMS = 24

/** The runs of characters that every row with the text has: the text itself, or each three characters of it. */
export function listGrams({ place, text }: Sought): string[] {
  // By code points, as both databases count.
  const characters = [...text]
  const width = Math.min(LONGEST_GRAM, characters.length)
  const grams = characters.slice(width - 1).map((_, at) => place + characters.slice(at, at + width).join(''))
  return [...new Set(grams)].slice(0, MOST_GRAMS)
}

/** Rows `id` to be selected from. */
export type Source = RawBuilder<{ id: number }>

export interface Search {
  index: SearchIndex
  sought: readonly Sought[]
  /** The highest ids are asked for first. */
  newestFirst: boolean
}

/**
 * Ids of rows that hold one of the texts, in the order of `ask`.
 * @param ask Selects from rows that may hold one: the condition on the whole text and the limit are its own.
 * @scans: what the index names is looked at, in another order than the newest first all of it.
 */
export async function searchIds(
  { longReads, engine }: { longReads: Db; engine: Engine },
  { index, sought, newestFirst }: Search,
  ask: (source: Source) => Promise<{ id: number }[]>,
): Promise<number[]> {
  if (engine === 'postgres' && newestFirst) {
    const frequent = await askNewest(longReads, index, ask)
    if (frequent) return frequent.map(({ id }) => id)
  }
  return (await ask(findByGrams(engine, index, sought.map(listGrams)))).map(({ id }) => id)
}

/** So many of the newest rows tell how frequent a text is. */
const SAMPLED_ROWS = 2000
/** In the sample: then as many as are counted are found among few enough rows. */
const FREQUENT_ROWS = 100
/** More are looked at than the sample says, which the next ones may differ from. */
const SPARE = 1.5

/** PostgreSQL's index names all rows with a text before the newest of them is known, which for a frequent one are too many. */
async function askNewest(
  db: Db,
  index: SearchIndex,
  ask: (source: Source) => Promise<{ id: number }[]>,
): Promise<{ id: number }[] | undefined> {
  const sampled = (await askAmong(db, index, SAMPLED_ROWS, ask)).length
  if (sampled < FREQUENT_ROWS) return undefined
  const found = await askAmong(db, index, Math.ceil(((SAMPLED_ROWS * SEARCH_COUNT_MAX) / sampled) * SPARE), ask)
  return found.length > SEARCH_COUNT_MAX ? found : undefined
}

/**
 * Asks of so many of the newest rows.
 * @scans with `id > ?`: where it is explained nearly all rows are newer than the one that is named.
 */
async function askAmong(
  db: Db,
  index: SearchIndex,
  rows: number,
  ask: (source: Source) => Promise<{ id: number }[]>,
): Promise<{ id: number }[]> {
  const last = await findNth(db, index, rows)
  return ask(sql`(select id from ${sql.table(index)} where id > ${last ?? 0})`)
}

/** @returns the id that so many are newer than; undefined where there are fewer */
async function findNth(db: Db, index: SearchIndex, newer: number): Promise<number | undefined> {
  const { rows } = await sql<{
    id: number
  }>`select id from ${sql.table(index)} order by id desc limit 1 offset ${newer}`.execute(db)
  return rows[0]?.id
}

/** All rows that hold one of the texts, and a few that have its grams in another order. */
function findByGrams(engine: Engine, index: SearchIndex, groups: readonly string[][]): Source {
  // FTS5 hands out the highest row first, if that is asked for, and stops when there are enough.
  if (engine === 'sqlite')
    return sql`(select rowid as id from ${sql.table(index)} where ${sql.ref(index)} match ${sayMatch(groups)})`
  const conditions = groups.map((grams) => sql`list_grams(t, r, p) @> ${sql.val(grams)}::text[]`)
  // A sum, or PostgreSQL would walk all rows in the order of their ids where it takes a text for more frequent than it is.
  return sql`(select id + 0 as id from ${sql.table(index)} where ${sql.join(conditions, sql` or `)})`
}

/** In the language of FTS5; hexadecimal digits need no care about what a person typed. */
function sayMatch(groups: readonly string[][]): string {
  const sayGram = (gram: string) => `"${gram.charAt(0)}${Buffer.from(gram.slice(1)).toString('hex')}"`
  return groups.map((grams) => `(${grams.map(sayGram).join(' AND ')})`).join(' OR ')
}
