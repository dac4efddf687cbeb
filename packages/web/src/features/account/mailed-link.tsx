import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { goOnAtHeading } from '../../ui/go-on-at-heading.ts'
import { Sentence } from '../../ui/sentence.tsx'
import { useMailedLink } from './use-mailed-link.ts'

interface MailedLinkProps {
  title: string
  lead: string
  action: string
  send: () => Promise<{ username: string }>
  /** For whom it was used already, where this screen knows. */
  done?: string | undefined
  failed: string
  doneTitle: string
  /** Where the username stands. */
  sayDone: (place: string) => string
  /** What may follow, whether or not it worked. */
  next: ReactNode
}

/** The screen of a mailed link: what pressing the button does, and what became of it. */
export function MailedLink({ title, lead, action, send, done, failed, doneTitle, sayDone, next }: MailedLinkProps) {
  const { state, busy, take } = useMailedLink(send, failed, done)
  if (state.step === 'done') {
    return (
      <FormSheet key="done" title={doneTitle} lead={<Sentence say={sayDone} text={state.username} />}>
        {next}
      </FormSheet>
    )
  }
  if (state.step === 'refused') {
    return (
      <FormSheet key="refused" title={m.verify_email_failed_title()}>
        <div className="grid gap-5">
          <ErrorBanner>{state.reason}</ErrorBanner>
          {next}
        </div>
      </FormSheet>
    )
  }
  return (
    <FormSheet title={title} lead={lead}>
      <div className="grid gap-5">
        {state.step === 'failed' && <ErrorBanner>{state.reason}</ErrorBanner>}
        <Button ref={goOnAtHeading} kind="brand" busy={busy} onClick={() => void take()} className="min-h-10.5">
          {action}
        </Button>
      </div>
    </FormSheet>
  )
}
