import type { Typeface } from './typefaces.ts'

/** What a reader takes for one character. */
export interface Cluster {
  /** As it was typed. */
  text: string
  /** What is drawn for it: composed (NFC), replaced when no face has it. */
  shaped: string
  face: Typeface
  /** Embedding level of UAX #9: odd is right to left. */
  level: number
}

/** A stretch of one face and one direction, in logical order. */
export interface TextRun {
  face: Typeface
  /** Embedding level of UAX #9: odd is right to left. */
  level: number
  clusters: Cluster[]
}
