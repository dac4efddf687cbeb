import { useMemo, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import type { Asker } from './asker.ts'
import { EmailPrompt } from './email-prompt.tsx'
import { TicketScreen } from './ticket-screen.tsx'
import { useTicketScreen } from './use-ticket-screen.ts'
import { keepVisitorEmail, useVisitorEmail } from './visitor-email.ts'

/** The screen of who is not signed in: one without an address is asked for it by prompt. */
export function VisitorTickets() {
  const email = useVisitorEmail()
  const { choose } = useTicketScreen()
  const [isAsking, setIsAsking] = useState(email === null)
  const asker = useMemo<Asker | undefined>(() => (email === null ? undefined : { viewer: null, email }), [email])
  return (
    <>
      {asker ? (
        <TicketScreen key={email} asker={asker} onChangeEmail={() => setIsAsking(true)} />
      ) : (
        <>
          <PageHeading title={m.tickets_title()} lead={m.tickets_lead()} />
          <div className="sheet mt-6">
            <EmptyState
              title={m.visitor_needed()}
              text={m.visitor_needed_text()}
              action={
                <Button kind="brand" onClick={() => setIsAsking(true)}>
                  {m.visitor_enter()}
                </Button>
              }
            />
          </div>
        </>
      )}
      <EmailPrompt
        open={isAsking}
        email={email}
        onClose={() => setIsAsking(false)}
        onEmail={(given) => {
          // What was open belongs to the address before.
          if (given !== email) choose(undefined)
          keepVisitorEmail(given)
          setIsAsking(false)
        }}
      />
    </>
  )
}
