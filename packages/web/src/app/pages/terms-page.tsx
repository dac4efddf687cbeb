import { m } from '../../paraglide/messages.js'
import { TextPage } from '../../ui/text-page.tsx'

export default function TermsPage() {
  return (
    <TextPage
      title={m.terms_title()}
      lead={m.terms_lead()}
      sections={[
        { title: m.terms_account_title(), paragraphs: [m.terms_account_text()] },
        { title: m.terms_documents_title(), paragraphs: [m.terms_documents_text()] },
        { title: m.terms_review_title(), paragraphs: [m.terms_review_text()] },
        { title: m.terms_proof_title(), paragraphs: [m.terms_proof_text()] },
        { title: m.terms_liability_title(), paragraphs: [m.terms_liability_text()] },
      ]}
    />
  )
}
