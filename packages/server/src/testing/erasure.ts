import assert from 'node:assert/strict'
import { checkCounts } from '../counts/check-counts.ts'
import { findFact } from '../db/instance.ts'
import { makeShellDeps } from '../events/shell-deps.ts'
import { checkTree } from '../log/check-tree.ts'
import type { TestServer } from '../testing.ts'
import type { TestClient } from './client.ts'
import { addFile, must, openCollection } from './collections.ts'

/** What `issueRich` writes into a proof. */
export const PLANTED = ['Zwiebelkuchen', 'pergamentrolle', 'Quittenbrot', 'Nebelhorn', 'Walfischknochen', 'Sumpfdotter']

/** As the command has it. */
export const erasing = ({ deps, config }: TestServer) => ({ ...makeShellDeps(deps.db), keysDir: config.keysDir })

/** A proof with whatever can be kept about one: sent twice, commented on, changed. @returns its Proof ID and collection. */
export async function issueRich(ada: TestClient, sam: TestClient) {
  const id = await openCollection(ada, 'Zwiebelkuchen')
  const content = await addFile(ada, id)
  must(await ada.patch(`/contents/${content}/`, { title: 'pergamentrolle', title_type: 'OTHER' }), 200)
  must(await ada.post('/comments/', { collection: id, text: 'Quittenbrot?' }), 201)
  must(await sam.post('/comments/', { collection: id, text: 'Nebelhorn!' }), 201)
  must(await ada.post(`/collections/${id}/save/`), 200)
  must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Walfischknochen' }), 200)
  must(await ada.post(`/collections/${id}/save/`), 200)
  const { proofid } = must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Sumpfdotter' }), 200)
  return { id, proofid: proofid as string }
}

/** @returns the Proof ID. */
export async function approveOne(ada: TestClient, sam: TestClient, title = 'Degree'): Promise<string> {
  const id = await openCollection(ada, title)
  await addFile(ada, id)
  must(await ada.post(`/collections/${id}/save/`), 200)
  return must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200).proofid
}

/** The verdict that a stranger is told, or why there is none. */
export async function judge({ stranger }: TestServer, proofid: string, username = 'ada') {
  const answer = await stranger.post('/service-content-servers/verdict/', { proofid, username })
  return answer.status === 200 ? (answer.json().verdict as string) : `${answer.status} ${answer.json().code}`
}

/** Log and counts are right. */
export async function mustBeWell(server: TestServer): Promise<void> {
  const { db, engine } = server.deps
  const verifierKey = (await findFact(db, 'log_key')) ?? ''
  assert.equal((await checkTree(db, verifierKey)).problem, undefined)
  assert.deepEqual((await checkCounts({ db, engine })).wrong, [])
}
