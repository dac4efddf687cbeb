import { AsyncLocalStorage } from 'node:async_hooks'
import { nameClient, nameNeighbourhood } from '../http/limits.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

/**
 * Whose request is being answered. It goes beside the calls instead of through them: every use case may record something,
 * and one that forgot to pass it on would leave a hole nobody sees.
 */
const clients = new AsyncLocalStorage<string>()

/** @param address Of the client, as far as the proxies in front can be believed. */
export function answerFor<T>(address: string, work: () => T): T {
  return clients.run(address, work)
}

/** 96 bits: enough to tell networks apart, too few to be a second address. */
const MARK_LENGTH = 16

/**
 * A keyed hash of the network (/24 of IPv4, /48 of IPv6) whose request is being answered: it shows what came from the same
 * place, and without the key nobody learns from where. Null for what no request asked for.
 */
export function markNetwork(secrets: SecretBox | undefined): string | null {
  const address = clients.getStore()
  if (address === undefined || !secrets) return null
  return secrets.mac(nameNeighbourhood(nameClient(address)), 'network of an audit entry').slice(0, MARK_LENGTH)
}
