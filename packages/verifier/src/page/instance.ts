import { readAnswer } from '@proofdesk/proof/read-answer'
import type { LogSource } from '../check-growth.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Opened from an instance, and not from a saved file: only then is there anybody to ask. */
export const isServed = location.protocol === 'https:' || location.protocol === 'http:'

/** For an answer and its body: an instance that never ends withholds no verdict. */
const WAIT_MS = 10_000

/** The policy of the instance that served this page; undefined where it does not answer. */
export async function fetchPolicy(): Promise<Bytes | undefined> {
  return readBytes(await ask('/log/instance-policy'))
}

/** The log of the instance that served this page. */
export const INSTANCE_LOG: LogSource = {
  readHead: async () => readText(await ask('/log/checkpoint')),
  readConsistency: async (oldSize, newSize) =>
    askJson(`/log/consistency?old=${oldSize}&new=${newSize}`).catch(() => undefined),
}

/** A page of revocations of the instance that served this page. */
export async function readStatusPage(page: number): Promise<string | undefined> {
  // Before it was first made the answer is empty.
  return (await readText(await ask(`/log/status/${page}`))) || undefined
}

async function readText(answer: Response | undefined): Promise<string | undefined> {
  const bytes = await readBytes(answer)
  return bytes && new TextDecoder().decode(bytes)
}

/** Undefined for what breaks off or never ends, like what does not come. */
async function readBytes(answer: Response | undefined): Promise<Bytes | undefined> {
  return answer && readAnswer(answer).catch(() => undefined)
}

async function ask(address: string): Promise<Response | undefined> {
  const answer = await askAny(address)
  if (answer?.ok) return answer
  // An answer that nobody reads stays open.
  await answer?.body?.cancel()
  return undefined
}

/** @returns null for what the instance says is not there; undefined where it does not answer. */
async function askJson(address: string): Promise<unknown> {
  const answer = await askAny(address)
  if (answer?.ok) {
    const text = await readText(answer)
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  }
  await answer?.body?.cancel()
  return answer?.status === 404 ? null : undefined
}

function askAny(address: string): Promise<Response | undefined> {
  // Not from the browser's own store: what is asked is how it is now.
  const signal = AbortSignal.timeout(WAIT_MS)
  return fetch(address, { credentials: 'omit', cache: 'no-store', signal }).catch(() => undefined)
}
