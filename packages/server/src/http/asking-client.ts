import { AsyncLocalStorage } from 'node:async_hooks'
import type { Viewer } from '@proofdesk/contract/permissions'

/** Whose session a request came with, and what they might do as it came. */
export interface Caller {
  sessionId: number
  viewer: Viewer
  /** What is asked for takes no rights but the session. */
  isForOwnAccount?: boolean
  /** Whether what is called is for those alone who have proved their address. */
  needsVerifiedEmail: boolean
}

interface Client {
  address: string
  caller: Caller | undefined
}

/**
 * Whose request is being answered. It goes beside the calls instead of through them: every use case may record something,
 * and one that forgot to pass it on would leave a hole nobody sees.
 */
const clients = new AsyncLocalStorage<Client>()

/**
 * @param address Of the client, as far as the proxies in front can be believed.
 * @param caller Undefined for strangers, and where a call does not heed who asks.
 */
export function answerFor<T>(address: string, caller: Caller | undefined, work: () => T): T {
  return clients.run({ address, caller }, work)
}

/** Undefined for what no request asked for. */
export function findAskingClient(): string | undefined {
  return clients.getStore()?.address
}

/** Undefined for strangers, and for what no request asked for. */
export function findAskingCaller(): Caller | undefined {
  return clients.getStore()?.caller
}
