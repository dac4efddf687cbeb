type Pressed = Pick<KeyboardEvent, 'key' | 'code'>

/**
 * Whether a key is meant, also where the keyboard types another letter there: that of another script, or what Option makes
 * of it on a Mac.
 * @param key As `KeyboardEvent.key` names it; letters in lower case.
 */
export function isKey(pressed: Pressed, key: string): boolean {
  if (pressed.key.toLowerCase() === key) return true
  return !/^[a-z]$/i.test(pressed.key) && key.length === 1 && pressed.code === `Key${key.toUpperCase()}`
}
