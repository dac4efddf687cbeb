/** Decimal units, as file managers and the upload limit count. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${trimZero(bytes / 1000)} kB`
  return `${trimZero(bytes / 1_000_000)} MB`
}

function trimZero(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, '')
}
