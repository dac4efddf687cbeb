import { NetworkError } from '../../lib/api-error.ts'
import { m } from '../../paraglide/messages.js'
import type { Refused } from './retrieve.ts'

/**
 * Why a file was not judged. Whose keys to check by is asked of the server, so a server that is away says nothing about
 * the file; what the browser cannot read, it names by a DOMException (File API, section 7).
 */
export function explainUnjudged(error: unknown, name: string): Refused {
  const unjudged = { kind: 'refused', reason: 'unknown', text: m.verify_file_unchecked({ name }) } as const
  if (error instanceof NetworkError) return { ...unjudged, title: m.server_silent_title() }
  return { ...unjudged, title: error instanceof DOMException ? m.verify_file_unread() : m.verify_failed() }
}
