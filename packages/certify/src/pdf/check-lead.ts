/** What places lead to: the head of an object, by its number, or a table of objects. */
const TARGET = /(?<!\d)(\d{1,10})\s+\d{1,5}\s+obj\b|(?<!start)xref\b/g
/** Readers step over blanks before what they look for. */
const MOST_BLANKS = 1000

/**
 * Most readers count all places in a file from its header, others from its first byte; whoever finds no table of objects that
 * way searches for the objects. That comes to the same unless there are two tables to be found, or one object twice.
 * @param file From its first byte on.
 * @param lead How many bytes stand before the header.
 * @param isSearched Counted from the header no table was found.
 * @returns why readers would not agree, undefined when they do.
 */
export function findLeadFault(file: Buffer, lead: number, isSearched: boolean): string | undefined {
  if (lead === 0) return undefined
  const text = file.toString('latin1')
  if (isSearched)
    return hasTwice(text, Infinity) ? 'places not counted from the header, and an object twice' : undefined
  const byStart = findTable(text, 0)
  if (byStart === undefined) return undefined
  const isOther = byStart !== findTable(text, lead) || hasTwice(text, lead + MOST_BLANKS)
  return isOther ? 'other objects, by where places are counted from' : undefined
}

/** Where the table or stream of entries stands that the end of the file names; places are counted from `from`. */
function findTable(text: string, from: number): number | undefined {
  const end = text.lastIndexOf('startxref')
  const named = end < 0 ? undefined : /^startxref\s+(\d{1,10})/.exec(text.slice(end, end + 40))?.[1]
  if (named === undefined) return undefined
  let place = from + Number(named)
  for (let blanks = 0; blanks < MOST_BLANKS && /[\s\0]/.test(text[place] ?? 'x'); blanks++) place++
  return /^(?:xref|\d{1,10}\s+\d{1,5}\s+obj)/.test(text.slice(place, place + 40)) ? place : undefined
}

/** Whether an object, or a table, is there twice with no more than so many bytes from one to the other. */
function hasTwice(text: string, mostBytes: number): boolean {
  const places = new Map<string, number>()
  for (const { 1: number = '', index } of text.matchAll(TARGET)) {
    const name = number.replace(/^0+/, '')
    const before = places.get(name)
    if (before !== undefined && index - before <= mostBytes) return true
    places.set(name, index)
  }
  return false
}
