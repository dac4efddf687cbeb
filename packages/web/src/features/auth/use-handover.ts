import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { attempt } from '../../lib/attempt.ts'
import { sayCode, wordsOf } from '../../lib/error-words.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { readHandover, takeFrom, type ProviderHandover } from '../../lib/provider-address.ts'
import { signInWithProviderCode, type CodeRequest } from './sign-in.ts'

/**
 * Finishes the sign-in of a person who came back from a provider. What the address carried is taken out of it first, so
 * that it is neither used twice nor kept in the history.
 * @returns whether that is under way
 */
export function useHandover(
  onCodeRequest: (request: CodeRequest | undefined) => void,
  onJoin: (code: string) => void,
): boolean {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [busy, run] = useBusy()
  const taken = useRef('')

  const finish = useCallback(
    async (handover: ProviderHandover) => {
      if ('error' in handover) return sayFailure(sayCode(handover.error) ?? m.provider_login_failed())
      if ('join' in handover) return onJoin(handover.join)
      const outcome = await run(() => attempt(signInWithProviderCode(handover.code)))
      if (outcome?.isDone) onCodeRequest(outcome.value)
      else if (outcome) await sayFailure(wordsOf(outcome.error, m.provider_login_failed()))
    },
    [run, onCodeRequest, onJoin],
  )

  useEffect(() => {
    const handover = readHandover(hash)
    if (!handover || taken.current === hash) return
    taken.current = hash
    // The guard of the sign-in reads it there.
    void navigate({ hash: '' }, { replace: true, state: { from: takeFrom() } })
    void finish(handover)
  }, [hash, navigate, finish])

  return busy
}

function sayFailure(text: string): Promise<void> {
  return showNotice({ title: m.provider_login_failed_title(), text })
}
