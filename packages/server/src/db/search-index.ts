import { sql, type RawBuilder } from 'kysely'
import type { Engine } from './open.ts'

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

/**
 * Rows `id` of those that may hold one of the texts, to be selected from: all that do, and a few that have their grams in
 * another order. Read downwards by `id` it comes row by row, however many there are.
 */
export function findByGrams(engine: Engine, index: SearchIndex, sought: readonly Sought[]): RawBuilder<{ id: number }> {
  const groups = sought.map(listGrams)
  if (engine === 'sqlite')
    return sql`(select rowid as id from ${sql.table(index)} where ${sql.ref(index)} match ${sayMatch(groups)})`
  const conditions = groups.map((grams) => sql`grams @> ${sql.val(grams)}::text[]`)
  return sql`(select id from ${sql.table(index)} where ${sql.join(conditions, sql` or `)})`
}

/** In the language of FTS5; hexadecimal digits need no care about what a person typed. */
function sayMatch(groups: readonly string[][]): string {
  const sayGram = (gram: string) => `"${gram.charAt(0)}${Buffer.from(gram.slice(1)).toString('hex')}"`
  return groups.map((grams) => `(${grams.map(sayGram).join(' AND ')})`).join(' OR ')
}
