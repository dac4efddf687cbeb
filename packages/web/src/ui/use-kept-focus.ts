import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react'

/**
 * Whoever takes a row away goes on at the one that follows, or where the rows stood, and so does whoever presses what stood
 * there in place of rows; whoever takes a control of a row away goes on in that row: a focus that is gone with what had it
 * begins at the top of the page again.
 * @param area What the rows stand in; it can take the focus itself.
 * @returns what the area has to do when the focus moves
 */
export function useKeptFocus(
  area: RefObject<HTMLElement | null>,
  rows: readonly object[] | undefined,
  selector = 'tbody tr',
): (event: FocusEvent<HTMLElement>) => void {
  const last = useRef<{ target: Element; row?: Element; index?: number }>(undefined)

  // As soon as it is drawn: a dialog that opens then leads back to what has the focus by now.
  useLayoutEffect(() => {
    const { target, row, index } = last.current ?? {}
    if (!rows || !target) return
    if (target.isConnected || document.activeElement !== document.body) return
    last.current = undefined
    const left = area.current?.querySelectorAll(selector)
    const following = index === undefined ? undefined : left?.item(Math.min(index, left.length - 1))
    const next = row?.isConnected ? row : following
    const control = next?.querySelector<HTMLElement>('a[href], button:not(:disabled)')
    ;(control ?? area.current)?.focus({ preventScroll: true })
  }, [area, rows, selector])

  // Also called for menus that a row has opened, which stand elsewhere in the document.
  return ({ target, currentTarget }) => {
    const row = target.closest(selector)
    if (row?.parentElement) last.current = { target, row, index: [...row.parentElement.children].indexOf(row) }
    else if (currentTarget.contains(target)) last.current = { target }
  }
}
