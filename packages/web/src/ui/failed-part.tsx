import { m } from '../paraglide/messages.js'
import { EmptyState } from './empty-state.tsx'
import { RetryButton } from './retry-button.tsx'

/** In place of a part of a screen that could not be loaded. */
export function FailedPart({ onRetry }: { onRetry: () => void }) {
  return <EmptyState title={m.rows_not_loaded()} action={<RetryButton onClick={onRetry} />} />
}
