/** Addresses around a code are short; longer text is refused unread. */
const MAX_TEXT_LENGTH = 8000

/** What every code begins with: tag 18 and a list of four. */
const BEGINNING = '2KC'

/**
 * The code in what a camera read or a person typed: all of it, or what follows the last `#`; with blanks, line breaks or
 * small letters, as when it was copied by hand.
 * @returns undefined for what begins like none.
 */
export function findPaperCode(text: string): string | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined
  const code = text
    .slice(text.lastIndexOf('#') + 1)
    .replace(/\s/g, '')
    .toUpperCase()
  return /^[A-Z2-7]+$/.test(code) && code.startsWith(BEGINNING) ? code : undefined
}
