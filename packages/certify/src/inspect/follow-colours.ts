import type { Paint, Space } from '../drawing/read-paint.ts'

/** What content draws with before it chooses, and what it has chosen. */
export interface Chosen {
  /** Undefined where it cannot be told. */
  fill: Space | undefined
  stroke: Space | undefined
  /** The font draws its letters by operators. */
  isDrawn: boolean
}

/** What operators have chosen so far. */
export interface Colours extends Chosen {
  start: Chosen
  saved: Chosen[]
}

/** Of what is drawn from several places, or from one that is not looked at. */
export const UNKNOWN: Chosen = { fill: undefined, stroke: undefined, isDrawn: false }

export const startColours = (start: Chosen): Colours => ({ ...start, start, saved: [] })

export const keepChosen = ({ fill, stroke, isDrawn }: Chosen): Chosen => ({ fill, stroke, isDrawn })

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
export const BLACK: Chosen = { fill: plain(1), stroke: plain(1), isDrawn: false }
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
}

const COLOUR_OPERATORS = new Set(
  ['q', 'Q', 'cs', 'CS', 'sc', 'scn', 'SC', 'SCN', 'Tf', 'Tj', 'TJ', "'", '"'].concat(Object.keys(CHOSEN)),
)
const WRITING = new Set(['Tj', 'TJ', "'", '"'])

export const isColourOperator = (operator: string): boolean => COLOUR_OPERATORS.has(operator)

/** @returns what is wrong with its operands: readers would make up what is missing, or take others of those that are too many. */
export function followColour(colours: Colours, paint: Paint, used: ColourOperator): string | undefined {
  const { operator, operands } = used
  if (WRITING.has(operator))
    return colours.isDrawn && colours.fill?.kind === 'pattern' ? 'drawn letters with a pattern' : undefined
  const chosen = CHOSEN[operator]
  if (chosen !== undefined) colours[chosen[0]] = chosen[1]
  else if (operator === 'q') colours.saved.push(keepChosen(colours))
  else if (operator === 'Q') Object.assign(colours, colours.saved.pop() ?? colours.start)
  else if (operator === 'Tf') colours.isDrawn = paint.drawnFonts.has(used.name())
  else {
    const side = operator.startsWith('c') || operator.startsWith('s') ? 'fill' : 'stroke'
    const space = colours[side]
    const name = used.name()
    if (operator.startsWith('s') || operator.startsWith('S')) {
      if (space?.kind === 'pattern') colours[side] = { ...space, isTile: paint.tiles.has(name) }
      return findFault(space, paint, operands, used)
    }
    colours[side] = paint.spaces.get(name) ?? (Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined)
    if (colours[side] === undefined) return 'a space of colours that is not there'
  }
  return undefined
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
