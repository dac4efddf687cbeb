import type { PdfDict, PdfRef } from '@libpdf/core'

/** A line of text, of whatever size. */
export interface FieldLine {
  /** Thousandths of the size. */
  width: number
  isRightToLeft: boolean
  /** Operators that draw it with its left end at x and its baseline at y. */
  draw(x: number, y: number, size: number): string
}

/** How the text of a field is set. */
export interface FieldFont {
  /** Fonts by their names in the resources. */
  fonts: PdfDict | PdfRef
  /** Points; 0 means that it is chosen to fit. */
  size: number
  set(text: string): FieldLine
  /** Lines no wider than `limit`, in thousandths of the size; what has no blank is broken within. */
  wrap(text: string, limit: number): FieldLine[]
  /** What stands in one cell each, from left to right. */
  divide(text: string): FieldLine[]
}

/** What /DA says beside the font. */
export interface FieldPen {
  /** Points; 0 means that it is chosen to fit. */
  size: number
  /** An operator. */
  colour: string
}
