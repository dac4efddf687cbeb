import { CompiledQuery } from 'kysely'
import type { OpenDatabase } from '../../db/open.ts'
import type { Samples } from './fill.ts'

/** How a filled database would answer a normalised statement: a line for each step, those it is made of below it. */
export async function explain(
  { db, engine }: Pick<OpenDatabase, 'db' | 'engine'>,
  samples: Samples,
  statement: string,
): Promise<string[]> {
  const asked = statement.replaceAll('(?, …)', '(?, ?, ?)').replaceAll('), …', ')')
  const values = [...asked.matchAll(/\?/g)].map(({ index }) => chooseValue(asked.slice(0, index), asked, samples))
  if (engine === 'postgres') {
    let place = 0
    const numbered = asked.replace(/\?/g, () => `$${++place}`)
    const { rows } = await db.executeQuery<Record<'QUERY PLAN', string>>(
      CompiledQuery.raw(`explain (costs off) ${numbered}`, values),
    )
    return rows.map((row) => row['QUERY PLAN'])
  }
  const { rows } = await db.executeQuery<{ id: number; parent: number; detail: string }>(
    CompiledQuery.raw(`explain query plan ${asked}`, values),
  )
  const depths = new Map<number, number>()
  return rows.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1
    depths.set(id, depth)
    return '  '.repeat(depth) + detail
  })
}

/** What a placeholder is compared with, so that the plan is the one of every day. */
function chooseValue(before: string, statement: string, samples: Samples): unknown {
  if (before.endsWith(' limit ')) return 10
  if (before.endsWith(' offset ')) return 0
  if (before.endsWith(' like ')) return '%seldom%'
  if (/ strpos\(\w+, $/.test(before)) return 'seldom'
  if (before.endsWith(' @> ')) return ['t7']
  const found = /(?:(\w+)\.)?(\w+)(?: end\))? (=|<>|!=|<|>|<=|>=|in) \(?(?:\?, )*$/.exec(before)
  if (!found) return null
  const [, alias, column = '', operator = ''] = found
  // What is compared by size is mostly a time, of which little is over.
  const kind = /^[<>]=?$/.test(operator) ? 'early' : 'usual'
  const values = nameTables(statement)
    .filter((table) => alias === undefined || table.alias === alias)
    .map(({ name }) => samples.get(name)?.[kind] ?? {})
  return values.find((table) => column in table)?.[column] ?? null
}

/** The tables of a statement, by the names they have in it. */
export function nameTables(statement: string): { name: string; alias: string }[] {
  return [...statement.matchAll(/\b(?:from|join|update|into) (\w+)(?: as (\w+))?/g)].map(
    ([, name = '', alias = name]) => ({ name, alias }),
  )
}
