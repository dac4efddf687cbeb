/** Where the entries of an image among operators end, and its data begin. */
export const BEGIN_OF_DATA = /[\s\0>\])]ID[\s\0]/
/** Among the entries of an image; blanks and comments may stand within. */
const IS_STENCIL = /\/(?:IM|ImageMask)(?:[\s\0]|%[^\r\n]*[\r\n])+true(?![^\s\0%/>])/
/** Bytes of the entries of an image among operators. */
const MOST_ENTRIES = 4096

/** The entries of an image among operators, up to its data, and where these begin. */
export function readInlineEntries(content: Uint8Array, begin: number, end: number): { entries: string; data: number } {
  const whole = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const text = whole.toString('latin1', begin, Math.min(end, begin + MOST_ENTRIES))
  const found = BEGIN_OF_DATA.exec(text)
  if (found === null) return { entries: text, data: end }
  return { entries: text.slice(0, found.index + 1), data: begin + found.index + found[0].length }
}

export const isStencil = (entries: string): boolean => IS_STENCIL.test(entries)

/** @param begin Where `BI` stands. @param end Behind `EI`. */
export const isInlineStencil = (content: Uint8Array, begin: number, end: number): boolean =>
  isStencil(readInlineEntries(content, begin, end).entries)
