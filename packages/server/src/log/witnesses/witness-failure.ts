/**
 * Why a witness did not sign.
 * - `unreachable`, `slow`: nothing answers there, or not in time
 * - `too_long`, `malformed`: an answer of another form than agreed
 * - `refused`: by the HTTP status in `detail`; 422, or 409 once more, says that our head does not continue the one it knows
 * - `ahead`: it says that it has signed a larger tree, of the size in `detail`
 * - `wrong_signature`, `wrong_time`: what it signed cannot be used
 */
export type WitnessFailureCode =
  | 'unreachable'
  | 'slow'
  | 'too_long'
  | 'malformed'
  | 'refused'
  | 'ahead'
  | 'wrong_signature'
  | 'wrong_time'

/** A witness did not sign; nothing else is harmed by it. */
export class WitnessFailure extends Error {
  override readonly name = 'WitnessFailure'
  readonly code: WitnessFailureCode
  /** HTTP status, or size. */
  readonly detail: number | undefined

  constructor(code: WitnessFailureCode, { detail, cause }: { detail?: number; cause?: unknown } = {}) {
    super(`a witness did not sign: ${code}`, { cause })
    this.code = code
    this.detail = detail
  }
}
