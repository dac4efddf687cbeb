/**
 * @param width Samples of a row, each of which begins with a byte.
 * @param bits Of a sample: 1, 2, 4 or 8.
 */
export function highestSample(data: Uint8Array, width: number, bits: number): number {
  const rowBytes = Math.ceil((width * bits) / 8)
  const most = 2 ** bits - 1
  let highest = 0
  for (let row = 0; row + rowBytes <= data.length; row += rowBytes)
    for (let at = 0; at < width; at++) {
      const bit = at * bits
      highest = Math.max(highest, (data[row + (bit >> 3)]! >> (8 - bits - (bit & 7))) & most)
    }
  return highest
}
