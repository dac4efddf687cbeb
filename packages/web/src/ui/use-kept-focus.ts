import { useEffect, useRef, type FocusEvent, type RefObject } from 'react'

/**
 * Whoever takes a row away goes on at the one that follows, or where the rows stood: a focus that is gone with its row begins
 * at the top of the page again.
 * @param area What the rows stand in; it can take the focus itself.
 * @returns what the area has to do when the focus moves
 */
export function useKeptFocus(
  area: RefObject<HTMLElement | null>,
  rows: readonly object[] | undefined,
  selector = 'tbody tr',
): (event: FocusEvent<HTMLElement>) => void {
  const last = useRef<{ row: Element; index: number }>(undefined)

  useEffect(() => {
    const { row, index } = last.current ?? {}
    if (!rows || !row || index === undefined) return
    if (row.isConnected || document.activeElement !== document.body) return
    last.current = undefined
    const left = area.current?.querySelectorAll(selector)
    const next = left?.item(Math.min(index, left.length - 1))
    const control = next?.querySelector<HTMLElement>('a[href], button:not(:disabled)')
    ;(control ?? area.current)?.focus({ preventScroll: true })
  }, [area, rows, selector])

  // Also called for menus that a row has opened, which stand elsewhere in the document.
  return ({ target }) => {
    const row = target.closest(selector)
    if (row?.parentElement) last.current = { row, index: [...row.parentElement.children].indexOf(row) }
  }
}
