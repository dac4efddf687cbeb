import type { PdfRef } from '@libpdf/core'
import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { makeStream, nameOf, numberOf, type ObjectStore, registerObject } from '../pdf/object-store.ts'

/** The largest in common use, for printing, have about 3 MB. */
const MAX_PROFILE_BYTES = 4 << 20
const HEADER_BYTES = 128
const TAG_BYTES = 12
/** Real ones have up to about 40. */
const MAX_TAGS = 100

/** Colour spaces of data that a PDF may take (ISO 32000-2 section 8.6.5.5), by their number of components. */
const SPACES: Record<number, { signature: string; alternate: string }> = {
  1: { signature: 'GRAY', alternate: 'DeviceGray' },
  3: { signature: 'RGB ', alternate: 'DeviceRGB' },
  4: { signature: 'CMYK', alternate: 'DeviceCMYK' },
}
/** Input, display, output, colour space conversion. */
const CLASSES = new Set(['scnr', 'mntr', 'prtr', 'spac'])
const CONNECTION_SPACES = new Set(['XYZ ', 'Lab '])
/** Tags one group of which a profile needs to say what its numbers mean (ISO 15076-1 section 8). */
const TABLE = ['A2B0']
const WAYS: Record<number, string[][]> = {
  1: [TABLE, ['kTRC']],
  3: [TABLE, ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC']],
  4: [TABLE],
}
/** Bytes of the smallest element that a tag of this kind can have. */
const LEAST_BYTES: Record<string, number> = { 'XYZ ': 20, curv: 12, para: 16, mft1: 48, mft2: 52, 'mAB ': 32 }

/** Puts together what a JPEG carries in pieces of 64 kB. @returns undefined when a piece is missing, double or does not fit. */
export function joinProfile(chunks: readonly Uint8Array[]): Uint8Array | undefined {
  const sorted = chunks.toSorted((one, other) => (one[0] ?? 0) - (other[0] ?? 0))
  const isWhole = sorted.every((chunk, i) => chunk[0] === i + 1 && chunk[1] === chunks.length)
  return isWhole && chunks.length > 0 ? Buffer.concat(sorted.map((chunk) => chunk.subarray(2))) : undefined
}

/** Unpacks what a PNG carries behind a name of at most 79 letters and a zero. @returns undefined when it cannot be unpacked. */
export function inflateProfile(chunk: Uint8Array): Uint8Array | undefined {
  const nameEnd = chunk.indexOf(0)
  if (nameEnd < 1 || nameEnd > 79 || chunk[nameEnd + 1] !== 0) return undefined
  try {
    return inflateSync(chunk.subarray(nameEnd + 2), { maxOutputLength: MAX_PROFILE_BYTES })
  } catch {
    return undefined
  }
}

/**
 * What of the bytes is a profile for so many components, and whole: each element lies within it and is one that readers
 * know. What is inside the elements is left to readers, which fall back on the alternate space.
 * @returns undefined when it is none.
 */
export function readProfile(bytes: Uint8Array, components: number): Uint8Array | undefined {
  if (bytes.length < HEADER_BYTES + 4) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // some programs pad their profiles
  const length = view.getUint32(0)
  if (length < HEADER_BYTES + 4 || length > Math.min(bytes.length, MAX_PROFILE_BYTES)) return undefined
  const version = bytes[8]!
  if (version < 2 || version > 4 || nameAt(bytes, 36) !== 'acsp') return undefined
  if (nameAt(bytes, 16) !== SPACES[components]?.signature) return undefined
  if (!CLASSES.has(nameAt(bytes, 12)) || !CONNECTION_SPACES.has(nameAt(bytes, 20))) return undefined
  const profile = bytes.subarray(0, length)
  const tags = listTags(profile)
  const isEnough = tags !== undefined && (WAYS[components] ?? []).some((way) => way.every((tag) => tags.has(tag)))
  return isEnough ? profile : undefined
}

/** Names of the tags whose elements may say what colours mean. Undefined when the table leads out of the profile. */
function listTags(bytes: Uint8Array): Set<string> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = view.getUint32(HEADER_BYTES)
  const begin = HEADER_BYTES + 4 + TAG_BYTES * count
  if (count > MAX_TAGS || begin > bytes.length) return undefined
  const known = new Set<string>()
  for (let at = HEADER_BYTES + 4; at < begin; at += TAG_BYTES) {
    const offset = view.getUint32(at + 4)
    const length = view.getUint32(at + 8)
    if (offset < begin || length < 8 || offset + length > bytes.length) return undefined
    const kind = nameAt(bytes, offset)
    const least = kind === 'curv' && length >= 12 ? 12 + 2 * view.getUint32(offset + 8) : LEAST_BYTES[kind]
    if (least === undefined) continue
    if (length < least) return undefined
    known.add(nameAt(bytes, at))
  }
  return known
}

const nameAt = (bytes: Uint8Array, at: number): string => Buffer.from(bytes.subarray(at, at + 4)).toString('latin1')

/** Photographs of one camera have one profile: it goes in once. */
const embedded = new WeakMap<ObjectStore, Map<string, PdfRef>>()

/** Registers the stream of an ICCBased colour space (ISO 32000-2 section 8.6.5.5). */
export function embedProfile(store: ObjectStore, profile: Uint8Array, components: number): PdfRef {
  const refs = embedded.get(store) ?? new Map<string, PdfRef>()
  embedded.set(store, refs)
  const digest = createHash('sha256').update(profile).digest('hex')
  const known = refs.get(digest)
  if (known !== undefined) return known
  const alternate = nameOf(SPACES[components]!.alternate)
  const ref = registerObject(store, makeStream({ N: numberOf(components), Alternate: alternate }, profile))
  refs.set(digest, ref)
  return ref
}
