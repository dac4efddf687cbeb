/**
 * Breaks a text at its blanks into lines no wider than the limit, and a word that is wider than a line anywhere. Breaks in the text
 * stay.
 */
export function wrapWords(text: string, measure: (text: string) => number, limit: number): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((paragraph) => wrapParagraph(paragraph, measure, limit))
}

function wrapParagraph(paragraph: string, measure: (text: string) => number, limit: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const [i, word] of paragraph.split(' ').entries()) {
    const longer = i === 0 ? word : `${line} ${word}`
    if (measure(longer) <= limit) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = breakWord(word, measure, limit)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1)!
  }
  lines.push(line)
  return lines
}

/** At least a character on each line, however narrow it is. */
function breakWord(word: string, measure: (text: string) => number, limit: number): string[] {
  const pieces: string[] = []
  let piece = ''
  let width = 0
  for (const character of word) {
    const more = measure(character)
    if (piece !== '' && width + more > limit) {
      pieces.push(piece)
      piece = ''
      width = 0
    }
    piece += character
    width += more
  }
  return [...pieces, piece]
}
