import { joinBytes, type Bytes } from './bytes.ts'

/**
 * Far more than the largest answers of a log take that are read at once: a policy, a proof, and a page of revocations with 1024 entries
 * that came after it, of 180 bytes each as they are sent.
 */
export const ANSWER_MAX_BYTES = 1_000_000

/**
 * Reads the body of an answer, and no more of it than an honest one can have: who asks trusts neither the server nor the way, nor how
 * much comes packed into few bytes.
 * @param most Bytes that an honest one can have.
 * @returns undefined where it is longer
 * @throws what the stream throws when it breaks off
 */
export async function readAnswer({ body }: Response, most = ANSWER_MAX_BYTES): Promise<Bytes | undefined> {
  const reader = body?.getReader()
  const pieces: Uint8Array[] = []
  for (let length = 0; length <= most;) {
    const { value } = (await reader?.read()) ?? {}
    if (!value) return joinBytes(...pieces)
    pieces.push(value)
    length += value.length
  }
  await reader?.cancel()
  return undefined
}
