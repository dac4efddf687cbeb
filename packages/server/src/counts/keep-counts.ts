import type { Deps } from '../deps.ts'
import { checkCounts, mendCounts } from './check-counts.ts'
import { COUNTED, foldCounts, type CountedTable } from './queries.ts'

/** Makes few rows of many, so that adding counts up stays cheap. SQLite has few to begin with. */
export async function foldAllCounts({ db, engine }: Pick<Deps, 'db' | 'engine'>): Promise<void> {
  if (engine !== 'postgres') return
  for (const table of Object.keys(COUNTED) as CountedTable[]) while (await foldCounts(db, table));
}

/** Looks once, while the server already serves, whether the counts are right, and mends what is not. */
export async function checkCountsAtStart(
  deps: Pick<Deps, 'db' | 'engine' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const checked = await checkCounts(deps, { signal, isBeside: true })
    deps.logger.debug('counts compared')
    if (checked.wrong.length === 0) return
    const tables = [...new Set(checked.wrong.map(({ table }) => table))].join(' ')
    const isMended = await mendCounts(deps, checked)
    deps.logger.warn('counts were wrong', { states: checked.wrong.length, tables, mended_here: isMended })
  } catch (error) {
    if (!signal.aborted) deps.logger.fail('checking counts failed', error)
  }
}
