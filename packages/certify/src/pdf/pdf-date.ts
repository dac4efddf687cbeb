/** PDF date in UTC (ISO 32000-2 section 7.9.4). */
export function formatPdfDate(milliseconds: number): string {
  return `D:${new Date(milliseconds).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`
}
