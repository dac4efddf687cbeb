/** A length in points for a content stream: at most three decimals, no exponent, no negative zero. */
export function formatPoints(value: number): string {
  const text = String(Math.round(value * 1000) / 1000)
  return text === '-0' || text.includes('e') ? '0' : text
}
