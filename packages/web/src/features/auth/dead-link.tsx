import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'

/** In place of a form whose link would be refused. @param hint How one comes by a new link */
export function DeadLink({ reason, hint }: { reason: string; hint?: string }) {
  return (
    <FormSheet key="dead" title={m.verify_email_failed_title()}>
      <div className="grid gap-5">
        <ErrorBanner>{reason}</ErrorBanner>
        {hint && <p className="text-ink-2">{hint}</p>}
        <ButtonLink to={PATHS.login} kind="brand" className="min-h-10.5 w-full">
          {m.verify_email_to_login()}
        </ButtonLink>
      </div>
    </FormSheet>
  )
}
