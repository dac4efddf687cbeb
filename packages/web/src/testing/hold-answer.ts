import { onTestFinished, vi } from 'vitest'

/**
 * Has the next answer from an address come late: the server has given it by then, and what it says may be out of date.
 * @param path How the address ends, without the query.
 */
export function holdAnswer(path: string): { held: readonly string[]; release: () => void } {
  const { fetch } = globalThis
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const held: string[] = []
  vi.stubGlobal('fetch', async (address: URL, init: RequestInit) => {
    const answer = await fetch(address, init)
    if (held.length === 0 && address.pathname.endsWith(path)) {
      held.push(address.pathname)
      await released
    }
    return answer
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return { held, release }
}
