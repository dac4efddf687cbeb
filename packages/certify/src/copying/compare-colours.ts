import { PdfArray, PdfDict, PdfName } from '@libpdf/core'
import { type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { readFunction } from './evaluate-function.ts'

/** Of a colour so many numbers from 0 to 1 as tell how far from another it is on a screen. */
export type ToScreen = (components: readonly number[]) => readonly number[]

/** Of 1: as far apart two colours may be and still count as the same. */
export const LIKE = 0.12
const MOST_DEEP = 4

/** @returns undefined for palettes, patterns and what cannot be told. */
export function readToScreen(store: ObjectStore, space: PdfObject | undefined, level = 0): ToScreen | undefined {
  const resolve = (object: PdfObject | undefined): PdfObject | undefined => resolveObject(store, object)
  const own = resolve(space)
  const list = own instanceof PdfArray ? own : undefined
  const name = list === undefined ? own : resolve(list.at(0))
  if (!(name instanceof PdfName) || level > MOST_DEEP) return undefined
  switch (name.value) {
    case 'DeviceGray':
    case 'DeviceRGB':
    case 'CalGray':
    case 'CalRGB':
    case 'G':
    case 'RGB':
      return clampAll
    case 'DeviceCMYK':
    case 'CMYK':
      return mixInks
    case 'Lab':
      return ([light = 0, a = 0, b = 0]) => [light / 100, a / 200, b / 200]
    case 'ICCBased': {
      const profile = resolve(list?.at(1))
      const count = profile instanceof PdfDict ? readNumber(profile.get('N'), resolve) : undefined
      return count === 4 ? mixInks : clampAll
    }
    case 'Separation':
    case 'DeviceN': {
      const [made, stand] = [readFunction(store, list?.at(3)), readToScreen(store, list?.at(2), level + 1)]
      return made && stand && ((components) => stand(made.evaluate(components)))
    }
    default:
      return undefined
  }
}

const clampAll: ToScreen = (components) => components.map((value) => (value < 0 ? 0 : value > 1 ? 1 : value))

const mixInks: ToScreen = (components) => {
  const [cyan = 0, magenta = 0, yellow = 0, black = 0] = clampAll(components)
  return [cyan, magenta, yellow].map((ink) => (1 - ink) * (1 - black))
}

/** How far apart two colours are. */
export function measureDistance(one: readonly number[], other: readonly number[]): number {
  let most = 0
  for (const [i, value] of one.entries()) most = Math.max(most, Math.abs(value - (other[i] ?? 0)))
  return most
}

/** From one colour to another in a straight line. */
export const between = (one: readonly number[], other: readonly number[], share: number): number[] =>
  one.map((value, i) => value + share * ((other[i] ?? value) - value))
