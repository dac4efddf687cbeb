/** Far beyond any page. Of lines of a billion points only the reviewer's reader shows anything, or shows dashes elsewhere. */
const MOST = 1e6

/** Readers take the absolute of a negative width, nothing, or leave the one before. */
export const isLineWidth = (value: number): boolean => value >= 0 && value <= MOST

/** Of ends and of corners (ISO 32000-2 tables 53 and 54). */
export const isEndOrCorner = (value: number): boolean => value === 0 || value === 1 || value === 2

/**
 * Without length or with a negative one, readers draw the line whole, or not at all. An odd number of lengths is gone through twice until
 * it begins anew, which Poppler forgets before its beginning (ISO 32000-2 section 8.4.3.6).
 */
export function areDashes(lengths: readonly number[], phase: number): boolean {
  if (lengths.length === 0) return true
  const isBegun = Math.abs(phase) <= MOST && (phase >= 0 || lengths.length % 2 === 0)
  return isBegun && lengths.every((length) => length >= 0) && lengths.some((length) => length > 0)
}
