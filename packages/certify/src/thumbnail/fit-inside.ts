/**
 * The largest size of the same shape with no side longer than `side` pixels, and none shorter than one.
 * @throws when there is no such shape.
 */
export function fitInside(width: number, height: number, side: number): { width: number; height: number } {
  const scale = side / Math.max(width, height)
  if (!(width > 0 && height > 0 && Number.isFinite(scale))) throw new Error('the page has no size')
  const shrink = (length: number) => Math.min(side, Math.max(1, Math.round(length * scale)))
  return { width: shrink(width), height: shrink(height) }
}
