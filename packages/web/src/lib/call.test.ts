import { serveServerContent } from '@proofdesk/contract/certificates'
import { expect, test, vi } from 'vitest'
import { NetworkError } from './api-error.ts'
import { callFile } from './call.ts'

test.each([
  ['a connection that breaks while a file comes is the network', new TypeError('terminated'), NetworkError],
  ['a file that is no longer wanted stays cancelled', new DOMException('Aborted', 'AbortError'), DOMException],
])('%s', async (_, failure, kind) => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('%PDF-'))
      controller.error(failure)
    },
  })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body)))
  try {
    await expect(callFile(serveServerContent, { query: { collection_proofid: 'x' } })).rejects.toBeInstanceOf(kind)
  } finally {
    vi.unstubAllGlobals()
  }
})
