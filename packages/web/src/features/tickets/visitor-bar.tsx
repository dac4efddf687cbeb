import { AtSign } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { LeaveButton } from './leave-button.tsx'
import { MailLinkButton } from './mail-link-button.tsx'

/** Whose tickets these are, and the ways to others. */
export function VisitorBar({ email, onChange }: { email: string; onChange: () => void }) {
  return (
    <div className="sheet flex flex-wrap items-center gap-x-3 gap-y-2 p-3 ps-4">
      <AtSign aria-hidden size={17} className="shrink-0 text-ink-2" />
      <p className="me-auto min-w-0">
        <Sentence say={(place) => m.visitor_tickets_of({ email: place })} text={email} />
      </p>
      <span className="flex flex-wrap gap-2">
        <Button onClick={onChange}>{m.visitor_change()}</Button>
        <MailLinkButton email={email} />
        <LeaveButton />
      </span>
    </div>
  )
}
