const DOWNWARDS = /order by [\w.]+(?: collate "C")? desc(?:, [\w.]+ desc)*/g

/**
 * The statement with its orders turned upwards: an index is read from both ends alike, so one need not stand twice. An order
 * of which some parts go down and others up stays as it is.
 */
export function readUpwards(sql: string): string {
  return sql.replace(DOWNWARDS, (order, at: number) =>
    sql.startsWith(',', at + order.length) ? order : order.replaceAll(' desc', ' asc'),
  )
}
