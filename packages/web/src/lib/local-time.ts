const MINUTE_MS = 60_000

/**
 * What a person meant by the value of a `datetime-local` field in their own zone.
 * @returns ISO 8601 in UTC, or undefined when nothing (whole) was entered.
 */
export function toUtc(local: string): string | undefined {
  // Without a zone the text is read as local time; a day alone would be read as UTC.
  const at = /T/.test(local) ? new Date(local) : new Date(NaN)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** A point in time as the value of a `datetime-local` field, to the minute. */
export function toLocalValue(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

/** The same day and time so many years on; the 29th of February becomes the 1st of March. */
export function addYears(at: Date, years: number): Date {
  const later = new Date(at)
  later.setFullYear(later.getFullYear() + years)
  return later
}

/** The person's zone, as in `Europe/Berlin`. */
export function readZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
