import { useEffect, useRef, type FocusEvent } from 'react'

/**
 * Whoever takes a row away goes on at the one that follows, or where the rows stood: a focus that is gone with its row begins
 * at the top of the page again.
 * @returns what the element around the table takes
 */
export function useKeptFocus(rows: readonly object[] | undefined) {
  const area = useRef<HTMLDivElement>(null)
  const last = useRef<{ row: Element; index: number }>(undefined)

  useEffect(() => {
    const { row, index } = last.current ?? {}
    if (!row || index === undefined || row.isConnected || document.activeElement !== document.body) return
    last.current = undefined
    const left = area.current?.querySelectorAll('tbody tr')
    const next = left?.item(Math.min(index, left.length - 1))
    const control = next?.querySelector<HTMLElement>('a[href], button:not(:disabled)')
    ;(control ?? area.current)?.focus({ preventScroll: true })
  }, [rows])

  // Also called for menus that a row has opened, which stand elsewhere in the document.
  function onFocus({ target }: FocusEvent<HTMLElement>): void {
    const row = target.closest('tbody tr')
    if (row?.parentElement) last.current = { row, index: [...row.parentElement.children].indexOf(row) }
  }

  return { ref: area, tabIndex: -1, onFocus }
}
