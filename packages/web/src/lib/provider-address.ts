import { HANDOVER, startProviderLogin, type ProviderId } from '@proofdesk/contract/provider-login'
import { API_BASE } from '@proofdesk/contract/route'
import { readPersonId, watchPerson } from './session.ts'

/** The page begins anew when somebody comes back. */
const HEADED_FOR = 'headed-for'

/**
 * Goes to the provider, by way of our server.
 * @param from Where signing in leads then; undefined where that is not known.
 */
export function leaveForProvider(id: ProviderId, from: string | undefined): void {
  try {
    sessionStorage.setItem(HEADED_FOR, from ?? '')
  } catch {
    // Storage is full: signing in leads to the dashboard.
  }
  location.assign(`${API_BASE}${startProviderLogin.path}?${new URLSearchParams({ provider: id }).toString()}`)
}

/** Where whoever left for a provider in this tab was headed; told once. */
export function takeFrom(): string | undefined {
  const from = sessionStorage.getItem(HEADED_FOR)
  sessionStorage.removeItem(HEADED_FOR)
  return from || undefined
}

/** The window hands its answer over here: the pages in between cut it off from the one that opened it. */
const CHANNEL = 'provider-return'

let stopListening = () => {}
// What one person began is not finished for the next one in the same tab.
watchPerson(() => stopListening())

/**
 * Asks a provider in a window of its own, so that nothing on this screen is lost; call it from a press. Whoever asks again
 * hears only of the newer window.
 */
export function askProvider(
  id: ProviderId,
  purpose: 'confirm' | 'link',
  take: (handover: Exclude<ProviderHandover, { join: string }>) => void,
): void {
  stopListening()
  const channel = new BroadcastChannel(CHANNEL)
  stopListening = () => channel.close()
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'object' || data === null) return
    channel.close()
    if ('code' in data && typeof data.code === 'string') take({ code: data.code })
    if ('error' in data && typeof data.error === 'string') take({ error: data.error })
  })
  // The server links nobody else by it.
  const query = new URLSearchParams({
    provider: id,
    purpose,
    ...(purpose === 'link' && { user: String(readPersonId()) }),
  })
  window.open(`${API_BASE}${startProviderLogin.path}?${query.toString()}`, '_blank', 'popup,width=520,height=720')
}

/** In the window of its own. */
export function passHandover(handover: ProviderHandover): void {
  const channel = new BroadcastChannel(CHANNEL)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within the origin
  channel.postMessage(handover)
  channel.close()
}

/**
 * What the server put into the fragment when the person came back: a one-time code, one to show that an account is
 * theirs with, or the code of a failure.
 */
export type ProviderHandover = { code: string } | { join: string } | { error: string }

/** @param hash With its `#`. */
export function readHandover(hash: string): ProviderHandover | undefined {
  const values = new URLSearchParams(hash.slice(1))
  const [code, join, error] = [values.get(HANDOVER.code), values.get(HANDOVER.join), values.get(HANDOVER.error)]
  if (error !== null) return { error }
  if (join !== null) return { join }
  return code === null ? undefined : { code }
}
