import { HANDOVER, startProviderLogin, type ProviderId } from '@proofdesk/contract/provider-login'
import { API_BASE } from '@proofdesk/contract/route'

/** Goes to the provider, by way of our server. */
export function leaveForProvider(id: ProviderId): void {
  location.assign(`${API_BASE}${startProviderLogin.path}?${new URLSearchParams({ provider: id }).toString()}`)
}

/** The window hands its answer over here: the pages in between cut it off from the one that opened it. */
const CHANNEL = 'provider-return'

let stopListening = () => {}

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
  const query = new URLSearchParams({ provider: id, purpose })
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
