import { NetworkError } from '../../lib/api-error.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'

/** In place of what a printed code is worth: whose keys to check it by is asked of the server. */
export function UncheckedCode({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const failure = m.verify_code_unchecked()
  return (
    <div className="mb-5 grid justify-items-start gap-3">
      <ErrorBanner>{error instanceof NetworkError ? m.failed_without_answer({ failure }) : failure}</ErrorBanner>
      <RetryButton onClick={onRetry} />
    </div>
  )
}
