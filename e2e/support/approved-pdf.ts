import { makePdf } from '@proofdesk/certify/testing'
import { approveByApi, signInByApi } from './api.ts'
import { startServer, type RunningServer } from './running-server.ts'

/** What a stranger is handed: a certified PDF, and whose it is. */
export interface ApprovedPdf {
  proofid: string
  bytes: Buffer
}

/** An instance with a certified PDF of ada.lovelace's, and the policy that it is judged by. */
export async function startWithApproved(): Promise<{ server: RunningServer; approved: ApprovedPdf; policy: Buffer }> {
  const server = await startServer()
  await server.createUser({ username: 'ada.lovelace' })
  await server.createUser({ username: 'sam', role: 'staff' })
  const approved = await approvePdf(server, 'ada.lovelace', 'sam')
  const policy = Buffer.from(await (await fetch(`${server.url}/log/instance-policy`)).arrayBuffer())
  return { server, approved, policy }
}

/** Approves a collection of one PDF, as `owner` and `reviewer` do by the API. */
export async function approvePdf(server: RunningServer, owner: string, reviewer: string): Promise<ApprovedPdf> {
  const sender = await signInByApi(server, owner)
  const { id } = await sender.post('/collections/', { title: 'Lease agreement' })
  await sender.upload(Number(id), 'The lease', { name: 'lease.pdf', buffer: makePdf({ pages: 2, text: 'Lease page' }) })
  await sender.post(`/collections/${String(id)}/save/`, {})
  const staff = await signInByApi(server, reviewer)
  const proofid = await approveByApi(staff, Number(id), { admin_desc: 'All seen' })
  const asked = new URLSearchParams({ proofid, username: owner })
  const answer = await fetch(`${server.url}/backend/api/v1/service-content-servers/get-pdfs/?${asked}`)
  if (!answer.ok) throw new Error(`the certified PDF: ${answer.status} ${await answer.text()}`)
  return { proofid, bytes: Buffer.from(await answer.arrayBuffer()) }
}
