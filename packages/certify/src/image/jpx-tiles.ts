const [START_OF_TILE, START_OF_DATA, END] = [0xff90, 0xff93, 0xffd9]
/** Of marks that have no length. */
const MARK_BYTES = 2
const TILE_HEAD_BYTES = 12

/**
 * Whether a JPEG 2000 image has a part for each of its tiles, and each part ends where the next one begins (ITU-T T.800 annex A). Where
 * one is cut off some readers show nothing, others white.
 * @param at Where its data begin, with the mark of its size behind them.
 */
export function hasAllTiles(data: Buffer, at: number): boolean {
  const count = countTiles(data, at + 2 * MARK_BYTES)
  const found = new Set<number>()
  let place = at + MARK_BYTES
  while (place + 4 <= data.length && data.readUInt16BE(place) !== START_OF_TILE)
    place += MARK_BYTES + data.readUInt16BE(place + MARK_BYTES)
  while (place + TILE_HEAD_BYTES <= data.length && data.readUInt16BE(place) === START_OF_TILE) {
    found.add(data.readUInt16BE(place + 4))
    const length = data.readUInt32BE(place + 6)
    // the last one may leave its length to the end of all
    if (length === 0) return found.size === count
    if (length < TILE_HEAD_BYTES + MARK_BYTES || !holdsData(data, place, place + length)) return false
    place += length
  }
  return found.size === count && place + MARK_BYTES <= data.length && data.readUInt16BE(place) === END
}

/** @param size Where the length of the mark of the size stands. */
function countTiles(data: Buffer, size: number): number {
  const read = (i: number): number => data.readUInt32BE(size + 4 + 4 * i)
  const [right, lower, , , across, down, left, upper] = Array.from({ length: 8 }, (_, i) => read(i))
  return Math.ceil((right! - left!) / across!) * Math.ceil((lower! - upper!) / down!)
}

/** Behind its head a part has its data. */
function holdsData(data: Buffer, from: number, to: number): boolean {
  let at = from + TILE_HEAD_BYTES
  while (at + 4 <= to && at + 4 <= data.length && data.readUInt16BE(at) !== START_OF_DATA)
    at += MARK_BYTES + data.readUInt16BE(at + MARK_BYTES)
  return at + MARK_BYTES <= to && to <= data.length
}
