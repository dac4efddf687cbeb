import { ApiError, fieldMessagesOf, wordsOf } from '../../lib/api-error.ts'
import { m } from '../../paraglide/messages.js'

/** What to tell about an upload that failed: the first error of title, title type or file, then the detail. */
export function wordsOfUploadFailure(error: unknown): string {
  const messages = fieldMessagesOf(error)
  const [first] = [messages.title, messages.title_type, messages.file].flatMap((list) => list ?? [])
  return first ?? wordsOf(error, m.content_create_failed())
}

/** Whether the file itself was at fault, as opposed to its title, the collection or the network. */
export function isRefusedFile(error: unknown): boolean {
  return error instanceof ApiError && error.body.code.startsWith('file_')
}
