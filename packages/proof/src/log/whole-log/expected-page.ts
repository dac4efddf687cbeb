import { toBase64Url } from '../../base64.ts'
import type { Bytes } from '../../bytes.ts'
import { hashSha256 } from '../../sha256.ts'
import { PAGE_ENTRIES } from '../status-page.ts'

/** What a page has to say by the entries of the log. */
export interface ExpectedPage {
  /** By the entries below the size that the page speaks of. */
  bits: Bytes
  /** What changes between that size and the page's own entry make of a bit, in their order: the page was made meanwhile. */
  later: readonly { index: number; isSet: boolean }[]
  /** Entries whose bit may be either by those changes. */
  open: ReadonlySet<number>
  /** Bits of those that may be either by entries that are not known; undefined where there are none. One entry can name thousands. */
  unclear?: Bytes | undefined
}

/** Bits that are otherwise than the entries call for, by the places of their entries in the log. */
export interface BitDifferences {
  /** 0, where the approval is revoked or has ended. */
  missing: number[]
  /** 1, where no entry says so. */
  extra: number[]
}

/** The bit of an entry, whichever page it is on. */
export function readBit(bits: Uint8Array, index: number): boolean {
  const at = index % PAGE_ENTRIES
  return (bits[at >> 3]! & (0x80 >> (at & 7))) !== 0
}

/** Sets or clears the bit of an entry. */
export function writeBit(bits: Uint8Array, index: number, isSet: boolean): void {
  const at = index % PAGE_ENTRIES
  if (isSet) bits[at >> 3]! |= 0x80 >> (at & 7)
  else bits[at >> 3]! &= ~(0x80 >> (at & 7))
}

/** Compares a page bit by bit. @param bits `PAGE_BYTES` of them. */
export function comparePage(
  page: number,
  bits: Bytes,
  { bits: expected, open, unclear }: ExpectedPage,
): BitDifferences {
  const differences: BitDifferences = { missing: [], extra: [] }
  const isOpen = (index: number) => open.has(index) || (unclear !== undefined && readBit(unclear, index))
  for (const [at, byte] of bits.entries()) {
    if (byte === expected[at]) continue
    for (let index = page * PAGE_ENTRIES + at * 8; index < page * PAGE_ENTRIES + at * 8 + 8; index++) {
      if (isOpen(index) || readBit(bits, index) === readBit(expected, index)) continue
      differences[readBit(bits, index) ? 'extra' : 'missing'].push(index)
    }
  }
  return differences
}

/** So many bits that may be either are tried in all ways. */
const MAX_OPEN = 10

/** Whether a page is right, and what it took to find out. */
export interface PageMatch {
  /** Undefined where more ways are left than may be tried. */
  isRight: boolean | undefined
  /** Hashes of a page beyond the first, about a millisecond each. */
  tries: number
}

/**
 * Compares a page of which only its hash is known.
 * @param hash SHA-256 of its bits; base64url.
 * @param most Tries, at most.
 */
export function matchPage(hash: string, expected: ExpectedPage, most: number): PageMatch {
  let tries = -1
  const open = listOpen(expected)
  for (const bits of listWays(expected, open)) {
    if (tries === most) return { isRight: undefined, tries }
    tries += 1
    if (toBase64Url(hashSha256(bits)) === hash) return { isRight: true, tries }
  }
  return { isRight: open.length > MAX_OPEN ? undefined : false, tries }
}

/** Places of a page, in the place of entries, whose bits may be either: `MAX_OPEN` and one more at most. */
function listOpen({ open, unclear }: ExpectedPage): number[] {
  const places = new Set([...open].map((index) => index % PAGE_ENTRIES))
  if (unclear) for (const place of listPlaces(unclear)) if (places.add(place).size > MAX_OPEN) break
  return [...places].slice(0, MAX_OPEN + 1)
}

function* listPlaces(bits: Bytes): Generator<number> {
  for (const [at, byte] of bits.entries()) {
    if (byte === 0) continue
    for (let place = at * 8; place < at * 8 + 8; place++) if (readBit(bits, place)) yield place
  }
}

/** In the same memory each time. Most often the changes up to some moment are on it. */
function* listWays({ bits, later }: ExpectedPage, open: readonly number[]): Generator<Bytes> {
  const tried = bits.slice()
  yield tried
  for (const { index, isSet } of later) {
    if (readBit(tried, index) === isSet) continue
    writeBit(tried, index, isSet)
    yield tried
  }
  if (open.length === 0 || open.length > MAX_OPEN) return
  for (let ways = 0; ways < 2 ** open.length; ways++) {
    for (const [at, place] of open.entries()) writeBit(tried, place, (ways & (1 << at)) !== 0)
    yield tried
  }
}
