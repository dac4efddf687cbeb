export interface WordDifference {
  /** Words of the first page that the second has not, or less often. */
  lost: string[]
  added: string[]
}

/** Soft hyphens, marks of direction, joiners of no width: nothing of them is seen. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** As words are compared: compatible forms (ligatures, full width) are one, and what is not seen counts for nothing. */
export function splitWords(text: string): string[] {
  return text
    .normalize('NFKC')
    .replaceAll(UNSEEN, '')
    .split(/[\s\p{Cc}]+/u)
    .filter((word) => word !== '')
}

/** All letters in a row, for judges that divide words in other places. */
export const joinLetters = (text: string): string => splitWords(text).join('')

/** Compares pages whatever the order of their words: what was an annotation is drawn last. */
export function compareWords(first: readonly string[], second: readonly string[]): WordDifference {
  const rest = new Map<string, number>()
  for (const word of second) rest.set(word, (rest.get(word) ?? 0) + 1)
  const lost: string[] = []
  for (const word of first) {
    const left = rest.get(word) ?? 0
    if (left === 0) lost.push(word)
    else rest.set(word, left - 1)
  }
  const added = [...rest].flatMap(([word, left]) => Array.from({ length: left }, () => word))
  // the same letters, divided into words in another place
  return sortLetters(lost) === sortLetters(added) ? { lost: [], added: [] } : { lost, added }
}

/** How often the word stands in the letters of a page. */
export function countWord(letters: string, word: string): number {
  return letters.split(word).length - 1
}

const sortLetters = (words: readonly string[]): string => [...words.join('')].sort().join('')
