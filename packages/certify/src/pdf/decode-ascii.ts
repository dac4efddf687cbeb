/** What stands behind a filter that writes bytes as text; undefined for any other filter. */
export function decodeText(data: Uint8Array, label: string): Uint8Array | undefined {
  if (label === 'ASCIIHexDecode' || label === 'AHx') return decodeAsciiHex(data)
  if (label === 'ASCII85Decode' || label === 'A85') return decodeAscii85(data)
  return undefined
}

/** Hexadecimal digits to bytes; anything else between them is skipped (ISO 32000-2 section 7.4.2). */
function decodeAsciiHex(data: Uint8Array): Uint8Array {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')
  const end = text.indexOf('>')
  const digits = (end < 0 ? text : text.slice(0, end)).replaceAll(/[^0-9a-f]/gi, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

const FIRST_DIGIT = 33
const LAST_DIGIT = 117
const FOUR_ZEROS = 122
const END = 126

/** Groups of five base-85 digits to four bytes each; anything else between them is skipped (section 7.4.3). */
function decodeAscii85(data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length * 4)
  let length = 0
  let word = 0
  let digits = 0
  for (const code of data) {
    if (code === END) break
    if (code === FOUR_ZEROS && digits === 0) length += 4
    if (code < FIRST_DIGIT || code > LAST_DIGIT) continue
    word = word * 85 + code - FIRST_DIGIT
    digits += 1
    if (digits < 5) continue
    length = bytes.writeUInt32BE(word % 2 ** 32, length)
    word = 0
    digits = 0
  }
  if (digits > 1) {
    // a short group is filled up with the highest digit, and as many bytes are dropped
    for (let i = digits; i < 5; i++) word = word * 85 + LAST_DIGIT - FIRST_DIGIT
    bytes.writeUInt32BE(word % 2 ** 32, length)
    length += digits - 1
  }
  return bytes.subarray(0, length)
}
