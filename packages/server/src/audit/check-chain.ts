import type { Db } from '../db/open.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { FIRST_HASH, hashEntry, hashLink } from './hash-entry.ts'
import { macEmptied, macLink } from './link-macs.ts'
import {
  countWaitingEntries,
  findLink,
  findNewestWaiting,
  listEntriesOfLink,
  listLinks,
  listWaiting,
  type AuditLink,
  type ChainedEntry,
} from './queries.ts'

const LINKS_AT_ONCE = 100
/** Before the first link too one may have been put. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER

/** Where the chain does not hold, and why. */
export interface BrokenPlace {
  link: number
  /** The first entry that does not fit, or the one before or after a missing one; null where the link itself does not. */
  entry: number | null
  why: 'entry_differs' | 'entry_missing' | 'entries_left' | 'link_differs' | 'link_missing' | 'link_forged'
}

export interface ChainState {
  links: number
  /** In links that still have theirs. */
  entries: number
  emptied: number
  /** Not chained yet. */
  waiting: number
  /** Milliseconds between the first that is not and the last: entries are chained within seconds while a server runs. */
  waitedMs: number
  /** Of the newest link: noted elsewhere, it shows later whether the end of the chain was cut off. */
  hash: string
  broken: BrokenPlace | null
}

/** Walks the whole chain, from the first link up to the newest, and stops where it does not hold. */
export async function checkChain(db: Db, secrets: SecretBox): Promise<ChainState> {
  const state: ChainState = {
    links: 0,
    entries: 0,
    emptied: 0,
    waiting: 0,
    waitedMs: 0,
    hash: FIRST_HASH,
    broken: null,
  }
  let after = BEFORE_ALL
  for (;;) {
    const links = await listLinks(db, after, LINKS_AT_ONCE)
    for (const link of links) {
      after = link.id
      const checked = await checkLink(db, secrets, link, state.hash)
      if (checked.broken) return { ...state, ...(await countWaiting(db)), broken: checked.broken }
      state.links += 1
      state.hash = link.hash
      if (checked.isEmptied) state.emptied += 1
      else state.entries += link.entries
    }
    if (links.length < LINKS_AT_ONCE) break
  }
  return { ...state, ...(await countWaiting(db)) }
}

interface CheckedLink {
  isEmptied: boolean
  broken: BrokenPlace | null
}

async function checkLink(db: Db, secrets: SecretBox, link: AuditLink, previous: string): Promise<CheckedLink> {
  const entries = await listEntriesOfLink(db, link.id)
  const broken = findBreak(secrets, link, entries, previous)
  if (!broken || link.emptied_at !== null) return { isEmptied: link.emptied_at !== null, broken }
  // It may have been emptied since it was listed.
  const again = await findLink(db, link.id)
  if (!again || again.emptied_at === null) return { isEmptied: false, broken }
  return { isEmptied: true, broken: findBreak(secrets, again, await listEntriesOfLink(db, link.id), previous) }
}

/** @param previous The hash of the link before. @returns where a link and its entries do not hold. */
export function findBreak(
  secrets: SecretBox,
  link: AuditLink,
  entries: ChainedEntry[],
  previous: string,
): BrokenPlace | null {
  const breakAt = (why: BrokenPlace['why'], entry: number | null = null) => ({ link: link.id, entry, why })
  if (link.previous_hash !== previous) return breakAt('link_missing')
  if (link.mac !== macLink(secrets, link.hash)) return breakAt('link_forged')
  if (link.emptied_at !== null) {
    if (link.emptied_mac !== macEmptied(secrets, link.hash, link.emptied_at)) return breakAt('link_forged')
    return entries[0] ? breakAt('entries_left', entries[0].id) : null
  }
  let last = previous
  for (const entry of entries) {
    last = hashEntry(last, entry)
    if (entry.hash === last) continue
    return breakAt(entries.length < link.entries ? 'entry_missing' : 'entry_differs', entry.id)
  }
  if (entries.length !== link.entries) return breakAt('entry_missing', entries.at(-1)?.id ?? null)
  const isWhole = hashLink(last, link.made_at) === link.hash && link.last_at === findLatest(entries)
  return isWhole ? null : breakAt('link_differs')
}

export const findLatest = (entries: readonly { at: number }[]): number => Math.max(...entries.map(({ at }) => at))

async function countWaiting(db: Db): Promise<Pick<ChainState, 'waiting' | 'waitedMs'>> {
  const [oldest] = await listWaiting(db, 1)
  const newest = await findNewestWaiting(db)
  return { waiting: await countWaitingEntries(db), waitedMs: oldest && newest ? newest.at - oldest.at : 0 }
}
