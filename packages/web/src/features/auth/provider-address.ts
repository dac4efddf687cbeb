import { HANDOVER, startProviderLogin, type ProviderId } from '@proofdesk/contract/provider-login'
import { API_BASE } from '@proofdesk/contract/route'

/** Goes to the provider, by way of our server. */
export function leaveForProvider(id: ProviderId): void {
  location.assign(`${API_BASE}${startProviderLogin.path}?${new URLSearchParams({ provider: id }).toString()}`)
}

/** What the server put into the fragment when the person came back: a one-time code, or the code of a failure. */
export type ProviderHandover = { code: string } | { error: string }

/** @param hash With its `#`. */
export function readHandover(hash: string): ProviderHandover | undefined {
  const values = new URLSearchParams(hash.slice(1))
  const [code, error] = [values.get(HANDOVER.code), values.get(HANDOVER.error)]
  if (error !== null) return { error }
  return code === null ? undefined : { code }
}
