import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { SUBMIT_KEYS } from '../../ui/submit-by-keys.ts'

export interface DecisionActionsProps {
  kind: 'brand' | 'danger'
  word: string
  busy: boolean
  /** Somebody else has decided: there is nothing left to send. */
  isDecided: boolean
  onClose: () => void
}

/** The end of a decision's form: the way out, and the button that sends, with its keys. */
export function DecisionActions({ kind, word, busy, isDecided, onClose }: DecisionActionsProps) {
  if (isDecided) {
    return (
      <DialogActions>
        <Button onClick={onClose}>{m.close()}</Button>
      </DialogActions>
    )
  }
  return (
    <DialogActions>
      <p className="me-auto self-center text-sm text-ink-2 pointer-coarse:hidden">
        {m.review_send_keys({ keys: /Mac/.test(navigator.userAgent) ? '⌘↵' : 'Ctrl+Enter' })}
      </p>
      <Button disabled={busy} onClick={onClose}>
        {m.cancel()}
      </Button>
      <Button type="submit" kind={kind} busy={busy} aria-keyshortcuts={SUBMIT_KEYS}>
        {word}
      </Button>
    </DialogActions>
  )
}
