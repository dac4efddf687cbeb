import { seesAllTickets, whyNotCreateTicket } from '@proofdesk/contract/permissions'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { PageHeading } from '../../ui/page-heading.tsx'
import { showToast } from '../../ui/toast.ts'
import { AddTicketDialog } from './add-ticket-dialog.tsx'
import type { Asker } from './asker.ts'
import { ConversationPanel, ConversationPlace } from './conversation-panel.tsx'
import { focusTicket } from './focus-ticket.ts'
import { TicketList } from './ticket-list.tsx'
import { TicketTiles } from './ticket-tiles.tsx'
import { useTicketScreen } from './use-ticket-screen.ts'
import { VisitorBar } from './visitor-bar.tsx'

export interface TicketScreenProps {
  asker: Asker
  /** For a visitor who goes by another address. */
  onChangeEmail: () => void
}

/** Tiles, list and the conversation of the chosen ticket. */
export function TicketScreen({ asker, onChangeEmail }: TicketScreenProps) {
  const { state, change, chosen, suggested, choose } = useTicketScreen()
  const [isAdding, setIsAdding] = useState(false)
  const isSuggested = suggested !== undefined && whyNotCreateTicket(asker.viewer) === undefined
  const isAnswering = asker.viewer !== null && seesAllTickets(asker.viewer)

  return (
    <>
      <PageHeading title={m.tickets_title()} lead={isAnswering ? m.tickets_lead_answering() : m.tickets_lead()} />
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-5">
        {asker.email !== null && <VisitorBar email={asker.email} onChange={onChangeEmail} />}
        <TicketTiles asker={asker} chosen={state.face} onChoose={(face) => change({ face })} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,1fr)_27rem]">
          <TicketList
            asker={asker}
            state={state}
            chosen={chosen}
            onChange={change}
            onChoose={choose}
            onAdd={() => setIsAdding(true)}
          />
          {chosen === undefined ? (
            <ConversationPlace />
          ) : (
            <ConversationPanel
              key={chosen}
              asker={asker}
              ticketId={chosen}
              onLeave={() => {
                choose(undefined)
                focusTicket(chosen)
              }}
            />
          )}
        </div>
      </div>
      <AddTicketDialog
        asker={asker}
        open={isAdding || isSuggested}
        suggested={isSuggested ? suggested : undefined}
        onClose={() => {
          setIsAdding(false)
          if (isSuggested) choose(undefined)
        }}
        onCreated={(ticket) => {
          setIsAdding(false)
          choose(ticket.id)
          showToast(m.ticket_created())
        }}
      />
    </>
  )
}
