import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody } from '@proofdesk/contract/errors'
import { sayEnglish } from '@proofdesk/contract/messages'

const STATUS_OF_PARSER: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Answers bytes that are no HTTP request, too large headers, or a request that never came to its end; then hangs up. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  const status = STATUS_OF_PARSER[error.code ?? ''] ?? 400
  const body = JSON.stringify({ code: 'invalid', detail: sayEnglish('invalid') } satisfies ErrorBody)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/**
 * Whether an answer to an earlier request is under way there: ours would end up in its middle. Node keeps it under this name,
 * and looks there itself where nobody listens for broken requests.
 */
function isAnswering(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  const { _httpMessage: answer } = socket
  return answer?.headersSent === true
}
