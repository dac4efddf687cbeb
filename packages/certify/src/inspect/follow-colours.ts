import type { Paint, Space } from '../drawing/read-paint.ts'

/** What content draws with before it chooses, and what it has chosen. */
export interface Chosen {
  /** Undefined where it cannot be told. */
  fill: Space | undefined
  stroke: Space | undefined
  /** The font draws its letters by operators. */
  isDrawn: boolean
  /** Lines have the colour of areas. */
  isEven: boolean
}

/** Of the colours themselves only whether they are the same is told by these. */
interface Inks {
  fillInk: string
  strokeInk: string
  /** That was chosen last, by its name. */
  font: string
}

/** What operators have chosen so far. */
export interface Colours extends Chosen, Inks {
  start: Chosen & Inks
  saved: (Chosen & Inks)[]
}

/** Of what is drawn from several places, or from one that is not looked at. */
export const UNKNOWN: Chosen = { fill: undefined, stroke: undefined, isDrawn: false, isEven: true }

export function startColours(chosen: Chosen): Colours {
  const start = { ...chosen, fillInk: '', strokeInk: chosen.isEven ? '' : 'other', font: '' }
  return { ...start, start, saved: [] }
}

export const keepChosen = ({ fill, stroke, isDrawn, fillInk, strokeInk }: Colours): Chosen => ({
  fill,
  stroke,
  isDrawn,
  isEven: fillInk === strokeInk,
})

const keepAll = (colours: Colours): Chosen & Inks => {
  const { fillInk, strokeInk, font } = colours
  return { ...keepChosen(colours), fillInk, strokeInk, font }
}

const plain = (components: number): Space => ({ kind: 'plain', components })
/** Spaces that need no resources, and operators that choose them. */
const BUILT_IN: Record<string, Space> = {
  DeviceGray: plain(1),
  DeviceRGB: plain(3),
  DeviceCMYK: plain(4),
  G: plain(1),
  RGB: plain(3),
  CMYK: plain(4),
  Pattern: { kind: 'pattern', components: 0 },
}
/** Of pages and tiles (ISO 32000-2 table 51). */
export const BLACK: Chosen = { fill: plain(1), stroke: plain(1), isDrawn: false, isEven: true }
const CHOSEN: Record<string, [side: 'fill' | 'stroke', space: Space]> = {
  g: ['fill', plain(1)],
  rg: ['fill', plain(3)],
  k: ['fill', plain(4)],
  G: ['stroke', plain(1)],
  RG: ['stroke', plain(3)],
  K: ['stroke', plain(4)],
}

/** An operator of colours. */
export interface ColourOperator {
  operator: string
  /** Its operands as letters, see `OPERANDS`. */
  operands: string
  /** The last name among them, without its slash, and the last number, as they stand in the content. */
  name: () => string
  number: () => string
  /** All numbers among them. */
  numbers: () => readonly number[]
}

const COLOUR_OPERATORS = new Set(
  ['q', 'Q', 'cs', 'CS', 'sc', 'scn', 'SC', 'SCN', 'Tf', 'Tj', 'TJ', "'", '"'].concat(Object.keys(CHOSEN)),
)
const WRITING = new Set(['Tj', 'TJ', "'", '"'])

export const isColourOperator = (operator: string): boolean => COLOUR_OPERATORS.has(operator)

/** @returns what is wrong with its operands: readers would make up what is missing, or take others of those that are too many. */
export function followColour(colours: Colours, paint: Paint, used: ColourOperator): string | undefined {
  const { operator, operands } = used
  if (WRITING.has(operator)) return findLetterFault(colours, paint)
  noteInk(colours, used)
  const chosen = CHOSEN[operator]
  if (chosen !== undefined) colours[chosen[0]] = chosen[1]
  else if (operator === 'q') colours.saved.push(keepAll(colours))
  else if (operator === 'Q') Object.assign(colours, colours.saved.pop() ?? colours.start)
  else if (operator === 'Tf') Object.assign(colours, { font: used.name(), isDrawn: paint.drawnFonts.has(used.name()) })
  else {
    const side = operator.startsWith('c') || operator.startsWith('s') ? 'fill' : 'stroke'
    const space = colours[side]
    const name = used.name()
    if (operator.startsWith('s') || operator.startsWith('S')) {
      if (space?.kind === 'pattern') colours[side] = { ...space, isTile: paint.tiles.has(name), isFromOutside: false }
      // PDFium draws lines black then
      if (side === 'stroke' && paint.patterns.get(name) === 'no colours') return 'lines with tiles that have no colours'
      return findFault(space, paint, operands, used)
    }
    colours[side] = paint.spaces.get(name) ?? (Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined)
    if (colours[side] === undefined) return 'a space of colours that is not there'
  }
  return undefined
}

function findLetterFault({ isDrawn, fill, fillInk, strokeInk, font }: Colours, paint: Paint): string | undefined {
  if (!isDrawn) return undefined
  if (fill?.kind === 'pattern') return 'drawn letters with a pattern'
  // the reviewer's reader takes the colour of lines for those in letters, others that of areas
  return fillInk !== strokeInk && paint.hasLines(font) ? 'lines in drawn letters of two colours' : undefined
}

/** Black is the same in all spaces that operators name by themselves. */
function noteInk(colours: Colours, { operator, name, numbers }: ColourOperator): void {
  const [first] = operator.toLowerCase()
  if (operator === 'q' || operator === 'Q' || operator === 'Tf') return
  const side = operator === operator.toLowerCase() ? 'fillInk' : 'strokeInk'
  if (first === 'c') colours[side] = `${name()}:`
  else if (first === 's') colours[side] = `${colours[side].split(':', 1)[0]}:${numbers().join(' ')} ${name()}`
  else {
    const parts = numbers()
    const isBlack = first === 'k' ? parts.join(' ') === '0 0 0 1' : parts.every((part) => part === 0)
    colours[side] = isBlack ? '' : `${first}:${parts.join(' ')}`
  }
}

function findFault(
  space: Space | undefined,
  paint: Paint,
  operands: string,
  { name, number }: ColourOperator,
): string | undefined {
  if (space === undefined) return 'colours before their space'
  const numbers = operands.length - (operands.endsWith('N') ? 1 : 0)
  if (numbers < operands.length) return findPatternFault(space, paint, numbers, name())
  if (space.components === undefined || space.kind === 'pattern') return undefined
  if (numbers !== space.components) return 'colours of another space'
  if (space.kind === 'palette' && space.last !== undefined) {
    const text = number()
    if (!/^\+?\d+(?:\.0*)?$/.test(text) || Number(text) > space.last) return 'a place beyond a palette'
  }
  return undefined
}

/** At a pattern that is not there the reviewer's reader ends. */
function findPatternFault(space: Space, { patterns }: Paint, numbers: number, name: string): string | undefined {
  const pattern = patterns.get(name)
  if (pattern === undefined) return 'a pattern that is not there'
  if (space.kind !== 'pattern') return 'colours of another space'
  const due = pattern === 'no colours' ? space.components : undefined
  if (due === 0) return 'a pattern without a colour'
  return due !== undefined && numbers !== due ? 'the colours of a pattern' : undefined
}
