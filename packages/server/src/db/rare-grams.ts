import { sql } from 'kysely'
import type { Db } from './open.ts'

/** A run of characters in a text that is sought. */
export interface Gram {
  /** As the index has it: ASCII. */
  word: string
  /** Where it begins, of how many characters it is, and in which word or number of the text it begins. */
  at: number
  width: number
  part: number
}

/** FTS5 walks through the rows of each. Fewer let too many rows through, which are then compared with the whole text. */
const MOST_CHOSEN = 3

/**
 * Of the grams of each text those that the fewest rows have, of different words first: those of one mostly have the same rows.
 * On SQLite alone; PostgreSQL's index begins with the rarest by itself.
 * @param index The FTS5 table.
 */
export async function chooseRare(db: Db, index: string, texts: readonly Gram[][]): Promise<Gram[][]> {
  const many = texts.filter((grams) => grams.length > MOST_CHOSEN)
  if (many.length === 0) return [...texts]
  const words = new Set(many.flatMap((grams) => grams.map(({ word }) => word)))
  const sizes = await measureGrams(db, index, [...words])
  return texts.map((grams) => (grams.length > MOST_CHOSEN ? chooseApart(grams, sizes) : grams))
}

function chooseApart(grams: readonly Gram[], sizes: ReadonlyMap<string, number>): Gram[] {
  const sizeOf = ({ word }: Gram) => sizes.get(word) ?? 0
  // Of those alike the last: a number, which tells most, mostly stands at the end.
  const rarest = grams.toSorted((a, b) => sizeOf(a) - sizeOf(b) || b.at - a.at)
  const chosen = [...Map.groupBy(rarest, ({ part }) => part).values()].flatMap(([first]) => first ?? [])
  for (const gram of rarest) if (chosen.every(({ at, width }) => Math.abs(at - gram.at) >= width)) chosen.push(gram)
  return chosen.slice(0, MOST_CHOSEN)
}

/**
 * About how many pages of the index hold the rows of each. FTS5 keeps an index in some segments, and of each the word that
 * a page begins with (`fts5_index.c` of SQLite describes `%_idx`; `0` stands before each word); the pages up to the next
 * word are those of the first. What it says decides how long a search takes, and never what it finds.
 */
async function measureGrams(db: Db, index: string, words: readonly string[]): Promise<Map<string, number>> {
  const pages = sql.table(`${index}_idx`)
  const begin = sql`cast('0' || value as blob)`
  const { rows } = await sql<{ word: string; size: number }>`with recursive segments(id) as (
      select min(segid) from ${pages}
      union all select (select min(segid) from ${pages} where segid > id) from segments where id is not null)
    select value as word, (select sum(coalesce(
        (select pgno from ${pages} where segid = id and term > ${begin} order by term limit 1)
        - (select pgno from ${pages} where segid = id and term <= ${begin} order by term desc limit 1), 0))
      from segments where id is not null) as size
    from json_each(${JSON.stringify(words)})`.execute(db)
  return new Map(rows.map(({ word, size }) => [word, size]))
}
