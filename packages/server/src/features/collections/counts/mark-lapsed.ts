import { setImmediate as giveWay } from 'node:timers/promises'
import type { Flag } from '../../../db/flag.ts'
import type { Condition } from '../../../db/list.ts'
import type { Deps } from '../../../deps.ts'
import { isEarly, isLate } from '../status-filter.ts'
import { hasSome, turnMarks } from './queries.ts'

/** By how much the clocks of several processes may differ: one must not list as expired what another marks so later. */
const CLOCKS_DIFFER_MS = 10_000

/** So many times some, then everybody else's turn; a server that closes waits for no more. */
const MOST_TURNS = 200

/**
 * Marks what has expired, some at a time, so that counting need not look at it one by one. Nothing depends on when this
 * happens but how long a count takes.
 */
export async function markLapsed(deps: Pick<Deps, 'db' | 'reads' | 'engine' | 'now'>): Promise<void> {
  const at = deps.now()
  await markAll(deps, 1, isLate(at - CLOCKS_DIFFER_MS))
  // The clock was set back.
  await markAll(deps, 0, isEarly(at))
}

async function markAll(deps: Pick<Deps, 'db' | 'reads' | 'engine'>, lapsed: Flag, condition: Condition): Promise<void> {
  // Where there are none, nobody's writing is held up.
  if (!(await hasSome(deps.reads, condition))) return
  for (let turns = 1; (await turnMarks(deps, lapsed, condition)) && turns < MOST_TURNS; turns++) await giveWay()
}
