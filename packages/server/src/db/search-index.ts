import { SEARCH_COUNT_MAX } from '@proofdesk/contract/limits'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Engine } from './open.ts'
import { chooseRare } from './rare-grams.ts'

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
/** Among so many the few are chosen that SQLite is asked for. */
const MOST_TO_CHOOSE = 60

/** The runs of characters that every row with the text has: the text itself, or each three characters of it. */
function listGrams({ place, text }: Sought): string[] {
  return placeGrams(text, MOST_GRAMS).map(({ run }) => place + run)
}

function placeGrams(text: string, most: number): { run: string; at: number; width: number; part: number }[] {
  // By code points, as both databases count.
  const characters = [...text]
  const width = Math.min(LONGEST_GRAM, characters.length)
  const parts = numberParts(characters)
  const runs = characters
    .slice(width - 1)
    .map((_, at) => ({ run: characters.slice(at, at + width).join(''), at, width, part: parts[at] ?? 0 }))
  return [...new Map(runs.map((one) => [one.run, one])).values()].slice(0, most)
}

/** Which word or number of a text each character stands in; what stands between two belongs to the first. */
function numberParts(characters: readonly string[]): number[] {
  let [part, last] = [0, '']
  return characters.map((character) => {
    const kind = /\p{L}/u.test(character) ? 'letter' : /\p{N}/u.test(character) ? 'digit' : ''
    if (kind !== '' && kind !== last) part += 1
    last = kind
    return part
  })
}

/** Rows `id` to be selected from. */
export type Source = RawBuilder<{ id: number }>

type Ask = (source: Source, db: Db) => Promise<{ id: number }[]>

export interface Search {
  index: SearchIndex
  sought: readonly Sought[]
  /** The highest ids are asked for first. */
  newestFirst: boolean
}

/**
 * Ids of rows that hold one of the texts, in the order of `ask`.
 * @param ask Selects from rows that may hold one, by the connection it is given: the condition on the whole text and the
 *   limit are its own.
 * @scans: what the index names is looked at, in another order than the newest first all of it.
 */
export async function searchIds({ longReads, engine }: { longReads: Db; engine: Engine }, search: Search, ask: Ask) {
  return longReads.connection().execute(async (db) => {
    const rows =
      engine === 'sqlite'
        ? await ask(await matchRare(db, search), db)
        : ((search.newestFirst ? await askNewest(db, search, ask) : undefined) ?? (await ask(findByGrams(search), db)))
    return rows.map(({ id }) => id)
  })
}

/** So many of the newest rows tell how frequent a text is. */
const SAMPLED_ROWS = 500
/** In the sample: then as many as are counted are found among few enough rows. */
const FREQUENT_ROWS = 25
/** More are looked at than the sample says, which the next ones may differ from. */
const SPARE = 1.5

/** PostgreSQL's index names all rows with a text before the newest of them is known, which for a frequent one are too many. */
async function askNewest(db: Db, { index, sought }: Search, ask: Ask): Promise<{ id: number }[] | undefined> {
  // Rows of the index alone first: what else is asked for stands in other tables, which takes ten times as long to look at.
  if ((await countHolding(db, index, sought)) < FREQUENT_ROWS) return undefined
  const sampled = (await askAmong(db, index, SAMPLED_ROWS, ask)).length
  if (sampled < FREQUENT_ROWS) return undefined
  const found = await askAmong(db, index, Math.ceil(((SAMPLED_ROWS * SEARCH_COUNT_MAX) / sampled) * SPARE), ask)
  return found.length > SEARCH_COUNT_MAX ? found : undefined
}

/** @returns how many of the newest rows hold one of the texts */
async function countHolding(db: Db, index: SearchIndex, sought: readonly Sought[]): Promise<number> {
  const holds = sought.map(({ place, text }) => sql`strpos(${sql.ref(place)}, ${text}) > 0`)
  const newest = sql`(select t, r, p from ${sql.table(index)} order by id desc limit ${SAMPLED_ROWS})`
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from ${newest} as newest where ${sql.join(holds, sql` or `)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Asks of so many of the newest rows. */
async function askAmong(db: Db, index: SearchIndex, rows: number, ask: Ask): Promise<{ id: number }[]> {
  const last = await findNth(db, index, rows)
  return ask(sql`(select id from ${sql.table(index)} where id > ${last ?? 0})`, db)
}

/** @returns the id that so many are newer than; undefined where there are fewer */
async function findNth(db: Db, index: SearchIndex, newer: number): Promise<number | undefined> {
  const { rows } = await sql<{
    id: number
  }>`select id from ${sql.table(index)} order by id desc limit 1 offset ${newer}`.execute(db)
  return rows[0]?.id
}

/**
 * On PostgreSQL: all rows that hold one of the texts, and a few that have its grams in another order. A sum, or it would walk
 * all rows in the order of their ids where it takes a text for more frequent than it is.
 */
function findByGrams({ index, sought }: Search): Source {
  const conditions = sought.map((one) => sql`list_grams(t, r, p) @> ${sql.val(listGrams(one))}::text[]`)
  return sql`(select id + 0 as id from ${sql.table(index)} where ${sql.join(conditions, sql` or `)})`
}

/** On SQLite: the same by a few grams of each text. FTS5 hands out the highest row first, if that is asked for, and stops when there are enough. */
async function matchRare(db: Db, { index, sought }: Search): Promise<Source> {
  const texts = sought.map(({ place, text }) =>
    // In the language of FTS5 hexadecimal digits need no care about what a person typed.
    placeGrams(text, MOST_TO_CHOOSE).map(({ run, ...where }) => ({
      word: place + Buffer.from(run).toString('hex'),
      ...where,
    })),
  )
  const chosen = await chooseRare(db, index, texts)
  const match = chosen.map((grams) => `(${grams.map(({ word }) => `"${word}"`).join(' AND ')})`).join(' OR ')
  return sql`(select rowid as id from ${sql.table(index)} where ${sql.ref(index)} match ${match})`
}
