/** Codes of the expert encoding in runs: the first code, the number of its string, and how many follow each other (Adobe technical note 5176, appendix B). */
const RUNS: readonly (readonly [code: number, string: number, count: number])[] = [
  [32, 1, 1],
  [33, 229, 2],
  [36, 231, 8],
  [44, 13, 3],
  [47, 99, 1],
  [48, 239, 10],
  [58, 27, 2],
  [60, 249, 4],
  [65, 253, 5],
  [73, 258, 1],
  [76, 259, 4],
  [82, 263, 3],
  [86, 266, 1],
  [87, 109, 2],
  [89, 267, 3],
  [93, 270, 34],
  [161, 304, 3],
  [166, 307, 5],
  [172, 312, 1],
  [175, 313, 1],
  [178, 314, 2],
  [182, 316, 3],
  [188, 158, 1],
  [189, 155, 1],
  [190, 163, 1],
  [191, 319, 7],
  [200, 326, 1],
  [201, 150, 1],
  [202, 164, 1],
  [203, 169, 1],
  [204, 327, 52],
]

/** The number of a standard string by code. */
export const EXPERT_CODES: ReadonlyMap<number, number> = new Map(
  RUNS.flatMap(([code, string, count]) => Array.from({ length: count }, (_, i) => [code + i, string + i] as const)),
)
