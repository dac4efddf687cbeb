/**
 * Ctrl or Cmd with Enter sends the form from any of its fields, also from one in which Enter begins a new line.
 * @returns what ends it: this is a form's `ref`.
 */
export function submitByKeys(form: HTMLFormElement | null): (() => void) | undefined {
  if (!form) return undefined
  const listen = (event: KeyboardEvent) => {
    const isMeant = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    // While a word is being composed, Enter belongs to it.
    if (!isMeant || event.repeat || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  }
  form.addEventListener('keydown', listen)
  return () => form.removeEventListener('keydown', listen)
}

/** For `aria-keyshortcuts` of the button that sends. */
export const SUBMIT_KEYS = 'Control+Enter Meta+Enter'
