import { PdfArray, PdfDict, PdfName } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { hasPlausiblePrimaries } from '../image/plausible-primaries.ts'
import { nameOf, type PdfObject, readNumber, readNumbers } from '../pdf/object-store.ts'
import { replaceItems } from './replace-items.ts'

const PLAIN_SPACES: Record<string, [plain: string, components: number]> = {
  CalGray: ['DeviceGray', 1],
  CalRGB: ['DeviceRGB', 3],
}
/** Of screens and scanners; readers that pass over it show about the same. */
const LEAST_GAMMA = 0.9
const MOST_GAMMA = 3
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Replaces calibrated spaces that mean something else than grey, red, green and blue by plain ones: some readers calculate with their
 * figures, some do so for lines and not for images (ISO 32000-2 section 8.6.5).
 * @throws Refusal `unreadable` where a space of Lab has no range.
 */
export function settleCalibrated(spaces: readonly PdfArray[], resolve: Resolve): void {
  for (const space of spaces) {
    const name = resolve(space.at(0))
    const entries = resolve(space.at(1))
    if (!(name instanceof PdfName)) continue
    const plain = PLAIN_SPACES[name.value]
    const white = entries instanceof PdfDict ? readWhite(entries, resolve) : undefined
    if (plain === undefined) {
      if (white === undefined || !hasRanges(entries as PdfDict, resolve))
        throw new Disagreement('colours of Lab without white or range')
    } else if (white === undefined || !isPlain(entries as PdfDict, white, plain[1], resolve))
      replaceItems(space, [nameOf(plain[0])])
  }
}

/** The light of day or of a lamp. */
function readWhite(entries: PdfDict, resolve: Resolve): [number, number, number] | undefined {
  const [x = 0, y = 0, z = 0] = readNumbers(entries.get('WhitePoint'), resolve) ?? []
  return x > 0.7 && x < 1.3 && y === 1 && z > 0.3 && z < 1.6 ? [x, y, z] : undefined
}

function isPlain(entries: PdfDict, white: [number, number, number], components: number, resolve: Resolve): boolean {
  const gammas = components === 1 ? readGrey(entries, resolve) : readList(entries, 'Gamma', [1, 1, 1], resolve)
  const black = readList(entries, 'BlackPoint', [0, 0, 0], resolve)
  if (gammas?.length !== components || black?.some((value) => value < 0 || value > 0.1) !== false) return false
  if (!gammas.every((gamma) => gamma >= LEAST_GAMMA && gamma <= MOST_GAMMA)) return false
  if (components === 1) return true
  const matrix = readList(entries, 'Matrix', IDENTITY, resolve)
  return matrix?.length === 9 && hasPlausiblePrimaries(matrix, white)
}

function readGrey(entries: PdfDict, resolve: Resolve): number[] {
  return [entries.has('Gamma') ? (readNumber(entries.get('Gamma'), resolve) ?? Number.NaN) : 1]
}

function readList(entries: PdfDict, key: string, usual: number[], resolve: Resolve): number[] | undefined {
  return entries.has(key) ? readNumbers(entries.get(key), resolve) : usual
}

/** Of the two axes of colours; none is from -100 to 100. */
function hasRanges(entries: PdfDict, resolve: Resolve): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = readList(entries, 'Range', [-100, 100, -100, 100], resolve) ?? []
  return a < 0 && b > 0 && c < 0 && d > 0
}
