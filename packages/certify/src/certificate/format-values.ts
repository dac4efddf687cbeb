const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** `21 November 2026, 00:54 UTC`: no reader can take the day for the month or guess another zone. */
export function formatTime(milliseconds: number): string {
  const time = new Date(milliseconds)
  const clock = time.toISOString().slice(11, 16)
  return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}, ${clock} UTC`
}

/** Decimal units, as file managers and the upload limit count. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${trimZero(bytes / 1000)} kB`
  return `${trimZero(bytes / 1_000_000)} MB`
}

function trimZero(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, '')
}
