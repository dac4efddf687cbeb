import type { Counted } from '../traffic/recorder.ts'
import type { Trouble, TroubleKind } from '../troubles/trouble.ts'

/** Calls that need the store for files. */
const OF_THE_STORE = new Set(['upload', 'fetch', 'fetch file'])

export interface Recovery {
  kind: TroubleKind
  count: number
  /** Milliseconds; undefined where nothing was done after any of them. */
  median: number | undefined
  longest: number | undefined
}

/**
 * From the end of each trouble until whatever it struck had done something again: its node, each node where it was PostgreSQL,
 * a call that needs files where it was their store. Calls come when they come, so a part of it is waiting for the next.
 */
export function measureRecoveries(troubles: readonly Trouble[], counted: readonly Counted[]): Recovery[] {
  const done = counted.filter(({ isDone }) => isDone).toSorted((a, b) => a.began - b.began)
  const nodes = [...new Set(done.map(({ node }) => node))]
  const firstAfter = (time: number, fits: (call: Counted) => boolean) => {
    const first = done.find((call) => call.began >= time && fits(call))
    return first && first.ended - time
  }
  const measure = ({ kind, node, ended }: Trouble): number | undefined => {
    if (node !== undefined) return firstAfter(ended, (call) => call.node === node)
    if (kind.startsWith('S3')) return firstAfter(ended, (call) => OF_THE_STORE.has(call.kind))
    const each = nodes.map((name) => firstAfter(ended, (call) => call.node === name))
    return each.includes(undefined) ? undefined : Math.max(...each.map((time) => time ?? 0))
  }
  const groups = Map.groupBy(troubles, ({ kind }) => kind)
  return [...groups].map(([kind, members]) => {
    const times = members.map(measure).filter((time) => time !== undefined)
    times.sort((a, b) => a - b)
    return { kind, count: members.length, median: times[Math.floor(times.length / 2)], longest: times.at(-1) }
  })
}
