import type { LogSource } from '../check-growth.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Opened from an instance, and not from a saved file: only then is there anybody to ask. */
export const isServed = location.protocol === 'https:' || location.protocol === 'http:'

/** The policy of the instance that served this page; undefined where it does not answer. */
export async function fetchPolicy(): Promise<Bytes | undefined> {
  const answer = await ask('/log/instance-policy')
  return answer && new Uint8Array(await answer.arrayBuffer())
}

/** The log of the instance that served this page. */
export const INSTANCE_LOG: LogSource = {
  readHead: async () => (await ask('/log/checkpoint'))?.text(),
  readConsistency: async (oldSize, newSize) =>
    (await ask(`/log/consistency?old=${oldSize}&new=${newSize}`))?.json().catch(() => undefined),
}

/** A page of revocations of the instance that served this page. */
export async function readStatusPage(page: number): Promise<string | undefined> {
  return (await ask(`/log/status/${page}`))?.text()
}

async function ask(address: string): Promise<Response | undefined> {
  // Not from the browser's own store: what is asked is how it is now.
  const answer = await fetch(address, { credentials: 'omit', cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok) return answer
  // An answer that nobody reads stays open.
  await answer?.body?.cancel()
  return undefined
}
