import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { ButtonLink } from '../../ui/button.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Rosette } from '../../ui/rosette.tsx'

export default function MissingPage() {
  return (
    <div className="flex flex-col items-center py-16 text-center">
      <Rosette seed="nothing here" detail="large" className="size-32 text-line-strong" />
      <PageHeading title={m.page_missing_title()} lead={m.page_missing_text()} className="mt-6" />
      <ButtonLink to={PATHS.home} kind="brand" className="mt-6">
        {m.back_to_home()}
      </ButtonLink>
    </div>
  )
}
