/** One text for both databases where they differ in signs only, and for lists of every length. */
export function normaliseSql(sql: string): string {
  return sql
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\$\d+/g, '?')
    .replace(/"(?!all")([a-z_0-9]+)"/g, '$1')
    .replace(/ in \(\?(?:, \?)*\)/g, ' in (?, …)')
    .replace(/(values (\((?:[^()]|\([^()]*\))*\)))(?:, \2)+/g, '$1, …')
}
