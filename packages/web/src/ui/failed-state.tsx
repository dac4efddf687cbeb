import { m } from '../paraglide/messages.js'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/** In place of rows that could not be loaded; the banner above says why. */
export function FailedState({ onRetry }: { onRetry: () => void }) {
  return <EmptyState title={m.rows_not_loaded()} action={<Button onClick={onRetry}>{m.retry()}</Button>} />
}
