import { Disagreement } from '../errors.ts'
import {
  type Extent,
  isFilling,
  isNothing,
  leastScale,
  type Matrix,
  measurePath,
  mostScale,
  UNCHANGED,
} from '../pdf/simple-path.ts'
import { serializeNumber } from '../pdf/serialize-object.ts'
import { applyEdits, type Edit } from '../pdf/apply-edits.ts'
import type { Place } from './find-places.ts'
import { type Area, type DrawnThing, type LetterBox, readDrawn } from './read-drawn.ts'
import { ANY_DOT, DOT, isRule, isThin, WIDE, WIDE_CUT, widenBox, writeRule, writeWide } from './thin-areas.ts'
import { isSlanted, widenImage } from './widen-images.ts'

/** What paints the same but for the area within, at no greater length. */
const WITHOUT_AREA: Record<string, string> = { f: 'n', F: 'n', 'f*': 'n ', B: 'S', 'B*': 'S ', b: 's', 'b*': 's ' }
/** Bytes that may be added. */
const MOST_ADDED = 64 << 20
/** What ends a path of lines, an image among operators, and a comment, which may stand anywhere. */
const MAY_BE_THIN = /(?:^|[\s\0])[mlcvyh][\s\0]+(?:f\*?|F|[Bb]\*?|W\*?)(?:[\s\0/[(<]|$)|(?:^|[\s\0])BI(?:[\s\0/]|$)|%/
/** Times that a rule may be drawn larger elsewhere, and is one there. */
const MOST_LARGER = 1.1
/** Times that something is made larger, which together with others may come to more than any page. */
const LARGE = 20
/** By its width and height. */
const RECTANGLE = /([-+.\d]+)[\s\0]+([-+.\d]+)[\s\0]+re(?:[\s\0]|$)/g
/** By what it does but for where it moves. */
const STRETCH =
  /([-+.\d]+)[\s\0]+([-+.\d]+)[\s\0]+([-+.\d]+)[\s\0]+([-+.\d]+)[\s\0]+[-+.\d]+[\s\0]+[-+.\d]+[\s\0]+cm(?:[\s\0]|$)/g

/**
 * Areas that are too thin are made wide. Lines that are filled, which the reviewer's reader shows nowhere, are painted no more; what is
 * drawn along them stays.
 * @returns undefined where there is none.
 * @throws Refusal `unreadable` where there are so many that nobody draws them.
 */
export function widenAreas(content: Buffer, place: Place): Buffer | undefined {
  if (!mayBeThin(content.toString('latin1'), place)) return undefined
  const edits: Edit[] = []
  let added = 0
  for (const thing of readDrawn(content, place.paint, place.matrix ?? UNCHANGED)) {
    for (const edit of editThing(thing, place)) {
      edits.push(edit)
      added += edit.text.length
    }
    if (added > MOST_ADDED) throw new Disagreement('too many areas that are too thin')
  }
  return applyEdits(content, edits)
}

function editThing(thing: DrawnThing, place: Place): Edit[] {
  if (thing.kind === 'area') return editArea(thing, place)
  if (thing.kind === 'stencil' || thing.kind === 'image')
    return place.matrix === undefined ? [] : widenImage(thing, place)
  return thing.kind === 'box' && place.matrix !== undefined ? editBox(thing) : []
}

/** One without extent counts as none, for all readers. */
function editBox({ box, matrix, from, to }: LetterBox): Edit[] {
  if (box[0] === box[2] || box[1] === box[3]) return []
  const wide = widenBox(box, matrix)
  return wide === undefined ? [] : [{ from, to, text: wide.map(serializeNumber).join(' ') }]
}

function editArea(area: Area, place: Place): Edit[] {
  const { path, matrix, from, to, end, operator, isClip } = area
  const extent = measurePath(path, matrix)
  if (extent === undefined) return []
  const isSeen = place.matrix !== undefined && isThin(extent, isClip || !place.isLetter ? ANY_DOT : DOT.letter)
  const text = isSeen ? writeSeen(area, extent, place) : undefined
  if (text !== undefined) return [{ from, to, text }]
  if (!isFilling(operator) || !isNothing(extent)) return []
  return [{ from: end - operator.length, to: end, text: WITHOUT_AREA[operator]! }]
}

function writeSeen({ matrix, operator, isClip }: Area, extent: Extent, place: Place): string | undefined {
  // where it is drawn larger it would be a bar
  const isOneSize = place.matrix !== undefined && place.largest <= MOST_LARGER * mostScale(place.matrix)
  if (!isClip && !place.isLetter && isOneSize && isRule(extent)) return writeRule(extent, matrix)
  return writeWide(extent, matrix, isClip && operator === 'n' ? WIDE_CUT : WIDE)
}

/** Most content is not, and is not read by operators. */
function mayBeThin(content: string, { matrix, paint, isSlanted: isDrawnSlanted, largest }: Place): boolean {
  if (paint.stencils.size > 0 || MAY_BE_THIN.test(content)) return true
  const hasImages = paint.images.size > 0
  if (hasImages && (isDrawnSlanted || largest > LARGE)) return true
  if (hasImages && content.matchAll(STRETCH).some((found) => isSlanted(readMatrix(found)) || isLarge(found)))
    return true
  const isShrunk = content.matchAll(STRETCH).some((found) => leastScale(readMatrix(found)) < 1)
  const scale = isShrunk ? 0 : leastScale(matrix ?? UNCHANGED)
  return content.matchAll(RECTANGLE).some(([, width, height]) => scale * smallerOf(width, height) < WIDE)
}

const readMatrix = ([, ...numbers]: RegExpExecArray): Matrix => [...numbers.map(Number), 0, 0] as unknown as Matrix

/** It may make an image larger than a page. */
const isLarge = ([, ...numbers]: RegExpExecArray): boolean => numbers.some((number) => Math.abs(Number(number)) > LARGE)

const smallerOf = (width: string | undefined, height: string | undefined): number =>
  Math.min(Math.abs(Number(width)), Math.abs(Number(height)))
