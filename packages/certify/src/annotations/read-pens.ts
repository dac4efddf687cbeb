import { PdfArray, PdfDict, PdfNumber } from '@libpdf/core'
import { formatPoints } from '../pdf/format-points.ts'
import { type PdfObject, readNumber, readNumbers } from '../pdf/object-store.ts'
import type { Resolve } from '../pdf/resolve-in.ts'

/** Left, bottom, right, top. */
export function readRect(annotation: PdfDict, resolve: Resolve): number[] | undefined {
  const numbers = readNumbers(annotation.get('Rect'), resolve)
  if (numbers?.length !== 4) return undefined
  const [x1, y1, x2, y2] = numbers as [number, number, number, number]
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}

/** @returns an operator that sets it; undefined where no colour is named. */
export function readColour(
  annotation: PdfDict,
  key: string,
  operators: readonly [string, string, string],
  resolve: Resolve,
): string | undefined {
  const parts = readNumbers(annotation.get(key), resolve) ?? []
  const operator = { 1: operators[0], 3: operators[1], 4: operators[2] }[parts.length]
  return operator === undefined ? undefined : `${joinPoints(parts)} ${operator}`
}

/** @returns points, undefined where nothing is said about a line; one wider than half the mark is a mistake, and taken as 1. */
export function readWidth(
  annotation: PdfDict,
  [left, bottom, right, top]: number[],
  resolve: Resolve,
): number | undefined {
  const style = resolve(annotation.get('BS'))
  const border = readNumbersOf(resolve(annotation.get('Border')), resolve)
  if (style === undefined && border === undefined) return undefined
  const given =
    style instanceof PdfDict
      ? (readNumber(style.get('W'), resolve) ?? 1)
      : border?.length === 0
        ? 0
        : (border?.[2] ?? 1)
  const most = Math.min(right! - left!, top! - bottom!) / 2
  return given > most && most > 0 ? 1 : Math.max(0, given)
}

/** What is no number counts as 0: the pattern of dashes stands in the same array. */
function readNumbersOf(object: PdfObject | null | undefined, resolve: Resolve): number[] | undefined {
  if (!(object instanceof PdfArray)) return undefined
  return [...object].map((item) => {
    const number = resolve(item)
    return number instanceof PdfNumber ? number.value : 0
  })
}

export const joinPoints = (numbers: readonly number[]): string =>
  numbers.map((number) => formatPoints(number)).join(' ')
