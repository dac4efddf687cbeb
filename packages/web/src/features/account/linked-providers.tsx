import type { Identity } from '@proofdesk/contract/provider-login'
import { wordsOf } from '../../lib/api-error.ts'
import { attempt } from '../../lib/attempt.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm, showNotice } from '../../ui/ask.ts'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { useIdentities, useUnlinkIdentity } from './api.ts'

/** Whom at which provider the account is linked with; nothing where there is nobody. */
export function LinkedProviders() {
  const { data, error } = useIdentities()
  if (error) return <ErrorBanner>{wordsOf(error, m.linked_providers_failed())}</ErrorBanner>
  if (!data || data.results.length === 0) return null
  return (
    <SectionSheet title={m.linked_providers_title()}>
      <p className="text-ink-2">{m.linked_providers_text()}</p>
      <ul className="mt-4 grid gap-3">
        {data.results.map((identity) => (
          <LinkedProvider key={identity.id} identity={identity} />
        ))}
      </ul>
    </SectionSheet>
  )
}

function LinkedProvider({ identity }: { identity: Identity }) {
  const [busy, run] = useBusy()
  const unlink = useUnlinkIdentity()

  async function handleUnlink() {
    const question = {
      title: m.are_you_sure(),
      text: m.linked_providers_unlink_text(),
      action: m.linked_providers_unlink(),
    }
    if (!(await askConfirm({ ...question, danger: true }))) return
    const outcome = await run(() => attempt(unlink.mutateAsync(identity.id)))
    if (outcome && !outcome.isDone)
      await showNotice({
        title: m.linked_providers_unlink_failed(),
        text: wordsOf(outcome.error, m.profile_try_again()),
      })
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="font-[560] wrap-anywhere">{identity.name}</p>
        <p className="text-sm wrap-anywhere text-ink-2">{identity.email}</p>
      </div>
      <Button kind="danger" busy={busy} onClick={() => void handleUnlink()}>
        {m.linked_providers_unlink()}
      </Button>
    </li>
  )
}
