import { isKey } from '../../lib/is-key.ts'

export type ReaderCommand =
  | 'find'
  | 'find-next'
  | 'find-previous'
  | 'zoom-in'
  | 'zoom-out'
  | 'zoom-width'
  | 'next-page'
  | 'previous-page'
  | 'first-page'
  | 'last-page'

export interface PressedKey {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/**
 * What a key does while the focus is in the reader. Up and down stay with the browser, which scrolls.
 * @param isTyping The focus is in a field: only keys that write nothing count.
 */
export function commandOf(pressed: PressedKey, isTyping: boolean): ReaderCommand | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed
  if (altKey) return undefined
  const withControl = ctrlKey || metaKey
  if (withControl && isKey(pressed, 'f')) return 'find'
  if (key === 'F3' || (withControl && isKey(pressed, 'g'))) return shiftKey ? 'find-previous' : 'find-next'
  if (isTyping) return key === 'PageDown' ? 'next-page' : key === 'PageUp' ? 'previous-page' : undefined
  // With Control they are the browser's own zoom, which people may need to read at all.
  if (withControl) return undefined
  switch (key) {
    case '+':
    case '=':
      return 'zoom-in'
    case '-':
    case '_':
      return 'zoom-out'
    case '0':
      return 'zoom-width'
    case 'PageDown':
    case 'ArrowRight':
      return 'next-page'
    case 'PageUp':
    case 'ArrowLeft':
      return 'previous-page'
    case 'Home':
      return 'first-page'
    case 'End':
      return 'last-page'
    default:
      return undefined
  }
}
