/** What makes a spreadsheet take a cell for a formula (OWASP, CSV injection). */
const BEGINS_FORMULA = /^[=+\-@\t\r\n]/

/** One line of RFC 4180. Text that a spreadsheet would calculate gets an apostrophe before it. */
export function writeCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = BEGINS_FORMULA.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}
