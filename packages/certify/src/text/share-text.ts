/** A reader's maps are made for a ligature's few characters; more are spread over blanks. */
const MAX_SHARE = 24
/** What cannot stand alone: readers give such a glyph no width or leave it out. */
const LEANS = /^[\p{Mn}\p{Me}\p{Cf}]$/u

export interface Share<Member> {
  /** Undefined for a blank that only carries characters. */
  member: Member | undefined
  text: string
}

/**
 * Says which glyph of a group carries which of its characters, from left to right, so that readers get back what was
 * typed although they know nothing of how it was shaped: pdftotext and PDF.js go from glyph to glyph and turn stretches
 * that run from right to left around. Only glyphs that take room carry text, each at least one letter; marks and what is
 * over carry none and are drawn as outlines.
 */
export function shareText<Member extends { advance: number }>(
  text: string,
  members: readonly Member[],
  isRightToLeft: boolean,
): Share<Member>[] {
  const logical = isRightToLeft ? members.toReversed() : members
  const units = splitUnits(text)
  const wide = logical.filter((member) => member.advance > 0)
  const carriers = (wide.length > 0 ? wide : logical).slice(0, units.length)
  const last = carriers.at(-1)
  let next = 0
  const shares: Share<Member>[] = []
  for (const member of logical) {
    const isCarrier = carriers.includes(member)
    const own = !isCarrier ? [] : member === last ? units.slice(next) : units.slice(next, next + 1)
    next += own.length
    const pieces = cutPieces(own.join(''))
    shares.push(
      { member, text: pieces[0] ?? '' },
      ...pieces.slice(1).map((piece) => ({ member: undefined, text: piece })),
    )
  }
  if (!isRightToLeft) return shares
  return shares.toReversed().map((share) => ({ ...share, text: [...share.text].toReversed().join('') }))
}

/** A letter with everything that leans on it. */
function splitUnits(text: string): string[] {
  const units: string[] = []
  for (const character of text) {
    if (units.length > 0 && LEANS.test(character)) units[units.length - 1] += character
    else units.push(character)
  }
  return units
}

function cutPieces(text: string): string[] {
  if (text.length <= MAX_SHARE) return text === '' ? [] : [text]
  const characters = [...text]
  const pieces: string[] = []
  for (let i = 0; i < characters.length; i += MAX_SHARE) pieces.push(characters.slice(i, i + MAX_SHARE).join(''))
  return pieces
}
