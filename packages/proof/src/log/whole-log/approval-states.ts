import type { Bytes } from '../../bytes.ts'
import { SECONDS_PER_DAY, type AmendStatement, type RevokeStatement } from '../statements.ts'
import { findStatusPage, MAX_LATER_ENTRIES, PAGE_BYTES, PAGE_ENTRIES } from '../status-page.ts'
import { readBit, writeBit, type ExpectedPage } from './expected-page.ts'

/** How an approval stands by the entries so far. */
interface ApprovalState {
  isRevoked: boolean
  /** To which day its expiry was moved: days since 1970 UTC, Infinity for never; undefined where it was not. */
  movedTo: number | undefined
}

/** A change, and how the approval stood before and after it. */
interface Change {
  /** Place of the entry. */
  index: number
  ref: number
  before: ApprovalState
  after: ApprovalState
}

/** What is known of the entries of one page; some 560 kB for 131,072 entries. */
interface PageStates {
  /** Revoked and not reinstated. */
  revoked: Bytes
  /** Of each approval the day on which it ends, as its file says; see NEVER and NONE. */
  sealedDays: Int32Array
  moved: Map<number, number>
  /** Those of `moved` that end before their file says so: the others make nothing of a bit. */
  early: Map<number, number>
  /** Bits of those that an entry of an unknown kind refers to: it may revoke. */
  unclear: Bytes | undefined
}

/** An approval that never ends. */
const NEVER = -1
/** Where there is no approval. */
const NONE = -2

/** How all approvals of a log stand, entry by entry. */
export interface ApprovalStates {
  /** @param expiryDay Days since 1970 UTC; undefined for never. */
  addApproval(index: number, expiryDay: number | undefined): void
  isApproval(index: number): boolean
  /** @param index Place of the change; `ref` lies before it. @returns whether it changes what it says: not what was so already. */
  addChange(index: number, change: RevokeStatement | AmendStatement): boolean
  /** Something that is not known refers to this entry. */
  blur(ref: number): void
  /**
   * What a page has to say that speaks of the first `size` entries, as of a time, where the entries so far lead up to its own: changes
   * between are on it or not.
   * @param size Not more than `MAX_LATER_ENTRIES` before the newest entry.
   * @param time Seconds since 1970 UTC: an earlier expiry counts once its day is over.
   */
  expectPage(page: number, size: number, time: number): ExpectedPage
}

/** Begins without an entry. */
export function openApprovalStates(): ApprovalStates {
  const pages = new Map<number, PageStates>()
  /** The changes of the newest entries, in their order. */
  let recent: Change[] = []

  function openPage(page: number): PageStates {
    const known = pages.get(page)
    if (known) return known
    const opened: PageStates = {
      revoked: new Uint8Array(PAGE_BYTES),
      sealedDays: new Int32Array(PAGE_ENTRIES).fill(NONE),
      moved: new Map(),
      early: new Map(),
      unclear: undefined,
    }
    pages.set(page, opened)
    return opened
  }

  const readSealed = (index: number) => pages.get(findStatusPage(index))?.sealedDays[index % PAGE_ENTRIES] ?? NONE

  function readState(ref: number): ApprovalState {
    const { revoked, moved } = openPage(findStatusPage(ref))
    return { isRevoked: readBit(revoked, ref), movedTo: moved.get(ref) }
  }

  /** Whether the bit is 1. Only an expiry before the one in the file counts: that one the file tells. */
  function isEnded(ref: number, { isRevoked, movedTo }: ApprovalState, time: number): boolean {
    return isRevoked || (isEarlier(ref, movedTo) && movedTo * SECONDS_PER_DAY <= time)
  }

  function isEarlier(ref: number, movedTo: number | undefined): movedTo is number {
    const sealed = readSealed(ref)
    return movedTo !== undefined && movedTo < (sealed < 0 ? Infinity : sealed)
  }

  return {
    addApproval(index, expiryDay) {
      openPage(findStatusPage(index)).sealedDays[index % PAGE_ENTRIES] = expiryDay ?? NEVER
    },
    isApproval: (index) => readSealed(index) !== NONE,
    addChange(index, change) {
      const { ref, kind } = change
      const page = openPage(findStatusPage(ref))
      const before = readState(ref)
      const after =
        kind === 'amend'
          ? { ...before, movedTo: change.expiryDay ?? Infinity }
          : { ...before, isRevoked: kind === 'revoke' }
      if (after.movedTo !== undefined) page.moved.set(ref, after.movedTo)
      if (isEarlier(ref, after.movedTo)) page.early.set(ref, after.movedTo)
      else page.early.delete(ref)
      writeBit(page.revoked, ref, after.isRevoked)
      // Twice the bound, so that they are not moved for each entry.
      if (recent.length > 2 * MAX_LATER_ENTRIES) {
        recent = recent.filter((one) => one.index >= index - MAX_LATER_ENTRIES)
      }
      recent.push({ index, ref, before, after })
      return kind === 'amend' || before.isRevoked !== after.isRevoked
    },
    blur(ref) {
      const page = openPage(findStatusPage(ref))
      page.unclear ??= new Uint8Array(PAGE_BYTES)
      writeBit(page.unclear, ref, true)
    },
    expectPage(page, size, time) {
      const states = pages.get(page)
      const bits: Bytes = states ? states.revoked.slice() : new Uint8Array(PAGE_BYTES)
      for (const [ref, day] of states?.early ?? []) if (day * SECONDS_PER_DAY <= time) writeBit(bits, ref, true)
      const between = recent.filter(({ index, ref }) => index >= size && findStatusPage(ref) === page)
      // Back to how it was at that size; the first change of an approval knows.
      for (const { ref, before } of between.toReversed()) writeBit(bits, ref, isEnded(ref, before, time))
      const later = between.map(({ ref, after }) => ({ index: ref, isSet: isEnded(ref, after, time) }))
      const open = new Set<number>()
      for (const { index, isSet } of later) if (isSet !== readBit(bits, index)) open.add(index)
      return { bits, later, open, unclear: states?.unclear }
    },
  }
}
