import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { ButtonLink } from '../../ui/button.tsx'
import { TextPage } from '../../ui/text-page.tsx'

export default function AboutPage() {
  return (
    <TextPage
      title={m.about_title()}
      lead={m.about_lead()}
      sections={[
        {
          title: m.about_how_title(),
          paragraphs: [m.about_how_collect(), m.about_how_review(), m.about_how_proof()],
        },
        { title: m.about_pdf_title(), paragraphs: [m.about_pdf_text()] },
        {
          title: m.transparency_title(),
          paragraphs: [m.transparency_lead()],
          action: <ButtonLink to={PATHS.transparency}>{m.transparency_open()}</ButtonLink>,
        },
        { title: m.about_limits_title(), paragraphs: [m.about_limits_text()] },
        { title: m.about_open_title(), paragraphs: [m.about_open_text()] },
        {
          title: m.about_api_title(),
          paragraphs: [m.about_api_text()],
          action: <ButtonLink to={PATHS.api}>{m.about_api_action()}</ButtonLink>,
        },
      ]}
    />
  )
}
