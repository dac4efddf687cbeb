import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Whose request is being answered. It goes beside the calls instead of through them: every use case may record something,
 * and one that forgot to pass it on would leave a hole nobody sees.
 */
const clients = new AsyncLocalStorage<string>()

/** @param address Of the client, as far as the proxies in front can be believed. */
export function answerFor<T>(address: string, work: () => T): T {
  return clients.run(address, work)
}

/** Undefined for what no request asked for. */
export function findAskingClient(): string | undefined {
  return clients.getStore()
}
