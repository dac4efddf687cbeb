import { useEffect, useState } from 'react'

/** An empty list is about as high. */
const ROWS_OF_NOTHING = 5

/**
 * How much room a list keeps, so that nothing jumps: while it loads that of the rows it showed last in this tab, and once it
 * has filled a page that of a full one, so that the pager stays where it is. Otherwise it is as high as its rows.
 * @param list Its caption.
 */
export function useKeptRows(
  list: string,
  rows: readonly unknown[] | undefined,
  fullPage: number,
): { expected: number; isKeptFull: boolean } {
  const [expected] = useState(() => readLast(list) ?? fullPage)
  const [wasFull, setWasFull] = useState(false)
  const count = rows?.length
  if (!wasFull && count !== undefined && count >= fullPage) setWasFull(true)
  useEffect(() => {
    if (count !== undefined) sessionStorage.setItem(nameFor(list), String(Math.min(count, fullPage)))
  }, [list, count, fullPage])
  return { expected, isKeptFull: wasFull }
}

function readLast(list: string): number | undefined {
  const text = sessionStorage.getItem(nameFor(list))
  return text !== null && /^\d{1,3}$/.test(text) ? Number(text) || ROWS_OF_NOTHING : undefined
}

function nameFor(list: string): string {
  return `rows of ${list}`
}
