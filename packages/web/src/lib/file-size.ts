import { getLocale } from '../paraglide/runtime.js'

const KILO = 1024

/** Bytes as people read them: `340 kB`, `4.2 MB`. */
export function formatFileSize(bytes: number): string {
  if (bytes < KILO) return formatUnit(bytes, 'byte', 0)
  const kilobytes = bytes / KILO
  if (kilobytes < KILO) return formatUnit(kilobytes, 'kilobyte', 0)
  const megabytes = kilobytes / KILO
  return megabytes < KILO ? formatUnit(megabytes, 'megabyte', 1) : formatUnit(megabytes / KILO, 'gigabyte', 1)
}

function formatUnit(value: number, unit: 'byte' | 'kilobyte' | 'megabyte' | 'gigabyte', digits: number): string {
  // The short form of bytes is `870 byte`.
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  const format = { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(getLocale(), format).format(value)
}
