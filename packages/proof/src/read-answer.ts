import { joinBytes, type Bytes } from './bytes.ts'

/**
 * Far more than the largest answers of a log take that are read at once: a policy, a proof, and a page of revocations with 1024 entries
 * that came after it, of 180 bytes each as they are sent.
 */
export const ANSWER_MAX_BYTES = 1_000_000

/**
 * Reads the body of an answer, and no more of it than an honest one can have: who asks trusts neither the server nor the way.
 * @returns undefined where it is longer
 * @throws what the stream throws when it breaks off
 */
export async function readAnswer({ body }: Response): Promise<Bytes | undefined> {
  const reader = body?.getReader()
  let bytes: Bytes = new Uint8Array()
  while (bytes.length <= ANSWER_MAX_BYTES) {
    const { value } = (await reader?.read()) ?? {}
    if (!value) return bytes
    bytes = joinBytes(bytes, value)
  }
  await reader?.cancel()
  return undefined
}
