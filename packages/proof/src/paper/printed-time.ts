const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/**
 * A time as certificates print it, `21 November 2026, 00:54 UTC`: no reader can take the day for the month or guess another
 * zone.
 * @param milliseconds since 1970 UTC
 */
export function formatPrintedTime(milliseconds: number): string {
  const time = new Date(milliseconds)
  const clock = time.toISOString().slice(11, 16)
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${clock} UTC`
}
