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

/** Opens a collection with some files by the real calls. */
export async function makeCollection(owner: TestClient, title: string, files = 1): Promise<Collection> {
  const made = readAnswer(await owner.post('/collections/', { title }))
  for (let file = 1; file <= files; file += 1) await addPng(owner, made.id, `file-${file}.png`)
  return made
}

/** The form is put together by hand: that of the test environment is none that a server would understand. */
async function addPng(owner: TestClient, collectionId: number, fileName: string): Promise<void> {
  const boundary = 'made-by-hand'
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`
  const response = await fetch(new URL(`${API_BASE}${createContent.path}`, location.origin), {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.access}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(`${part('name="title_type"')}TYPE1\r\n${part('name="collection"')}${collectionId}\r\n`),
      Buffer.from(part(`name="file"; filename="${fileName}"`)),
      PNG,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

/** Opens a collection, hands it to the reviewers, and waits until its review document is there. */
export async function makeSentCollection(owner: TestClient, title: string, files = 1): Promise<Collection> {
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
): Promise<Collection & { proofid: string }> {
  const { id } = await makeSentCollection(owner, title)
  const decision = { admin_desc: 'Fine', expire_time: expireTime }
  const approved = readAnswer(await reviewer.post(`/admin/${id}/approve/`, decision))
  if (approved.proofid === null) throw new Error('It is still being sealed.')
  return { ...approved, proofid: approved.proofid }
}

function readAnswer(answer: TestAnswer): Collection {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.body}`)
  return answer.json() as Collection
}
