import type { Identity, Provider } from '@proofdesk/contract/provider-login'
import { PROFILE_DIALOG_MS } from '@proofdesk/contract/limits'
import { CircleMinus, Link2, Unlink } from 'lucide-react'
import { ApiError } from '../../lib/api-error.ts'
import { attempt } from '../../lib/attempt.ts'
import { sayCode, wordsOf } from '../../lib/error-words.ts'
import { askProvider } from '../../lib/provider-address.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { getLocale } from '../../paraglide/runtime.js'
import { askConfirm, showNotice } from '../../ui/ask.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { goOnAtHeading } from '../../ui/go-on-at-heading.ts'
import { KeptFocus } from '../../ui/kept-focus.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { useLinkIdentity, useProviderLinks, useUnlinkIdentity, type ProviderLink } from './api.ts'

/** Each provider of this installation and whether the account is linked with it; nothing where there is none. */
export function LinkedProviders() {
  const { links, error, isFetching, retry } = useProviderLinks()
  if (!links && error)
    return (
      <div className="grid justify-items-start gap-4">
        <ErrorBanner>{wordsOf(error, m.linked_providers_failed())}</ErrorBanner>
        <RetryButton busy={isFetching} onClick={retry} />
      </div>
    )
  if (!links || links.length === 0) return null
  const offered = links.filter(({ provider }) => provider)
  const names = new Intl.ListFormat(getLocale()).format((offered.length > 0 ? offered : links).map(({ name }) => name))
  return (
    <SectionSheet title={m.linked_providers_title({ names })} lead={m.linked_providers_text()}>
      <KeptFocus rows={links}>
        <ul className="divide-y divide-line">
          {links.map((link) => (
            // The same row before it is linked and after.
            <LinkRow key={link.provider?.id ?? `gone ${link.identity?.id}`} link={link} />
          ))}
        </ul>
      </KeptFocus>
    </SectionSheet>
  )
}

function LinkRow({ link: { name, provider, identity } }: { link: ProviderLink }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-semibold">
          <UserText className="wrap-anywhere">{name}</UserText>
          <StateBadge isLinked={identity !== undefined} isOffered={provider !== undefined} />
        </p>
        {identity && <UserText className="text-sm wrap-anywhere text-ink-2">{identity.email}</UserText>}
      </div>
      {identity ? <UnlinkButton identity={identity} /> : provider && <LinkButton provider={provider} />}
    </li>
  )
}

function StateBadge({ isLinked, isOffered }: { isLinked: boolean; isOffered: boolean }) {
  if (!isOffered)
    return (
      <Badge tone="warn" icon={Unlink}>
        {m.linked_providers_gone()}
      </Badge>
    )
  return (
    <Badge tone={isLinked ? 'ok' : 'muted'} icon={isLinked ? Link2 : CircleMinus}>
      {isLinked ? m.linked_providers_linked() : m.linked_providers_not_linked()}
    </Badge>
  )
}

function LinkButton({ provider: { id, name } }: { provider: Provider }) {
  const [busy, run] = useBusy()
  const link = useLinkIdentity()

  async function finish(code: string) {
    const outcome = await run(() => attempt(link.mutateAsync(code)))
    if (outcome?.isDone) return tellDone(m.linked_providers_link_done({ name }))
    if (!outcome) return
    const { error } = outcome
    await tellFailure(error instanceof ApiError ? error.body.code : undefined, wordsOf(error, m.profile_try_again()))
  }

  /** The words of a failed sign-in fit no link. */
  function tellFailure(code: string | undefined, words: string) {
    const text = code === 'provider_login_failed' ? m.linked_providers_link_refused({ name }) : words
    return showNotice({ title: m.linked_providers_link_failed({ name }), text })
  }

  function handleLink() {
    askProvider(id, 'link', (handover) => {
      if ('code' in handover) void finish(handover.code)
      else void tellFailure(handover.error, sayCode(handover.error) ?? m.profile_try_again())
    })
  }

  return (
    <Button busy={busy} aria-label={m.linked_providers_link_of({ name })} onClick={handleLink}>
      {m.linked_providers_link()}
    </Button>
  )
}

function UnlinkButton({ identity: { id, name } }: { identity: Identity }) {
  const [busy, run] = useBusy()
  const unlink = useUnlinkIdentity()

  async function handleUnlink() {
    const question = { title: m.are_you_sure(), text: m.linked_providers_unlink_text({ name }) }
    if (!(await askConfirm({ ...question, action: m.linked_providers_unlink(), danger: true }))) return
    const outcome = await run(() => attempt(unlink.mutateAsync(id)))
    if (outcome?.isDone) await tellDone(m.provider_unlinked())
    else if (outcome)
      await showNotice({
        title: m.linked_providers_unlink_failed({ name }),
        text: wordsOf(outcome.error, m.profile_try_again()),
      })
  }

  return (
    <Button
      // With the last provider all of the section goes.
      ref={goOnAtHeading}
      kind="danger"
      busy={busy}
      aria-label={m.linked_providers_unlink_of({ name })}
      onClick={() => void handleUnlink()}
    >
      {m.linked_providers_unlink()}
    </Button>
  )
}

/** Once the row is drawn anew: the notice leads back to what has the focus then, and the button that was pressed is gone. */
async function tellDone(title: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
  return showNotice({ title, tone: 'success', closeAfterMs: PROFILE_DIALOG_MS })
}
