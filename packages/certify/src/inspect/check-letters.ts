import { Disagreement } from '../errors.ts'

const [FIRST_DIGIT, LAST_DIGIT, FOUR_ZEROS, END, END_MARK] = [33, 117, 122, 126, 62]
const GROUP = 5
/** White space that all readers pass over. */
const BLANKS = new Set([9, 10, 12, 13, 32])
const NO_DIGIT = /[^\da-f\t\n\f\r ]/i

/** At any other letter some readers end, some pass over it. @throws Refusal `unreadable`. */
export function checkHexDigits(data: Uint8Array): void {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')
  const found = NO_DIGIT.exec(text)
  if (found !== null && found[0] !== '>') throw new Disagreement('hexadecimal digits with something else between them')
}

/**
 * At a letter that is none of the 85, or one for a whole group within a group, readers begin a group anew, pass over it, or end (ISO
 * 32000-2 section 7.4.3).
 * @throws Refusal `unreadable`.
 */
export function checkAscii85(data: Uint8Array): void {
  let digits = 0
  for (const [at, code] of data.entries()) {
    if (code >= FIRST_DIGIT && code <= LAST_DIGIT) digits = (digits + 1) % GROUP
    else if (code === END) {
      checkBehind(data.subarray(at + 1))
      return
    } else if (!BLANKS.has(code) && (code !== FOUR_ZEROS || digits > 0))
      throw new Disagreement('data in 85 letters with something else between them')
  }
}

function checkBehind(data: Uint8Array): void {
  const next = data.find((code) => !BLANKS.has(code))
  if (next !== undefined && next !== END_MARK && data.length > 1)
    throw new Disagreement('data in 85 letters that go on behind their end')
}
