import { hashSha256 } from './sha256.ts'

/** `small` is for up to about 40 pixels: few, well separated lines. `large` is for anything bigger. */
export type RosetteDetail = 'small' | 'large'

/** In a box of 100 by 100, x to the right and y downwards (PDF's y goes upwards: draw at 100 - y), centre 50, 50. */
export interface RosettePoint {
  x: number
  y: number
}

/** Closed lines without fill: the last point joins the first. Draw all with the same pen. */
export interface Rosette {
  rings: RosettePoint[][]
}

/**
 * A band of the figure: the same wave drawn several times, each time turned and flattened a little further. What people
 * remember is the number of lobes in the flower, so its strands never spread so evenly that they melt into a plain ring.
 * Strands lie alike on both sides of the middle one, which makes the figure calm.
 */
interface Band {
  radius: number
  /** How far the wave swings to either side of the radius. */
  swing: number
  lobes: number
  strands: number
  /** Over how much of one lobe the strands spread, 0 to 1. */
  spread: number
  /** How much flatter the outermost strands are than the middle one, 0 to 1. */
  fading: number
  /** Share of a wave twice as fast in the swing, -1 to 1: above 0 pointed lobes, below 0 blunt ones. */
  ripple: number
  /** Where the middle strand starts, in turns of one lobe. */
  turn: number
}

const CENTRE = 50

/** Points per ring: enough that no corner shows at the size each detail is for. */
const POINTS = { small: 120, large: 300 }

/** Pen width, in units of the box, with which each detail looks as it should. */
export const ROSETTE_PEN = { small: 2.4, large: 0.42 } as const

/**
 * The guilloche figure of a text, in practice of a printed Proof ID: the same text gives the same figure, another text
 * another one. It draws on 19 bytes of SHA-256 and helps people to recognise a proof; it proves nothing.
 * @param seedText Used as it is: pass the canonical form of `readProofId`.
 */
export function drawRosette(seedText: string, detail: RosetteDetail): Rosette {
  const digest = hashSha256(new TextEncoder().encode(seedText))
  const bands = detail === 'large' ? chooseLargeBands(digest) : chooseSmallBands(digest)
  return { rings: bands.flatMap((band) => drawBand(band, POINTS[detail])) }
}

/** SVG path data of one closed ring, e.g. `M50 2L52.1 2.5Z`. */
export function toSvgPath(points: readonly RosettePoint[]): string {
  return `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}Z`
}

/** A rim, a flower and a heart; every number of them comes from bytes of its own. */
function chooseLargeBands(digest: Uint8Array): Band[] {
  const pick = pickFrom(digest)
  return [
    {
      radius: 42,
      swing: pick(0, 2.5, 6),
      lobes: 2 * chooseLobes(digest, 'outer'),
      strands: 4 + (digest[1]! % 4),
      spread: 1,
      fading: 0,
      ripple: pick(2, -0.3, 0.3),
      turn: pick(5, 0, 1),
    },
    {
      radius: pick(6, 24, 26.5),
      swing: pick(7, 6, 10),
      lobes: chooseLobes(digest, 'inner'),
      strands: 8 + (digest[8]! % 6),
      spread: pick(3, 0.3, 0.85),
      fading: pick(4, 0, 0.8),
      ripple: pick(9, -0.25, 0.25),
      turn: pick(12, 0, 1),
    },
    {
      radius: pick(13, 8, 9.5),
      swing: pick(14, 2.5, 6.5),
      lobes: 3 + (digest[15]! % 6),
      strands: 3 + (digest[16]! % 4),
      spread: 1,
      fading: 0,
      ripple: pick(17, -0.3, 0.3),
      turn: pick(19, 0, 1),
    },
  ]
}

/** Rim and flower with the lobes of the large figure, so that the two look alike, and nothing that would blur. */
function chooseSmallBands(digest: Uint8Array): Band[] {
  const pick = pickFrom(digest)
  return [
    {
      radius: 41,
      swing: pick(0, 3.5, 6.5),
      lobes: chooseLobes(digest, 'outer'),
      strands: 2,
      spread: digest[1]! % 2 === 0 ? 1 : 0.6,
      fading: 0,
      ripple: pick(2, -0.2, 0.2),
      turn: pick(5, 0, 1),
    },
    {
      radius: pick(6, 19, 21),
      swing: pick(7, 6, 10),
      lobes: chooseLobes(digest, 'inner'),
      strands: 1 + (digest[8]! % 2),
      spread: 1,
      fading: 0,
      ripple: pick(9, -0.2, 0.2),
      turn: pick(12, 0, 1),
    },
  ]
}

function chooseLobes(digest: Uint8Array, band: 'outer' | 'inner'): number {
  return band === 'outer' ? 5 + (digest[20]! % 8) : 3 + (digest[21]! % 6)
}

/** A number between two bounds, from one byte of the digest. */
function pickFrom(digest: Uint8Array): (byte: number, from: number, to: number) => number {
  return (byte, from, to) => from + ((to - from) * digest[byte]!) / 255
}

function drawBand(band: Band, points: number): RosettePoint[][] {
  return Array.from({ length: band.strands }, (_, strand) => {
    const shift = (strand + 0.5) / band.strands - 0.5
    return drawStrand(band, shift, points)
  })
}

/** Rounded to a hundredth, so that engines whose cosines differ in the last bit draw the same. */
function drawStrand(band: Band, shift: number, points: number): RosettePoint[] {
  const start = 2 * Math.PI * (band.spread * shift + band.turn)
  const swing = band.swing * (1 - band.fading * 2 * Math.abs(shift))
  return takeRound(points).map(({ angle, sine, cosine }) => {
    const wave = band.lobes * angle + start
    const once = Math.cos(wave)
    // The cosine of twice the wave is 2 once² - 1.
    const shape = (1 - Math.abs(band.ripple)) * once + band.ripple * (2 * once * once - 1)
    const radius = band.radius + swing * shape
    return { x: roundCoordinate(radius * sine), y: roundCoordinate(-radius * cosine) }
  })
}

interface Direction {
  /** In radians, clockwise from above. */
  angle: number
  sine: number
  cosine: number
}

/** The same for every strand, and worth half of what drawing one takes. */
const rounds = new Map<number, Direction[]>()

/** As many directions, once round. */
function takeRound(points: number): Direction[] {
  const known = rounds.get(points)
  if (known) return known
  const round = Array.from({ length: points }, (_, i) => {
    const angle = (2 * Math.PI * i) / points
    return { angle, sine: Math.sin(angle), cosine: Math.cos(angle) }
  })
  rounds.set(points, round)
  return round
}

function roundCoordinate(offset: number): number {
  return Math.round((CENTRE + offset) * 100) / 100
}
