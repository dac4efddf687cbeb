import { m } from '../../paraglide/messages.js'
import { TextPage } from '../../ui/text-page.tsx'

export default function PrivacyPage() {
  return (
    <TextPage
      title={m.privacy_title()}
      lead={m.privacy_lead()}
      sections={[
        { title: m.privacy_account_title(), paragraphs: [m.privacy_account_text()] },
        { title: m.privacy_documents_title(), paragraphs: [m.privacy_documents_text(), m.privacy_proof_text()] },
        { title: m.privacy_browser_title(), paragraphs: [m.privacy_browser_text()] },
        { title: m.privacy_logs_title(), paragraphs: [m.privacy_logs_text()] },
        { title: m.privacy_rights_title(), paragraphs: [m.privacy_rights_text()] },
      ]}
    />
  )
}
