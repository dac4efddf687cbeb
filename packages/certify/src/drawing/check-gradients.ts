import { PdfArray, PdfBool, type PdfDict, type PdfStream } from '@libpdf/core'
import { LIKE, measureDistance, readToScreen } from '../copying/compare-colours.ts'
import { readFunction } from '../copying/evaluate-function.ts'
import { Disagreement } from '../errors.ts'
import { type ObjectStore, readNumber, readNumbers, resolveObject } from '../pdf/object-store.ts'
import { isEvenArea } from './check-area-gradient.ts'
import { findGradients } from './find-gradients.ts'
import type { Place } from './find-places.ts'

/** Colours that one reader knows of a gradient along a line or between circles, however long that is. */
const LEVELS = 256
/** Places between two of them that are looked at. */
const WITHIN = 8
/** Points of the page that a level may be wide where a colour ends at once: so far from each other readers end it. */
const WIDEST_LEVEL = 2.5
/** Points of the page over which a gradient may hold what is narrower than a level. */
const LONGEST_NARROW = 64
/** To both sides of a place where a function may jump. */
const BESIDE = 1e-6

/**
 * Looks at gradients as large as pages show them. Readers know their colours at some hundreds of places each, others than the next: what is
 * narrower one shows and the other does not, and where a colour ends at once it ends elsewhere.
 * @throws Refusal `unreadable`.
 */
export function checkGradients(store: ObjectStore, places: ReadonlyMap<PdfStream, Place>): void {
  for (const [gradient, scale] of findGradients(store, places)) {
    const kind = readNumber(gradient.get('ShadingType'), (object) => resolveObject(store, object))
    if (kind === 1 && !isEvenArea(store, gradient, scale))
      throw new Disagreement('a gradient over an area that changes between where the reviewer’s reader looks')
    if ((kind === 2 || kind === 3) && isUnevenAtEnd(store, gradient))
      throw new Disagreement('a gradient that goes on beyond its end in a colour which it has nowhere before')
    const length = kind === 2 || kind === 3 ? measureLength(store, gradient) * scale : 0
    const levels = length > LONGEST_NARROW ? readLevels(store, gradient) : undefined
    if (levels === undefined) continue
    if (length > WIDEST_LEVEL * LEVELS && isHard(levels))
      throw new Disagreement('a gradient so long that readers end its colours in different places')
    if (isNarrow(levels)) throw new Disagreement('a gradient with colours so narrow that only some readers show them')
  }
}

/** What is known of the colours of a gradient along a line or between circles, from 0 to 1. */
interface Levels {
  colourAt: (share: number) => readonly number[]
  known: readonly (readonly number[])[]
  /** Where they may jump. */
  turns: readonly number[]
}

/** Beyond the end Poppler shows the colour at the end, others the one just before. */
function isUnevenAtEnd(store: ObjectStore, gradient: PdfDict): boolean {
  const extend = resolveObject(store, gradient.get('Extend'))
  const goesOn = extend instanceof PdfArray ? resolveObject(store, extend.at(1)) : undefined
  if (!(goesOn instanceof PdfBool && goesOn.value)) return false
  const colours = readColours(store, gradient)
  return colours !== undefined && measureDistance(colours.colourAt(1), colours.colourAt(1 - BESIDE)) > LIKE
}

function readLevels(store: ObjectStore, gradient: PdfDict): Levels | undefined {
  const colours = readColours(store, gradient)
  const known = colours && Array.from({ length: LEVELS + 1 }, (_, i) => colours.colourAt(i / LEVELS))
  return colours && known && { ...colours, known }
}

function readColours(store: ObjectStore, gradient: PdfDict): Omit<Levels, 'known'> | undefined {
  const made = readFunction(store, gradient.get('Function'))
  const toScreen = readToScreen(store, gradient.get('ColorSpace'))
  if (made === undefined || toScreen === undefined) return undefined
  const [from = 0, to = 1] = readNumbers(gradient.get('Domain'), (object) => resolveObject(store, object)) ?? [0, 1]
  return {
    colourAt: (share) => toScreen(made.evaluate([from + share * (to - from)])),
    turns: made.turns.map((turn) => (turn - from) / (to - from)),
  }
}

/** From one of its ends to the other, in its unit; 0 where it has none. */
function measureLength(store: ObjectStore, gradient: PdfDict): number {
  const coords = readNumbers(gradient.get('Coords'), (object) => resolveObject(store, object)) ?? []
  if (coords.length === 4) return Math.hypot(coords[2]! - coords[0]!, coords[3]! - coords[1]!)
  const [x0 = 0, y0 = 0, r0 = 0, x1 = 0, y1 = 0, r1 = 0] = coords
  return Math.hypot(x1 - x0, y1 - y0) + Math.abs(r1 - r0)
}

const isHard = ({ known }: Levels): boolean =>
  known.some((level, i) => i > 0 && measureDistance(level, known[i - 1]!) > LIKE)

/** Whether there are colours between two levels that neither of them has. */
function isNarrow({ colourAt, known, turns }: Levels): boolean {
  const jumps = turns.flatMap((turn) => [turn - BESIDE, turn + BESIDE])
  const shares = [...Array.from({ length: LEVELS * WITHIN }, (_, i) => i / (LEVELS * WITHIN)), ...jumps]
  return shares.some((share) => {
    if (share <= 0 || share >= 1) return false
    const i = Math.floor(share * LEVELS)
    return isBeyond(colourAt(share), known[i]!, known[i + 1]!)
  })
}

/** Whether a colour is neither of two, nor between them. */
const isBeyond = (colour: readonly number[], one: readonly number[], other: readonly number[]): boolean =>
  colour.some((value, i) => {
    const [least, most] = [Math.min(one[i] ?? 0, other[i] ?? 0), Math.max(one[i] ?? 0, other[i] ?? 0)]
    return value < least - LIKE || value > most + LIKE
  })
