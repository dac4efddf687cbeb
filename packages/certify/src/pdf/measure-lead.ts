const HEADER = Buffer.from('%PDF-')
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
/** All readers look so far for the header, and some for its end (older PDF specifications, appendix H). */
const MOST_LEAD_BYTES = 1000
/**
 * White space, without the null that PDF counts among it: readers of text skip these and come to the header, while bytes of
 * value 0 are the length of a first box or chunk in formats that begin with one.
 */
const BLANKS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x20])

/**
 * How many bytes stand before the header of a PDF: the byte-order mark and the blank lines that programs for text put there.
 * Neither can begin another type of file.
 * @returns undefined where anything else stands before it, or where there is none.
 */
export function measureLead(bytes: Uint8Array): number | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MOST_LEAD_BYTES + HEADER.length))
  let lead = start.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
  while (lead < MOST_LEAD_BYTES && BLANKS.has(start[lead]!)) lead++
  return start.subarray(lead, lead + HEADER.length).equals(HEADER) ? lead : undefined
}
