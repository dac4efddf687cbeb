import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ApiError } from './api-error.ts'

const TYPING_PAUSE_MS = 300

/** How the state of one list stands in the address; whatever there means nothing is taken as not given. */
export interface ListAddress<State extends { page: number }> {
  read: (address: URLSearchParams) => State
  /** Leaves out what is as usual. */
  write: (state: State) => URLSearchParams
}

/**
 * A list's state in the address, so that reloading and going back find it again. Any change but that of the page goes
 * back to the first page.
 * @param list Made once, outside of components.
 */
export function useListAddress<State extends { page: number }>(list: ListAddress<State>) {
  const [address, setAddress] = useSearchParams()
  const state = useMemo(() => list.read(address), [list, address])

  // The screen takes an address over a while after it is written: a change that comes before builds on what was written last.
  const written = useRef(address)
  useLayoutEffect(() => {
    written.current = address
  }, [address])

  const change = useCallback(
    (changes: Partial<State>, replace = false) => {
      written.current = list.write({ ...list.read(written.current), page: 1, ...changes })
      setAddress(written.current, { replace, preventScrollReset: true })
    },
    [list, setAddress],
  )

  return { state, change }
}

/**
 * The text in a search box, which runs ahead of the one in the address: typing waits for a pause and so leaves no trail
 * of half words.
 * @param pauseMs After every change alike; when absent a short one, and none once the text is cleared.
 * @returns the text, what sets it, and what ends the wait
 */
export function useSearchText(search: string, onSearch: (search: string) => void, pauseMs?: number) {
  const [text, setText] = useState(search)
  const [known, setKnown] = useState(search)
  const [asked, setAsked] = useState(search)
  if (search !== known) {
    setKnown(search)
    // The address may take over what was typed when more has been typed. Any other search was brought along by going back
    // in the history.
    if (search !== asked) {
      setAsked(search)
      if (search !== text.trim()) setText(search)
    }
  }
  const ask = useCallback(() => {
    if (text.trim() === search) return
    setAsked(text.trim())
    onSearch(text.trim())
  }, [text, search, onSearch])
  useEffect(() => {
    if (text.trim() === search) return
    const timer = setTimeout(ask, pauseMs ?? (text === '' ? 0 : TYPING_PAUSE_MS))
    return () => clearTimeout(timer)
  }, [text, search, ask, pauseMs])
  return [text, setText, ask] as const
}

/** The last row of the last page may have gone meanwhile: then there is no such page any more. @returns whether it is so */
export function useReturnFromPastTheEnd(
  error: unknown,
  page: number,
  onChange: (changes: { page: number }, replace?: boolean) => void,
): boolean {
  const isPastTheEnd = error instanceof ApiError && error.body.code === 'page_not_found'
  useEffect(() => {
    if (isPastTheEnd && page > 1) onChange({ page: 1 }, true)
  }, [isPastTheEnd, page, onChange])
  return isPastTheEnd
}
