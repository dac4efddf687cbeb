import { ApiError, fieldMessagesOf } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'

/** What to tell about an upload that failed: the first error of title, title type or file, then the detail. */
export function wordsOfUploadFailure(error: unknown): string {
  return firstMessageOf(error) ?? wordsOf(error, m.content_create_failed())
}

export function wordsOfReplaceFailure(error: unknown): string {
  return firstMessageOf(error) ?? wordsOf(error, m.content_replace_failed())
}

function firstMessageOf(error: unknown): string | undefined {
  const messages = fieldMessagesOf(error)
  return [messages.title, messages.title_type, messages.file].flatMap((list) => list ?? [])[0]
}

/** Whether the file itself was at fault, as opposed to its title, the collection or the network. */
export function isRefusedFile(error: unknown): boolean {
  return error instanceof ApiError && error.body.code.startsWith('file_')
}
