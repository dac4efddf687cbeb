/** Isolates of the Unicode Bidirectional Algorithm, UAX #9 section 2.4: LRI, RLI, FSI begin one, PDI ends it. */
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'
const ISOLATE_MARKS = /[\u2066-\u2069]/g

/** Letters and digits that run from right to left, and marks that change the direction of what follows. */
const TURNS_DIRECTION =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Text of somebody else inside a plain sentence of ours: neither turns the order of the other. Text that could not is
 * left as it is, since old programs show the marks as boxes.
 */
export function isolate(text: string): string {
  return TURNS_DIRECTION.test(text) ? `${FIRST_STRONG_ISOLATE}${closeIsolates(text)}${POP_ISOLATE}` : text
}

/**
 * The same text with the isolates it begins ended, and without ends that it did not begin: one too many would end the
 * isolate around it.
 */
export function closeIsolates(text: string): string {
  let open = 0
  const balanced = text.replace(ISOLATE_MARKS, (mark) => {
    if (mark !== POP_ISOLATE) {
      open += 1
      return mark
    }
    if (open === 0) return ''
    open -= 1
    return mark
  })
  return balanced + POP_ISOLATE.repeat(open)
}
