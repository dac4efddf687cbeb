import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { API_BASE } from '@proofdesk/contract/route'
import { z } from 'zod'
import type { Running } from './processes/running.ts'

const PATIENCE_MS = 120_000

const WithId = z.object({ id: z.number() })
const Waiting = z.object({ submission: z.object({ document: z.string() }) })
const Approved = z.object({ proofid: z.string() })

/** A form with one file, as bytes, so that sending it again costs nothing. */
export interface Form {
  body: Uint8Array
  contentType: string
}

/** What one person calls of the product. Each throws with its words where it is refused. */
export interface Caller {
  createCollection(): Promise<number>
  upload(form: Form): Promise<void>
  send(id: number): Promise<void>
  /** @param every ms between looks. */
  awaitPrepared(id: number, every: number): Promise<void>
  /** Waits until the review document is there, too. @returns the Proof ID. */
  approve(id: number): Promise<string>
}

/** @param headers of `signIn` */
export function openCaller(server: Pick<Running, 'port'>, headers: Record<string, string>): Caller {
  const call = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const url = `http://127.0.0.1:${server.port}${API_BASE}${path}`
    const answer = await fetch(url, { ...init, headers: { ...headers, ...(init.headers as object) } })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const post = (path: string, body: object) =>
    call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return {
    createCollection: async () => WithId.parse(await post('/collections/', { title: 'Degree certificate' })).id,
    upload: (form) => sendForm(server, `${API_BASE}/contents/`, headers, form),
    send: async (id) => {
      await call(`/collections/${id}/save/`, { method: 'POST' })
    },
    awaitPrepared: async (id, every) => {
      for (const end = performance.now() + PATIENCE_MS; ; await pause(every)) {
        if (Waiting.parse(await call(`/collections/${id}`)).submission.document === 'ready') return
        if (performance.now() > end) throw new Error(`collection ${id} is not prepared`)
      }
    },
    approve: async (id) => {
      const body = { admin_desc: 'Compared with the register.', expire_time: null }
      return Approved.parse(await post(`/admin/${id}/approve/`, body)).proofid
    },
  }
}

/** Collections that are made at once; more would be sent away. */
const MADE_AT_ONCE = 4
const LOOK_EVERY_MS = 100

/** Makes collections of one file each, and waits until each can be approved. @returns their ids. */
export async function sendMany(caller: Caller, count: number, file: Uint8Array): Promise<number[]> {
  const ids: number[] = []
  await doTogether(MADE_AT_ONCE, Array(count).fill(undefined), async () => {
    const id = await caller.createCollection()
    await caller.upload(await writeForm(file, 'scan.pdf', id))
    await caller.send(id)
    await caller.awaitPrepared(id, LOOK_EVERY_MS)
    ids.push(id)
  })
  return ids
}

/** What follows commits, by kind (`docs/operate.md`). */
const WORK_WAITING = /^proofdesk_work_waiting\{[^}]*\} (\d+)$/gm

/** Waits until nothing is left of what follows commits, such as thumbnails: it would be counted to what is measured next. */
export async function awaitIdle({ port }: Pick<Running, 'port'>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(LOOK_EVERY_MS)) {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    if (!answer.ok) throw new Error(`/metrics was answered with ${answer.status}`)
    const waiting = [...(await answer.text()).matchAll(WORK_WAITING)].map(([, count]) => Number(count))
    if (waiting.every((count) => count === 0)) return
    if (performance.now() > end) throw new Error('what follows commits is not done')
  }
}

/** Does the same for each, so many at once. */
export async function doTogether<Item>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const goOn = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, goOn))
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Sends it as one piece, which `fetch` does not. @throws with the words of what refuses it. */
export async function sendForm(
  { port }: Pick<Running, 'port'>,
  path: string,
  headers: Record<string, string>,
  { body, contentType }: Form,
): Promise<void> {
  const form = { ...headers, 'content-type': contentType, 'content-length': body.length }
  const sending = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers: form })
  sending.end(body)
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  const words = await text(answer)
  if (answer.statusCode !== 201) throw new Error(`${path} was answered with ${answer.statusCode}: ${words}`)
}

/** @param collection its id; a rival of the product's own form needs none */
export async function writeForm(file: Uint8Array, fileName: string, collection?: number): Promise<Form> {
  const form = new FormData()
  if (collection !== undefined) form.append('collection', String(collection))
  form.append('file', new Blob([Uint8Array.from(file)]), fileName)
  const written = new Response(form)
  return {
    body: new Uint8Array(await written.arrayBuffer()),
    contentType: written.headers.get('content-type') ?? '',
  }
}
