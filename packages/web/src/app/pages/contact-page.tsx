import { MessagesSquare, ScanSearch } from 'lucide-react'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { ButtonLink } from '../../ui/button.tsx'
import { TextPage } from '../../ui/text-page.tsx'

export default function ContactPage() {
  return (
    <TextPage
      title={m.contact_title()}
      lead={m.contact_lead()}
      sections={[
        {
          title: m.contact_ticket_title(),
          paragraphs: [m.contact_ticket_text()],
          action: (
            <ButtonLink to={PATHS.tickets} kind="brand">
              <MessagesSquare aria-hidden size={17} />
              {m.contact_ticket_action()}
            </ButtonLink>
          ),
        },
        { title: m.contact_say_title(), paragraphs: [m.contact_say_text()] },
        {
          title: m.contact_verify_title(),
          paragraphs: [m.contact_verify_text()],
          action: (
            <ButtonLink to={PATHS.serviceContent}>
              <ScanSearch aria-hidden size={17} />
              {m.landing_verify_link()}
            </ButtonLink>
          ),
        },
      ]}
    />
  )
}
