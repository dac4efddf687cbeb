import { whyNotCreateTicket } from '@proofdesk/contract/permissions'
import { PATHS } from '../../lib/paths.ts'
import { useUser } from '../../lib/session.ts'
import { suggestTicket } from '../../lib/ticket-suggestion.ts'
import { m } from '../../paraglide/messages.js'
import { ButtonLink } from '../../ui/button.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'

/** Only whoever runs the installation erases an account (docs/operate.md); who has it asks for that. */
export function AccountDeletion() {
  const user = useUser()
  const mayAsk = whyNotCreateTicket(user) === undefined
  return (
    <SectionSheet title={m.deletion_title()} lead={mayAsk ? m.deletion_lead() : m.deletion_lead_staff()}>
      <dl className="grid gap-4">
        <div>
          <dt className="font-[560]">{m.deletion_goes()}</dt>
          <dd className="mt-1 text-ink-2">{m.deletion_goes_text()}</dd>
        </div>
        <div>
          <dt className="font-[560]">{m.deletion_stays()}</dt>
          <dd className="mt-1 text-ink-2">
            <ul className="grid list-disc gap-1 ps-5">
              <li>{m.deletion_stays_log()}</li>
              <li>{m.deletion_stays_pdf()}</li>
              {!mayAsk && <li>{m.deletion_stays_decisions()}</li>}
              <li>{m.deletion_stays_trail()}</li>
            </ul>
          </dd>
        </div>
      </dl>
      {mayAsk && (
        <ButtonLink
          to={PATHS.tickets}
          state={suggestTicket(m.deletion_ticket())}
          className="mt-5 h-auto min-h-9.5 py-1.5 text-center whitespace-normal text-seal!"
        >
          {m.deletion_ask()}
        </ButtonLink>
      )}
    </SectionSheet>
  )
}
