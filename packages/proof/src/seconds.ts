/** The last second since 1970 UTC that a date can tell; later ones could not be shown to anybody. ECMA-262, “Time Values and Time Range”. */
export const MAX_SECONDS = 8_640_000_000_000

/** Whether it is a time in seconds since 1970 UTC that a date can tell. */
export function isSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_SECONDS
}
