import { PdfArray, PdfName, PdfStream } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { isHarmless } from '../image/harmless-profile.ts'
import { readProfile } from '../image/icc-profile.ts'
import { nameOf, type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { countComponents } from './count-components.ts'
import { replaceItems } from './replace-items.ts'

/** Profiles for inks are tables, and stay unlooked at. */
const PLAIN_SPACES: Record<number, string> = { 1: 'DeviceGray', 3: 'DeviceRGB' }
const INKS = 4
const MAX_PROFILE_BYTES = 4 << 20

/**
 * Replaces each space by profile whose profile could show something else than the reviewer's reader, which passes over profiles, by
 * the space that this reader takes instead: the alternate one, or that of devices with as many colours.
 * @returns those that are calibrated now, which are still to be looked at.
 * @throws Refusal `unreadable` for a profile of another number of colours than devices have.
 */
export function settleProfiles(store: ObjectStore, spaces: readonly PdfArray[]): PdfArray[] {
  const calibrated: PdfArray[] = []
  const harmless = new Map<PdfStream, boolean>()
  const kept = new Set<PdfStream>()
  for (const space of spaces) {
    const stream = resolveObject(store, space.at(1))
    if (!(stream instanceof PdfStream)) continue
    const components = readNumber(stream.get('N'), (object) => resolveObject(store, object)) ?? 0
    const plain = PLAIN_SPACES[components]
    if (plain === undefined && components !== INKS)
      throw new Disagreement('a profile for a number of colours that there is not')
    if (plain === undefined) {
      stream.delete('Alternate')
      continue
    }
    const isKept = harmless.get(stream) ?? isHarmlessStream(store, stream, components)
    harmless.set(stream, isKept)
    if (isKept) {
      kept.add(stream)
      continue
    }
    const alternate = findAlternate(store, stream, components)
    replaceItems(space, alternate ?? [nameOf(plain)])
    if (alternate !== undefined) calibrated.push(space)
  }
  // the reviewer's reader takes it before the profile, whatever it is
  for (const stream of kept) stream.delete('Alternate')
  return calibrated
}

function isHarmlessStream(store: ObjectStore, stream: PdfStream, components: number): boolean {
  const bytes = decodeContent(store, stream, MAX_PROFILE_BYTES)
  const profile = bytes && readProfile(bytes, components)
  return profile !== undefined && isHarmless(profile, components)
}

/** Calibrated spaces, which name no profile themselves. */
function findAlternate(store: ObjectStore, stream: PdfStream, components: number): PdfObject[] | undefined {
  const resolve = (object: PdfObject | undefined): PdfObject | undefined => resolveObject(store, object)
  const alternate = resolve(stream.get('Alternate'))
  if (!(alternate instanceof PdfArray) || countComponents(alternate, resolve) !== components) return undefined
  const kind = resolve(alternate.at(0))
  return kind instanceof PdfName && ['CalGray', 'CalRGB', 'Lab'].includes(kind.value) ? [...alternate] : undefined
}
