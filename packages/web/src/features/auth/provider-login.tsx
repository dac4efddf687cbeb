import type { ProviderId } from '@proofdesk/contract/provider-login'
import { Suspense, useState } from 'react'
import { loadLazily } from '../../ui/lazy-code.tsx'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { CodeStep } from './code-step.tsx'
import { leaveForProvider } from '../../lib/provider-address.ts'
import type { CodeRequest } from './sign-in.ts'
import { useHandover } from './use-handover.ts'
import { useLeaving } from './use-leaving.ts'
import { useProviders } from './use-providers.ts'

const JoinAccount = loadLazily(() => import('./join-account.tsx'))

interface ProviderLoginProps {
  /** Where signing in leads then; the dashboard where it is not known. */
  from: string | undefined
  /** Words on the button of a provider. */
  say?: (values: { name: string }) => string
}

/** A button for each identity provider of this installation, and what follows when a person comes back from one. */
export function ProviderLogin({ from, say = m.provider_login_submit }: ProviderLoginProps) {
  const providers = useProviders()
  const [codeRequest, setCodeRequest] = useState<CodeRequest>()
  const [joinCode, setJoinCode] = useState<string>()
  const isFinishing = useHandover(setCodeRequest, setJoinCode)
  const [leavingFor, leave] = useLeaving((id: ProviderId) => leaveForProvider(id, from))
  const busyId = isFinishing ? 'all' : leavingFor

  return (
    <>
      {providers.length > 0 && (
        <section aria-label={m.provider_login_label()} className="grid gap-3">
          <Divider />
          {providers.map((provider) => (
            <ProviderButton
              key={provider.id}
              words={say({ name: provider.name })}
              busy={busyId === 'all' || busyId === provider.id}
              onPress={() => leave(provider.id)}
            />
          ))}
        </section>
      )}
      <CodeStep request={codeRequest} onClose={() => setCodeRequest(undefined)} />
      <Suspense>
        {joinCode !== undefined && <JoinAccount code={joinCode} onClose={() => setJoinCode(undefined)} />}
      </Suspense>
    </>
  )
}

function ProviderButton({ words, busy, onPress }: { words: string; busy: boolean; onPress: () => void }) {
  return (
    <Button busy={busy} onClick={onPress} className="min-h-10.5">
      <span className="min-w-0 truncate">{busy ? m.provider_login_busy() : words}</span>
    </Button>
  )
}

function Divider() {
  return (
    <div aria-hidden className="flex items-center gap-3 text-ink-2">
      <span className="h-px grow bg-line" />
      {m.provider_login_or()}
      <span className="h-px grow bg-line" />
    </div>
  )
}
