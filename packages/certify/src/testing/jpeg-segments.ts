export const word = (value: number): number[] => [value >> 8, value & 0xff]

/** A segment of a JPEG with its marker and length (ITU-T T.81 annex B). */
export const segment = (marker: number, body: readonly number[]): number[] => [
  0xff,
  marker,
  ...word(body.length + 2),
  ...body,
]

/** Steps of 8, which make a block's mean its coefficient. */
export const STEPS = segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)])

/** Twelve codes of four bits for differences; one of one bit for the end of a block. */
export const CODES = [
  ...segment(0xc4, [
    0,
    0,
    0,
    0,
    12,
    ...Array.from({ length: 12 }, () => 0),
    ...Array.from({ length: 12 }, (_, i) => i),
  ]),
  ...segment(0xc4, [0x10, 1, ...Array.from({ length: 15 }, () => 0), 0]),
]
