import { fieldMessagesOf, wordsOf } from '../../lib/api-error.ts'
import { m } from '../../paraglide/messages.js'

/** What to tell about an upload that failed: the first error of title, title type or file, then the detail. */
export function wordsOfUploadFailure(error: unknown): string {
  if (error instanceof DOMException && error.name === 'AbortError') return m.content_upload_cancelled()
  const messages = fieldMessagesOf(error)
  const [first] = [messages.title, messages.title_type, messages.file].flatMap((list) => list ?? [])
  return first ?? wordsOf(error, m.content_create_failed())
}
