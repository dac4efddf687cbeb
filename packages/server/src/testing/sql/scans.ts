import { nameTables } from './explain.ts'
import { FIXED_TABLES } from './fill.ts'

/** Indexes of a part of a table, which hold what waits or stands out and not all rows. */
export type PartIndexes = ReadonlySet<string>

/** Names the tables of a plan that are read from one end to the other; those that never grow do not count. */
export function findScans(
  engine: 'sqlite' | 'postgres',
  statement: string,
  plan: readonly string[],
  parts: PartIndexes,
): string[] {
  const scanned = engine === 'sqlite' ? findSqliteScans(statement, plan, parts) : findPostgresScans(plan, parts)
  const tables = nameTables(statement)
  const names = scanned.flatMap((scan) => tables.find(({ name, alias }) => scan === alias || scan === name)?.name ?? [])
  const steps = [...statement.matchAll(/\b(\w+) as (?:materialized )?\(/g)].map(([, name]) => name)
  return [...new Set(names)].filter((name) => !FIXED_TABLES.includes(name) && !steps.includes(name)).toSorted()
}

/** A walk along an index in its order ends with the page that was asked for, unless next to nothing is found on it. */
function findSqliteScans(statement: string, plan: readonly string[], parts: PartIndexes): string[] {
  // Nothing is asked for.
  if (/ where \(?1 = 0\b/.test(statement)) return []
  const mayBePage = / order by .* limit /.test(statement) && !/ like /.test(statement)
  return plan.flatMap((line, at) => {
    // FTS5 hands out the rows that match, and no others.
    if (/VIRTUAL TABLE INDEX \d+:M\d/.test(line)) return []
    const [, table, index] = /^ *SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(line) ?? []
    const isFine = (mayBePage && !isSorted(plan, at)) || (index !== undefined && parts.has(index))
    return table === undefined || isFine ? [] : [table]
  })
}

/** Whether all that a step of SQLite finds is put in order before the page is cut: a sort beside it, in the same select. */
function isSorted(plan: readonly string[], at: number): boolean {
  const depth = measureDepth(plan[at] ?? '')
  const rest = plan.slice(at)
  const end = rest.findIndex((line) => measureDepth(line) < depth)
  return (end < 0 ? rest : rest.slice(0, end)).some(
    (line) => measureDepth(line) === depth && /TEMP B-TREE FOR (?!LAST)/.test(line),
  )
}

function findPostgresScans(plan: readonly string[], parts: PartIndexes): string[] {
  return plan.flatMap((line, at) => {
    const [, table] = /Seq Scan on (\w+)/.exec(line) ?? []
    if (table !== undefined) return [table]
    const [, index = '', walked] = /Index (?:Only )?Scan (?:Backward )?using (\w+) on (\w+)/.exec(line) ?? []
    if (walked === undefined || parts.has(index)) return []
    const details = listDetails(plan, at)
    if (details.some((detail) => detail.startsWith('Index Cond'))) return []
    return endsEarly(plan, at) && !details.some((detail) => detail.includes('~~')) ? [] : [walked]
  })
}

/** What stands below a step about itself. */
function listDetails(plan: readonly string[], at: number): string[] {
  const rest = plan.slice(at + 1)
  const end = rest.findIndex((line) => line.includes('->') || /^ *(Init|Sub)Plan/.test(line))
  return (end < 0 ? rest : rest.slice(0, end)).map((line) => line.trim())
}

/** Whether a limit stands above a step, and nothing between them that needs all its rows first. */
function endsEarly(plan: readonly string[], at: number): boolean {
  let depth = measureDepth(plan[at] ?? '')
  for (const line of plan.slice(0, at).toReversed()) {
    if (!line.includes('->') && measureDepth(line) > 0) continue
    if (measureDepth(line) >= depth) continue
    depth = measureDepth(line)
    if (/^ *(-> +)?Limit/.test(line)) return true
    if (/(?<!Incremental )Sort|Aggregate|Hash|Materialize|Unique/.test(line)) return false
  }
  return false
}

function measureDepth(line: string): number {
  return line.search(/\S/)
}
