/** Where each primary must lie, adapted to D50: from sRGB to ProPhoto. Others would show one colour as another. */
const PRIMARIES: ((x: number, y: number, z: number) => boolean)[] = [
  (x, y, z) => x > y && y > 0.15 && y < 0.4 && x < 0.9 && Math.abs(z) < 0.15,
  (x, y, z) => y > x && y > 0.5 && y < 0.8 && x > 0.05 && Math.abs(z) < 0.25,
  (x, y, z) => z > 0.5 && z < 0.95 && y > -0.05 && y < 0.2 && x > -0.05 && x < 0.3,
]
const D50 = [0.9642, 1, 0.8249] as const

/**
 * Tells whether three colours may be called red, green and blue, and together make white.
 * @param figures X, Y and Z of each, in this order.
 * @param white X, Y and Z of the white that they belong to.
 */
export function hasPlausiblePrimaries(
  figures: readonly number[],
  white: readonly [number, number, number] = D50,
): boolean {
  const sum = [0, 0, 0]
  for (const [i, isPlausible] of PRIMARIES.entries()) {
    const [x, y, z] = [0, 1, 2].map((j) => (figures[3 * i + j]! * D50[j]!) / white[j]!) as [number, number, number]
    if (!isPlausible(x, y, z)) return false
    for (const [j, value] of [x, y, z].entries()) sum[j]! += value
  }
  return sum.every((value, j) => Math.abs(value - D50[j]!) < 0.05)
}
