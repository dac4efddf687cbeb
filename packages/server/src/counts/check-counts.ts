import { setTimeout as rest } from 'node:timers/promises'
import { inTransaction } from '../db/in-transaction.ts'
import { readSnapshot } from '../db/snapshot.ts'
import type { Deps } from '../deps.ts'
import {
  addToCounts,
  COUNTED,
  countSlice,
  findHighestId,
  findMended,
  listCounts,
  type Amount,
  type CountedTable,
} from './queries.ts'

/** So many are counted in two milliseconds or three. In between everybody else has their turn, however many there are. */
const SLICE_ROWS = 1000
/** So many are counted in a process that nobody waits for. */
const LONG_SLICE_ROWS = 10_000
/** Beside people one part counts, and so many rest. */
const REST_PARTS = 9
/** To be counted beside people without a process of its own. */
const FEW_ROWS = 20_000

/** A state whose count is another than there are rows. */
export interface WrongCount {
  table: CountedTable
  /** By the columns of the counts in their order. */
  state: Amount['state']
  counted: number
  there: number
}

export interface CheckedCounts {
  wrong: WrongCount[]
  /** For `mendCounts`. */
  mended: string | undefined
}

type CheckDeps = Pick<Deps, 'db' | 'engine'>

interface HowToCheck {
  signal?: AbortSignal
  isBeside?: boolean
  fewRows?: number
}

/**
 * Compares all counts with the rows themselves as they are at one moment: what is written meanwhile makes none look wrong.
 * @param how `signal` ends it early; `isBeside` people who are served, it leaves them most of the time, and on SQLite works in
 *   a process of its own where there are more than `fewRows`.
 */
export async function checkCounts(
  deps: CheckDeps,
  { signal, isBeside = false, fewRows = FEW_ROWS }: HowToCheck = {},
): Promise<CheckedCounts> {
  const hasProcess = isBeside && deps.engine === 'sqlite' && (await findHighestId(deps.db)) > fewRows
  const sliceRows = hasProcess ? LONG_SLICE_ROWS : SLICE_ROWS
  return readSnapshot(deps, hasProcess, async (snapshot) => {
    const mended = await findMended(snapshot)
    const wrong: WrongCount[] = []
    for (const table of Object.keys(COUNTED) as CountedTable[]) {
      const amounts = new Map<string, Omit<WrongCount, 'table'>>()
      const note = ({ state, amount }: Amount, of: 'counted' | 'there') => {
        const known = amounts.get(JSON.stringify(state)) ?? { state, counted: 0, there: 0 }
        known[of] += amount
        amounts.set(JSON.stringify(state), known)
      }
      for (const amount of await listCounts(snapshot, table)) note(amount, 'counted')
      for (let last = 0; ;) {
        const begin = performance.now()
        const slice = await countSlice(snapshot, table, last, sliceRows)
        if (!slice) break
        for (const amount of slice.amounts) note(amount, 'there')
        last = slice.last
        await rest(isBeside && !hasProcess ? REST_PARTS * (performance.now() - begin) : 0, undefined, { signal })
      }
      wrong.push(
        ...[...amounts.values()].filter(({ counted, there }) => counted !== there).map((one) => ({ table, ...one })),
      )
    }
    return { wrong, mended }
  })
}

/** Sets counts right. @returns false when somebody else has done so since they were checked */
export async function mendCounts({ db, engine }: CheckDeps, { wrong, mended }: CheckedCounts): Promise<boolean> {
  const lacking = wrong.map(({ table, state, counted, there }) => ({ table, state, amount: there - counted }))
  return inTransaction(db, (transaction) => addToCounts({ transaction, engine }, mended, lacking))
}
