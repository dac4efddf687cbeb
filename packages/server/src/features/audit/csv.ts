/**
 * Where a spreadsheet would begin a formula (OWASP, CSV injection): at the beginning of a cell, also of one that it makes
 * where semicolons or tabs divide cells for it, as in many countries, and quotes mean nothing in the middle of a line.
 */
const BEFORE_FORMULA = /(^|[;\t\r\n]["'\s]*)(?=[=+\-@\t\r\n])/g

/** One line of RFC 4180. Text that a spreadsheet would calculate gets an apostrophe before it. */
export function writeCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = value.replace(BEFORE_FORMULA, "$1'")
  return `"${text.replaceAll('"', '""')}"`
}
