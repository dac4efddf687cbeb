import { COOKIE_NAMES, type CookieName } from '@proofdesk/contract/cookies'
import { m } from '../../paraglide/messages.js'
import { TextPage } from '../../ui/text-page.tsx'

const COOKIE_WORDS: Record<CookieName, () => string> = {
  theme: m.privacy_cookie_theme,
  guide: m.privacy_cookie_guide,
  expiry_choice: m.privacy_cookie_expiry_choice,
  refresh_turn: m.privacy_cookie_refresh_turn,
  challenge: m.privacy_cookie_challenge,
  provider: m.privacy_cookie_provider,
  visitor: m.privacy_cookie_visitor,
}

export default function PrivacyPage() {
  return (
    <TextPage
      title={m.privacy_title()}
      lead={m.privacy_lead()}
      sections={[
        { title: m.privacy_account_title(), paragraphs: [m.privacy_account_text()] },
        {
          title: m.privacy_documents_title(),
          paragraphs: [m.privacy_documents_text(), m.privacy_proof_text(), m.privacy_tickets_text()],
        },
        { title: m.privacy_browser_title(), paragraphs: [m.privacy_browser_text()] },
        {
          title: m.privacy_cookies_title(),
          paragraphs: [m.privacy_cookies_text()],
          terms: COOKIE_NAMES.map((name) => ({ term: name, text: COOKIE_WORDS[name]() })),
        },
        { title: m.privacy_logs_title(), paragraphs: [m.privacy_logs_text(), m.privacy_audit_text()] },
        { title: m.privacy_rights_title(), paragraphs: [m.privacy_rights_text()] },
      ]}
    />
  )
}
