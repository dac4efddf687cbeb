import { seesAllTickets } from '@proofdesk/contract/permissions'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { Asker } from './asker.ts'
import type { ListState } from './list-state.ts'
import { MailLinkButton } from './mail-link-button.tsx'

export interface TicketListEmptyProps {
  asker: Asker
  state: ListState
  onChange: (changes: Partial<ListState>) => void
}

/** What to do where there is no ticket. */
export function TicketListEmpty({ asker, state, onChange }: TicketListEmptyProps) {
  if (state.face !== undefined || state.search !== '')
    return (
      <EmptyState
        title={m.tickets_empty()}
        text={m.tickets_empty_filtered()}
        action={<Button onClick={() => onChange({ face: undefined, search: '' })}>{m.tickets_show_all()}</Button>}
      />
    )
  if (asker.viewer === null)
    return (
      <EmptyState
        title={m.tickets_empty()}
        text={m.tickets_empty_visitor()}
        action={<MailLinkButton email={asker.email} />}
      />
    )
  const text = seesAllTickets(asker.viewer) ? m.tickets_empty_answering() : m.tickets_empty_own()
  return <EmptyState title={m.tickets_empty()} text={text} />
}
