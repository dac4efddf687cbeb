import type { FastifyRequest } from 'fastify'

/** How long the rest of a refused body is thrown away before the connection is cut. */
const LINGER_MS = 3000

/**
 * Gives up a request body that nobody wants any more. It is thrown away for a moment rather than cut off at once: a
 * connection that is reset while its client still sends takes the answer with it.
 */
export function stopReading({ raw }: FastifyRequest): void {
  if (raw.readableEnded || raw.destroyed) return
  raw.unpipe()
  raw.on('error', () => {})
  raw.resume()
  const timer = setTimeout(() => raw.socket?.destroy(), LINGER_MS)
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer))
}
