/**
 * An answer with the time it came, in milliseconds since 1970-01-01 UTC by this device's clock. It goes with the answer: one
 * that stays on screen while the next is on its way was not said when that one is.
 */
export type SaidAt<Answer> = Answer & { saidAt: number }

export function markSaidNow<Answer extends object>(answer: Answer): SaidAt<Answer> {
  return { ...answer, saidAt: Date.now() }
}
