import { WINDOW_HEADER } from '@proofdesk/contract/live'
import type { Out, Route } from '@proofdesk/contract/route'
import { m } from '../paraglide/messages.js'
import { NetworkError } from './api-error.ts'
import { withAccess } from './call.ts'
import { addressOf, refusalOf, type Input } from './send.ts'
import { WINDOW } from './window-name.ts'

export interface Upload {
  /** The form's other fields; they travel before the file. */
  fields: Record<string, string | number | undefined>
  file: File
  /** Those of the route's path. */
  params?: Record<string, number>
  /** Share of the bytes that have left, 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Sends one file to a multipart route. Fetch reports no progress of a body, so this is an XMLHttpRequest. */
export async function upload<R extends Route & { upload: 'multipart' }>(route: R, given: Upload): Promise<Out<R>> {
  const text = await withAccess(route, (access) =>
    transfer(addressOf(route, { params: given.params } as unknown as Input<R>), given, access),
  )
  return route.response?.parse(JSON.parse(text)) as Out<R>
}

function transfer(url: URL, { fields, file, onProgress, signal }: Upload, access: string | null): Promise<string> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, String(value))
  }
  form.set('file', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader(WINDOW_HEADER, WINDOW)
    if (access) request.setRequestHeader('authorization', `Bearer ${access}`)
    request.upload.addEventListener('load', () => onProgress?.(1))
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total)
    })
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve(request.responseText)
      else reject(refusalOf(request.status, request.responseText, request.getResponseHeader('retry-after')))
    })
    request.addEventListener('error', () => reject(new NetworkError(m.server_silent_title())))
    request.addEventListener('abort', () => reject(new DOMException('Upload cancelled', 'AbortError')))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    if (signal?.aborted) reject(new DOMException('Upload cancelled', 'AbortError'))
    else request.send(form)
  })
}
