const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/**
 * A time as certificates print it, `21 November 2026, 00:54 UTC`: no reader can take the day for the month or guess another
 * zone.
 * @param milliseconds since 1970 UTC
 */
export function formatPrintedTime(milliseconds: number): string {
  const time = new Date(milliseconds)
  // Before the clock stands a year, of four digits or more.
  const clock = time.toISOString().split('T')[1]?.slice(0, 5)
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${clock} UTC`
}
