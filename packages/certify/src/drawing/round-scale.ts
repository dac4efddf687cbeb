/** To twice as large. */
const STEPS = 4
/** Within these anything is as thin, or as thick, as beyond them. */
const [LEAST, MOST] = [2 ** -20, 2 ** 12]

/** Rounded down, so that a form or a letter is looked at but a few times, however often it is drawn. What is scaled to nothing stays so. */
export function roundScale(scale: number): number {
  if (scale === 0) return 0
  const exponent = Math.floor(STEPS * Math.log2(Math.min(MOST, Math.max(LEAST, scale))))
  return 2 ** (exponent / STEPS)
}
