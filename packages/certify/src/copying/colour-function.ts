/** A function of colours (ISO 32000-2 section 7.10), as all readers calculate it. */
export interface ColourFunction {
  evaluate: (inputs: readonly number[]) => readonly number[]
  /** Where it may jump or bend, by its only input. */
  turns: readonly number[]
}
