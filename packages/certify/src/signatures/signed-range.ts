/** The bytes that a signature is about: all from the start of the file to `end`, without the gap that holds the signature. */
export interface SignedRange {
  gapStart: number
  gapEnd: number
  end: number
  /** What the gap writes: the container and its padding. */
  contents: Uint8Array<ArrayBuffer>
}

const BLANKS = ' \t\r\n\f\0'
/** How far a key may stand from its value, and what may follow the end-of-file mark. */
const MOST_BLANKS = 32
const KEY = '/Contents'
const END = '%%EOF'

/**
 * Takes a /ByteRange only in the one shape that leaves nothing unsigned but the signature: two ranges from the start to the end
 * of a revision, and between them exactly the hex string of /Contents.
 * @returns undefined for any other.
 * @see ISO 32000-2 section 12.8.1
 */
export function readSignedRange(numbers: readonly number[] | undefined, bytes: Uint8Array): SignedRange | undefined {
  if (numbers?.length !== 4 || !numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) return undefined
  const [start, gapStart, gapEnd, rest] = numbers as [number, number, number, number]
  const end = gapEnd + rest
  if (start !== 0 || gapEnd - gapStart < 2 || end > bytes.length) return undefined
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file[gapStart] !== 0x3c || file[gapEnd - 1] !== 0x3e) return undefined
  if (!endsWith(file, gapStart, KEY) || !endsWith(file, end, END)) return undefined
  // ends at what is no pair of hex digits
  const contents = Buffer.from(file.toString('latin1', gapStart + 1, gapEnd - 1), 'hex')
  if (contents.length * 2 !== gapEnd - gapStart - 2) return undefined
  return { gapStart, gapEnd, end, contents: new Uint8Array(contents) }
}

/** Whether the word stands right before that place, but for blanks. */
function endsWith(file: Buffer, place: number, word: string): boolean {
  const text = file.toString('latin1', Math.max(0, place - MOST_BLANKS - word.length), place)
  let length = text.length
  while (length > 0 && BLANKS.includes(text[length - 1]!)) length--
  return text.slice(0, length).endsWith(word)
}
