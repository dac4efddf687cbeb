import { useEffect, useEffectEvent } from 'react'
import { isKey } from './is-key.ts'

/**
 * Runs something when Alt and a key are pressed anywhere on the page: with Alt, because single letters are for those who
 * dictate or whose hands tremble (WCAG 2.1, 2.1.4). Not while somebody is typing, nor while a dialog is open.
 * @param key As `KeyboardEvent.key` names it; letters in lower case.
 */
export function useShortcut(key: string, run: () => void, enabled = true): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || !isPressed(event, key) || isTaken(event)) return
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
  return isKey(event, key)
}

/** Where nothing but a choice or a number is entered, letters mean nothing; arrows open a list, and move in a number. */
const WORDLESS = 'select, input[inputmode=numeric]'

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (hasDialog()) return true
  if (!(target instanceof Element)) return false
  if (target.matches(WORDLESS)) return key.startsWith('Arrow')
  return target.closest('input, textarea, select, [contenteditable]') !== null
}

function hasDialog(): boolean {
  return document.querySelector('dialog[open], [role="dialog"], [role="alertdialog"]') !== null
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** The key that commands are given with here: as people read it, and as `aria-keyshortcuts` names it. */
export const COMMAND_KEY = isMac ? { name: '⌘', code: 'Meta' } : { name: 'Ctrl', code: 'Control' }

/**
 * Runs something when Ctrl (on a Mac Command) and a letter are pressed, also while somebody is typing; not while a dialog
 * is open. On a Mac Ctrl and a letter edit text.
 */
export function useCommandShortcut(letter: string, run: () => void): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
    if (!isCommand || event.altKey || event.shiftKey || !isKey(event, letter)) return
    if (event.defaultPrevented || event.repeat || hasDialog()) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
