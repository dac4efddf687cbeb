import { API_BASE } from '@proofdesk/contract/route'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { refuseUndocumented } from './documented-answers.ts'

export interface TestAnswer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: string
  bytes: Buffer
  // A test knows what it asked for; checking the shape is what it is there to do.
  // oxlint-disable-next-line typescript/no-explicit-any
  json(): any
}

export interface TestFile {
  name: string
  bytes: Uint8Array | string
  type?: string
}

export type Headers = Record<string, string>

/**
 * Calls the API as one person, or as a stranger. Paths are those of the contract, below the API's base.
 * An answer that the contract does not name for the call throws, so that every test watches over the API's document.
 */
export interface TestClient {
  /** Undefined for a stranger. */
  access: string | undefined
  refresh: string | undefined
  get(path: string, headers?: Headers): Promise<TestAnswer>
  post(path: string, body?: unknown, headers?: Headers): Promise<TestAnswer>
  patch(path: string, body?: unknown, headers?: Headers): Promise<TestAnswer>
  delete(path: string, headers?: Headers): Promise<TestAnswer>
  /** A multipart form; the fields go before the file. */
  upload(path: string, fields: Record<string, string>, file?: TestFile, headers?: Headers): Promise<TestAnswer>
}

/** @param app Asked anew for each call, since a server may be restarted. */
export function makeClient(app: () => FastifyInstance, tokens?: { access: string; refresh: string }): TestClient {
  async function send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    headers: Headers = {},
    payload?: InjectOptions['payload'],
  ): Promise<TestAnswer> {
    const authorization: Headers = tokens ? { authorization: `Bearer ${tokens.access}` } : {}
    const answer = await app().inject({
      method,
      url: `${API_BASE}${path}`,
      headers: { ...authorization, ...headers },
      ...(payload !== undefined && { payload }),
    })
    refuseUndocumented(method, path, answer.statusCode, answer.body)
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.body,
      bytes: answer.rawPayload,
      json: () => JSON.parse(answer.body),
    }
  }
  const sendJson = (method: 'POST' | 'PATCH', path: string, body: unknown, headers: Headers = {}) =>
    body === undefined
      ? send(method, path, headers)
      : send(method, path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))

  return {
    access: tokens?.access,
    refresh: tokens?.refresh,
    get: (path, headers) => send('GET', path, headers),
    post: (path, body, headers) => sendJson('POST', path, body, headers),
    patch: (path, body, headers) => sendJson('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, headers),
    upload: async (path, fields, file, headers = {}) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      if (file) {
        const bytes = typeof file.bytes === 'string' ? file.bytes : Uint8Array.from(file.bytes)
        form.append('file', new Blob([bytes], { type: file.type ?? 'application/octet-stream' }), file.name)
      }
      const encoded = new Response(form)
      const contentType = encoded.headers.get('content-type') ?? ''
      return send('POST', path, { ...headers, 'content-type': contentType }, Buffer.from(await encoded.arrayBuffer()))
    },
  }
}
