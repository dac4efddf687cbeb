import { areDashes, isEndOrCorner, isLineWidth } from '../pdf/line-style.ts'
import { readDashes } from './follow-dashes.ts'

/** How long a dash may be is for the operator to say; which ends and corners there are is not (ISO 32000-2 tables 53 and 54). */
const CAPS_AND_JOINS = new Set(['J', 'j'])
const COLOURS = new Set(['g', 'rg', 'k', 'G', 'RG', 'K', 'sc', 'scn', 'SC', 'SCN'])
/** From 32,768 on Poppler counts on from below, so that white is black. */
const LARGEST_COLOUR = 16_384

/** Where the operands of an operator stand. */
export interface Figures {
  content: Buffer
  /** Where the last number and the last array began. */
  number: number
  array: number
  /** From the last number on, as it stands. */
  word: () => string
  numbers: () => readonly number[]
}

/** @returns what is wrong with the figures of an operator. */
export function findFigureFault(name: string, { content, number, array, word, numbers }: Figures): string | undefined {
  const last = (): number => numbers().at(-1) ?? Number.NaN
  if (name === 'Tr' && !/^[0-7](?:\.0*)?$/.test(word())) return 'a rendering mode that is none'
  if (name === 'w' && !isLineWidth(last())) return 'a line of a width that is none'
  if (CAPS_AND_JOINS.has(name) && !isEndOrCorner(last())) return 'ends of lines that are none'
  if (name === 'd' && !areDashes(readDashes(content, array, number), last())) return 'dashes that are none'
  if (COLOURS.has(name) && numbers().some((value) => Math.abs(value) > LARGEST_COLOUR)) return 'a colour beyond all'
  return undefined
}
