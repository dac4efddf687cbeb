import type { ReactNode, SubmitEvent } from 'react'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { focusFirstFault } from '../../ui/focus-first-fault.ts'

export interface ProofFormFrameProps {
  action: string
  kind: 'brand' | 'danger'
  busy: boolean
  problem: string | undefined
  children: ReactNode
  onLeave: () => void
  onSubmit: () => void
}

/** The frame of a change's form: what went wrong, its fields, and the buttons. */
export function ProofForm({ action, kind, busy, problem, children, onLeave, onSubmit }: ProofFormFrameProps) {
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    onSubmit()
    focusFirstFault(event.currentTarget)
  }

  return (
    <form noValidate onSubmit={handleSubmit} aria-busy={busy} className="mt-4">
      <div className="grid gap-4">
        {problem && <ErrorBanner>{problem}</ErrorBanner>}
        {children}
      </div>
      <DialogActions>
        <Button disabled={busy} onClick={onLeave}>
          {m.cancel()}
        </Button>
        <Button type="submit" kind={kind} busy={busy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
