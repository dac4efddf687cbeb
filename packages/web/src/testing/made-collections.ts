import type { Collection } from '@proofdesk/contract/collections'
import { createContent } from '@proofdesk/contract/contents'
import { API_BASE } from '@proofdesk/contract/route'
import type { TestAnswer, TestClient } from '@proofdesk/server/testing'
import { vi } from 'vitest'

/** One red pixel. */
export const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='),
  (letter) => letter.codePointAt(0) ?? 0,
)

export interface MadeFile {
  name: string
  bytes: Uint8Array
}

/** Opens a collection by the real calls. @param files Which, or how many of any. */
export async function makeCollection(
  owner: TestClient,
  title: string,
  files: number | readonly MadeFile[] = 1,
): Promise<Collection> {
  const made = readAnswer(await owner.post('/collections/', { title }))
  for (const file of typeof files === 'number' ? makePngs(files) : files) await addFile(owner, made.id, file)
  return made
}

function makePngs(count: number): MadeFile[] {
  return Array.from({ length: count }, (_, at) => ({ name: `file-${at + 1}.png`, bytes: PNG }))
}

/** The form is put together by hand: that of the test environment is none that a server would understand. */
async function addFile(owner: TestClient, collectionId: number, { name, bytes }: MadeFile): Promise<void> {
  const boundary = 'made-by-hand'
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`
  const response = await fetch(new URL(`${API_BASE}${createContent.path}`, location.origin), {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.access}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(`${part('name="title_type"')}TYPE1\r\n${part('name="collection"')}${collectionId}\r\n`),
      Buffer.from(part(`name="file"; filename="${name}"`)),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

/** Opens a collection, hands it to the reviewers, and waits until its review document is there. */
export async function makeSentCollection(
  owner: TestClient,
  title: string,
  files: number | readonly MadeFile[] = 1,
): Promise<Collection> {
  const { id } = await makeCollection(owner, title, files)
  readAnswer(await owner.post(`/collections/${id}/save/`))
  return vi.waitUntil(
    async () => {
      const sent = readAnswer(await owner.get(`/collections/${id}`))
      return sent.submission?.document === 'ready' && sent
    },
    { timeout: 20_000 },
  )
}

/** Opens a collection and has it approved. @param expireTime ISO 8601, null for never */
export async function makeApprovedCollection(
  owner: TestClient,
  reviewer: TestClient,
  title: string,
  expireTime: string | null = null,
  files: number | readonly MadeFile[] = 1,
): Promise<Collection & { proofid: string }> {
  const { id } = await makeSentCollection(owner, title, files)
  const decision = { admin_desc: 'Fine', expire_time: expireTime }
  const approved = readAnswer(await reviewer.post(`/admin/${id}/approve/`, decision))
  if (approved.proofid === null) throw new Error('It is still being sealed.')
  return { ...approved, proofid: approved.proofid }
}

function readAnswer(answer: TestAnswer): Collection {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.body}`)
  return answer.json() as Collection
}
