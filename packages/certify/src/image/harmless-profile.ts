import { hasPlausiblePrimaries } from './plausible-primaries.ts'

const PRIMARIES = ['rXYZ', 'gXYZ', 'bXYZ']
const CURVES: Record<number, string[]> = { 1: ['kTRC'], 3: ['rTRC', 'gTRC', 'bTRC'] }
/** Lookup tables, which readers prefer to curves. */
const TABLES = /^[ABD]2[ABD][0-3]$/
/** How far a curve may lie outside those of powers from 1 to 3. */
const SLACK = 0.06
const STEPS = 256

/**
 * Tells whether a profile does no more than say which grey, red, green and blue are meant. The reviewer's reader shows colours without
 * their profile, others with it: one with other curves shows white where the reviewer saw black. Profiles with tables can do so
 * too, and to tell would mean to evaluate them: they count as harmful. The elements must lie within the bytes, as `readProfile` sees to.
 */
export function isHarmless(profile: Uint8Array, components: number): boolean {
  const curves = CURVES[components]
  const elements = findElements(profile)
  // curves of a profile that leads to Lab say lightness instead of light
  if (curves === undefined || elements === undefined || latin(profile, 20) !== 'XYZ ') return false
  const hasPlainCurves = curves.every((tag) => isPlainCurve(elements.get(tag)))
  if (components === 1) return hasPlainCurves
  const primaries = readPrimaries(elements)
  return hasPlainCurves && primaries !== undefined && hasPlausiblePrimaries(primaries)
}

/** Undefined when a table is among them, or a name is there twice. */
function findElements(profile: Uint8Array): Map<string, DataView> | undefined {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength)
  const elements = new Map<string, DataView>()
  for (let i = 0; i < view.getUint32(128); i++) {
    const at = 132 + 12 * i
    const tag = latin(profile, at)
    if (TABLES.test(tag) || elements.has(tag)) return undefined
    elements.set(tag, new DataView(profile.buffer, profile.byteOffset + view.getUint32(at + 4), view.getUint32(at + 8)))
  }
  return elements
}

function readPrimaries(elements: Map<string, DataView>): number[] | undefined {
  const read = PRIMARIES.map((tag) => elements.get(tag))
  const isWhole = read.every((element) => element && element.byteLength >= 20 && kindOf(element) === 'XYZ ')
  return isWhole ? read.flatMap((element) => [8, 12, 16].map((at) => readFixed(element!, at))) : undefined
}

function isPlainCurve(element: DataView | undefined): boolean {
  const values = element && readCurve(element)
  if (values === undefined) return false
  const last = values.length - 1
  return values.every((value, i) => {
    const x = i / last
    const isRising = i === 0 || value >= values[i - 1]! - 1e-6
    return isRising && value >= x ** 3 - SLACK && value <= x + SLACK
  })
}

/** Values at even distances from 0 to 1. Undefined for a curve that readers do not know. */
function readCurve(element: DataView): number[] | undefined {
  if (element.byteLength < 12) return undefined
  if (kindOf(element) === 'para') return readFormula(element)
  if (kindOf(element) !== 'curv') return undefined
  const count = element.getUint32(8)
  if (count === 0) return sample((x) => x)
  if (element.byteLength < 12 + 2 * count) return undefined
  if (count === 1) return sample((x) => x ** (element.getUint16(12) / 256))
  return Array.from({ length: count }, (_, i) => element.getUint16(12 + 2 * i) / 65_535)
}

/** ISO 15076-1 section 10.18. */
function readFormula(element: DataView): number[] | undefined {
  const kind = element.getUint16(8)
  const count = [1, 3, 4, 5, 7][kind]
  if (count === undefined || element.byteLength < 12 + 4 * count) return undefined
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from({ length: count }, (_, i) =>
    readFixed(element, 12 + 4 * i),
  )
  const power = (x: number): number => Math.max(0, a * x + b) ** g
  if (kind === 0) return sample((x) => x ** g)
  if (kind === 1) return sample((x) => (a * x + b >= 0 ? power(x) : 0))
  if (kind === 2) return sample((x) => (a * x + b >= 0 ? power(x) : 0) + c)
  return sample((x) => (x >= d ? power(x) + e : c * x + f))
}

const sample = (curve: (x: number) => number): number[] => Array.from({ length: STEPS + 1 }, (_, i) => curve(i / STEPS))
const readFixed = (element: DataView, at: number): number => element.getInt32(at) / 65_536
const kindOf = (element: DataView): string =>
  latin(new Uint8Array(element.buffer, element.byteOffset, element.byteLength), 0)
const latin = (bytes: Uint8Array, at: number): string => Buffer.from(bytes.subarray(at, at + 4)).toString('latin1')
