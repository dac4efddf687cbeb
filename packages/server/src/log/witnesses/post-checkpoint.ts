import { WitnessFailure } from './witness-failure.ts'

/** c2sp.org/tlog-witness, "add-checkpoint": a few signature lines, or a size. */
const MAX_ANSWER_BYTES = 16 * 1024

/**
 * One request to a witness. Its answer is as hostile as any: read up to a bound, redirects are not followed.
 * @param url The submission prefix of c2sp.org/tlog-witness.
 * @throws WitnessFailure
 */
export async function postCheckpoint(
  url: string,
  body: string,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'accept-encoding': 'identity' },
      body,
      redirect: 'manual',
      signal,
    })
    return { status: response.status, body: await readText(response) }
  } catch (cause) {
    if (cause instanceof WitnessFailure) throw cause
    throw new WitnessFailure(signal.aborted ? 'slow' : 'unreachable', { cause })
  }
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // Leaving the loop ends the request.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new WitnessFailure('too_long')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
