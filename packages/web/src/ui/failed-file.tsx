import { useEffect } from 'react'
import { NetworkError } from '../lib/api-error.ts'
import { wordsOf } from '../lib/error-words.ts'
import { m } from '../paraglide/messages.js'
import { showNotice } from './ask.ts'
import { ErrorBanner } from './banner.tsx'
import { RetryButton } from './retry-button.tsx'

/** In the place of a file that did not come. */
export function FailedFile({ error, onRetry }: { error: Error; onRetry: () => void }) {
  // The dialog of specification section 8; what to do stays on the screen behind it.
  useEffect(() => {
    if (error instanceof NetworkError) void showNotice({ title: m.idm_error_title(), text: m.idm_error_text() })
  }, [error])
  const words = error instanceof NetworkError ? m.idm_error_text() : wordsOf(error, m.content_view_failed())
  return (
    <div className="m-auto grid justify-items-center gap-4 p-6">
      <ErrorBanner>{words}</ErrorBanner>
      <RetryButton onClick={onRetry} />
    </div>
  )
}
