import { useCallback, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { readListState, writeListState, type ListState } from './list-state.ts'

const TYPING_PAUSE_MS = 300

/**
 * The list's state in the address. Any change but that of the page goes back to the first page; typing in the search
 * box waits for a pause and leaves no trail of half words in the history.
 */
export function useListState() {
  const [address, setAddress] = useSearchParams()
  const state = useMemo(() => readListState(address), [address])

  const change = useCallback(
    (changes: Partial<ListState>, replace = false) =>
      setAddress((now) => writeListState({ ...readListState(now), page: 1, ...changes }), {
        replace,
        preventScrollReset: true,
      }),
    [setAddress],
  )

  return { state, change }
}

/** The text in the search box, which runs ahead of the one in the address. */
export function useSearchText(search: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(search)
  const [known, setKnown] = useState(search)
  // Going back in the history brings another search along.
  if (search !== known) {
    setKnown(search)
    if (search !== text.trim()) setText(search)
  }
  useEffect(() => {
    if (text.trim() === search) return
    const timer = setTimeout(() => onSearch(text.trim()), text === '' ? 0 : TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, search, onSearch])
  return [text, setText] as const
}
