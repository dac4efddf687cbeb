import { restoreSession } from '../lib/restore-session.ts'
import { m } from '../paraglide/messages.js'
import { WarnBanner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** In place of a screen while nothing is known about the session because no answer comes. */
export function ServerSilent() {
  return (
    <div role="alert">
      <EmptyState
        title={m.server_silent_title()}
        text={m.server_silent_text()}
        action={
          <Button kind="brand" onClick={() => void restoreSession()}>
            {m.retry()}
          </Button>
        }
      />
    </div>
  )
}

/** The same on screens that everyone may see. */
export function ServerSilentStrip() {
  return (
    <WarnBanner action={<Button onClick={() => void restoreSession()}>{m.retry()}</Button>}>
      {m.server_silent_title()} {m.server_silent_text()}
    </WarnBanner>
  )
}
