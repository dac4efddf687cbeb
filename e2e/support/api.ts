import { expect } from '@playwright/test'
import { PASSWORD, type RunningServer } from './running-server.ts'

/** The API as an integrator with curl uses it, to prepare what a screen test looks at. */
export interface ApiClient {
  get(path: string): Promise<Record<string, unknown>>
  post(path: string, body: object): Promise<Record<string, unknown>>
  patch(path: string, body: object): Promise<Record<string, unknown>>
  upload(collection: number, title: string, file: { name: string; buffer: Buffer }): Promise<void>
}

/** What signing in by the API answers. */
export async function takeTokens(
  server: RunningServer,
  username: string,
): Promise<{ access: string; refresh: string }> {
  const response = await fetch(`${server.url}/backend/api/v1/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  })
  if (!response.ok) throw new Error(`${username} cannot sign in: ${response.status} ${await response.text()}`)
  return (await response.json()) as { access: string; refresh: string }
}

export async function signInByApi(server: RunningServer, username: string): Promise<ApiClient> {
  const base = `${server.url}/backend/api/v1`
  const { access } = await takeTokens(server, username)
  const call = async (path: string, init: RequestInit): Promise<Record<string, unknown>> => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${access}`)
    const response = await fetch(`${base}${path}`, { ...init, headers })
    if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }
  const sendJson = (method: 'POST' | 'PATCH', path: string, body: object) =>
    call(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return {
    get: (path) => call(path, {}),
    post: (path, body) => sendJson('POST', path, body),
    patch: (path, body) => sendJson('PATCH', path, body),
    async upload(collection, title, file) {
      const form = new FormData()
      form.set('title_type', 'OTHER')
      form.set('title', title)
      form.set('collection', String(collection))
      form.set('file', new Blob([new Uint8Array(file.buffer)]), file.name)
      await call('/contents/', { method: 'POST', body: form })
    },
  }
}

/** Approves what waits, once it is prepared. @returns its Proof ID, once it is sealed: a busy machine takes its time for both. */
export async function approveByApi(reviewer: ApiClient, id: number, decision: object): Promise<string> {
  await expect
    .poll(async () => (await reviewer.get(`/collections/${id}`))['submission'], { timeout: 60_000 })
    .toMatchObject({ document: 'ready' })
  await reviewer.post(`/admin/${id}/approve/`, decision)
  let proofid: unknown
  await expect
    .poll(async () => (proofid = (await reviewer.get(`/collections/${id}`))['proofid']), { timeout: 60_000 })
    .not.toBeNull()
  return String(proofid)
}
