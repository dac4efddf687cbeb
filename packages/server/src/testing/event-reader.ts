import { API_BASE } from '@proofdesk/contract/route'

/** A live stream as a browser reads it. */
export interface EventReader {
  status: number
  headers: Headers
  /** Topics of the next `changed` event. @throws when none comes within `withinMs`, or the stream has ended. */
  next(withinMs?: number): Promise<string[]>
  /** Whether nothing is told for that long. */
  isQuiet(forMs: number): Promise<boolean>
  /** Resolves once the server ends the stream. */
  ended: Promise<void>
  /** Everything that came so far, comments included. */
  text(): string
  /** Leaves, as a closed tab does. */
  leave(): void
}

const PATIENCE_MS = 5000

/** @param url Of a listening server. */
export async function readEvents(
  url: string,
  access: string | undefined,
  more: Record<string, string> = {},
): Promise<EventReader> {
  const leaving = new AbortController()
  const response = await fetch(`${url}${API_BASE}/events/`, {
    headers: access === undefined ? more : { ...more, authorization: `Bearer ${access}` },
    signal: leaving.signal,
  })
  let text = ''
  let read = 0
  let isOver = false
  let wake = () => {}
  const ended = (async () => {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        wake()
      }
    } catch {
      // Left, or cut off: either way it is over.
    }
    isOver = true
    wake()
  })()

  async function next(withinMs = PATIENCE_MS): Promise<string[]> {
    const end = Date.now() + withinMs
    for (;;) {
      const found = /event: changed\ndata: (.*)\n\n/.exec(text.slice(read))
      if (found) {
        read += found.index + found[0].length
        return JSON.parse(found[1] ?? '') as string[]
      }
      const left = end - Date.now()
      if (isOver || left <= 0) throw new Error(isOver ? 'the stream has ended' : `no event within ${withinMs} ms`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  return {
    status: response.status,
    headers: response.headers,
    next,
    isQuiet: (forMs) =>
      next(forMs).then(
        () => false,
        () => true,
      ),
    ended,
    text: () => text,
    leave: () => leaving.abort(),
  }
}
