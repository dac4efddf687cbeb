import { restoreSession } from '../lib/restore-session.ts'
import { useBusy } from '../lib/use-busy.ts'
import { m } from '../paraglide/messages.js'
import { WarnBanner } from '../ui/banner.tsx'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** In place of a screen while nothing is known about the session because no answer comes. */
export function ServerSilent() {
  return (
    <div role="alert">
      <EmptyState
        title={m.server_silent_title()}
        text={m.server_silent_text()}
        action={<TryAgainButton kind="brand" />}
      />
    </div>
  )
}

/** The same on screens that everyone may see. */
export function ServerSilentStrip() {
  return (
    <WarnBanner action={<TryAgainButton />}>
      {m.server_silent_title()} {m.server_silent_text()}
    </WarnBanner>
  )
}

function TryAgainButton({ kind = 'plain' }: Pick<ButtonProps, 'kind'>) {
  const [busy, run] = useBusy()
  return (
    <Button kind={kind} busy={busy} onClick={() => void run(restoreSession)}>
      {m.retry()}
    </Button>
  )
}
