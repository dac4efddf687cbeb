/** A number of at most 32 bits, the highest first. @param at In bits. What is behind the data is 0. */
export function readBits(data: Uint8Array, at: number, bits: number): number {
  let [value, place] = [0, at]
  for (let left = bits; left > 0;) {
    const within = place % 8
    const taken = Math.min(left, 8 - within)
    const byte = data[Math.floor(place / 8)] ?? 0
    value = value * 2 ** taken + ((byte >> (8 - within - taken)) & (2 ** taken - 1))
    place += taken
    left -= taken
  }
  return value
}
