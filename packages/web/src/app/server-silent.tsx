import { restoreSession } from '../lib/restore-session.ts'
import { m } from '../paraglide/messages.js'
import { WarnBanner } from '../ui/banner.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { RetryButton } from '../ui/retry-button.tsx'

/** In place of a screen while nothing is known about the session because no answer comes. */
export function ServerSilent() {
  return (
    <div role="alert">
      <EmptyState
        title={m.server_silent_title()}
        text={m.server_silent_text()}
        action={<RetryButton kind="brand" onClick={() => void restoreSession()} />}
      />
    </div>
  )
}

/** The same on screens that everyone may see. */
export function ServerSilentStrip() {
  return (
    <WarnBanner action={<RetryButton onClick={() => void restoreSession()} />}>
      {m.server_silent_title()} {m.server_silent_text()}
    </WarnBanner>
  )
}
