import type { PdfDict } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { type PdfObject, readNumber } from './object-store.ts'

/** What stood in each row before, or none (ISO 32000-2 table 10). */
const PREDICTORS = new Set([1, 2, 10, 11, 12, 13, 14, 15])
const DEPTHS = new Set([1, 2, 4, 8, 16])
/** Of rows of differences; others readers add up in their own ways. */
const DIFFERENCE_DEPTHS = new Set([1, 8])
const DIFFERENCES = 2
const MOST_COLOURS = 32
const MOST_COLUMNS = 1 << 24

/** How a predictor divides data into rows (ISO 32000-2 table 8). */
export interface PredictedRows {
  predictor: number
  colours: number
  bits: number
  columns: number
}

/**
 * One that is not known some readers pass over, others end at.
 * @throws Refusal `unreadable`.
 */
export function checkPredictor(
  parameters: PdfDict,
  resolve: (object: PdfObject | undefined) => PdfObject | undefined,
): PredictedRows {
  const read = (key: string, usual: number): number =>
    parameters.has(key) ? (readNumber(parameters.get(key), resolve) ?? Number.NaN) : usual
  const predictor = read('Predictor', 1)
  const [colours, columns, bits] = [read('Colors', 1), read('Columns', 1), read('BitsPerComponent', 8)]
  const isUsual = isCount(colours, MOST_COLOURS) && isCount(columns, MOST_COLUMNS) && DEPTHS.has(bits)
  const isKnown = predictor !== DIFFERENCES || DIFFERENCE_DEPTHS.has(bits)
  if (!PREDICTORS.has(predictor) || (predictor > 1 && !isUsual) || !isKnown)
    throw new Disagreement('a stream with rows that readers do not agree about')
  return { predictor, colours, bits, columns }
}

const isCount = (value: number, most: number): boolean => Number.isInteger(value) && value >= 1 && value <= most
