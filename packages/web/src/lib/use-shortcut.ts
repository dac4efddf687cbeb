import { useEffect, useEffectEvent } from 'react'

/**
 * Runs something when Alt and a key are pressed anywhere on the page: with Alt, because single letters are for those who
 * dictate or whose hands tremble (WCAG 2.1, 2.1.4). Not while somebody is typing or choosing, nor while a dialog is open.
 * @param key As `KeyboardEvent.key` names it; letters in lower case.
 */
export function useShortcut(key: string, run: () => void, enabled = true): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || !isPressed(event, key) || isTaken(event.target)) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    if (!enabled) return
    const listen = (event: KeyboardEvent) => handle(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [enabled])
}

function isPressed(event: KeyboardEvent, key: string): boolean {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
  if (event.key.toLowerCase() === key) return true
  // On a Mac, Option and a letter type another one.
  return !/^[a-z]$/i.test(event.key) && key.length === 1 && event.code === `Key${key.toUpperCase()}`
}

function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], [role="dialog"], [role="alertdialog"]')) return true
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}
