/** UTC to the minute, in a form that reads the same everywhere: `2027-01-31 18:00 UTC`. */
export function sayMinute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
