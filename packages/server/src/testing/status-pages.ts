import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { openStatusPage } from '@proofdesk/proof/log/status-page'
import type { KeyStatement } from '@proofdesk/proof/log/statements'
import { verifyDocument, type StatusSource } from '@proofdesk/proof/verify-document'
import { inTransaction } from '../db/in-transaction.ts'
import { appendEntries, toEntry } from '../log/append-statement.ts'
import { makeStatusPages } from '../log/status/make-status-pages.ts'
import { wantPage } from '../log/status/queries.ts'
import type { TestServer } from '../testing.ts'
import { must, sendCollection } from './collections.ts'

/** Has a collection approved. @param holdsMs No end when absent. @returns its Proof ID. */
export async function approve(server: TestServer, holdsMs?: number): Promise<string> {
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  const id = await sendCollection(ada)
  const expire_time = holdsMs === undefined ? null : new Date(server.clock.now() + holdsMs).toISOString()
  return must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', expire_time }), 200).proofid as string
}

export async function readPolicy(server: TestServer) {
  return parseInstancePolicy(new Uint8Array((await server.inject('/log/instance-policy')).rawPayload))
}

export async function readPage(server: TestServer) {
  const answer = await server.inject('/log/status/0')
  assert.equal(answer.statusCode, 200)
  return openStatusPage(answer.body, (await readPolicy(server)).log)
}

/** As a stranger does who has a network. */
export async function judge(server: TestServer, proofid: string, more: Partial<StatusSource> = {}) {
  const { db, blobs } = server.deps
  const row = await db
    .selectFrom('proofs')
    .select('sealed_key')
    .where('proofid', '=', proofid)
    .executeTakeFirstOrThrow()
  const pdf = new Uint8Array(await buffer(await blobs.read(row.sealed_key!)))
  const asked: number[] = []
  const statusPage: StatusSource = {
    async read(page) {
      asked.push(page)
      const answer = await server.inject(`/log/status/${page}`)
      return answer.statusCode === 200 ? answer.body : undefined
    },
    ...more,
  }
  const policy = await readPolicy(server)
  const { verdict, steps, remarks } = await verifyDocument(pdf, { policy, now: server.clock.now(), statusPage })
  const step = steps.find(({ name }) => name === 'revocation')
  return { verdict, remarks, step, asked }
}

/** Revokes a proof, or takes that back, by the real call. */
export async function changeProof(server: TestServer, what: 'revoke' | 'reinstate', proofid: string): Promise<void> {
  const sue = await server.signIn('sue', { is_superuser: true })
  must(await sue.post(`/admin/proofs/${what}/`, { proofid, ...(what === 'revoke' && { reason: 'superseded' }) }), 200)
}

/** Moves the expiry of a proof by the real call; null for never. */
export async function moveExpiry(server: TestServer, proofid: string, expire_time: string | null): Promise<void> {
  const sue = await server.signIn('sue', { is_superuser: true })
  must(await sue.post('/admin/proofs/expiry/', { proofid, expire_time }), 200)
}

/** Has the first page made with these bits, as an operator can who has the key: signed, in the log, and served. */
export async function makePageWith({ deps }: TestServer, revoked: readonly number[]): Promise<void> {
  await wantPage(deps.db, 0)
  await makeStatusPages(deps, { list: async () => new Set(revoked) })
  await deps.log.sign()
}

/** Adds that many entries that say nothing about an approval. */
export async function addEntries({ deps: { db, engine, log, now } }: TestServer, count: number): Promise<void> {
  const time = Math.floor(now() / 1000)
  const entries = Array.from({ length: count }, () => toEntry(makeKeyStatement(time)))
  if (count > 0) await inTransaction(db, (transaction) => appendEntries(engine, transaction, entries))
  await log.settle()
}

function makeKeyStatement(time: number): KeyStatement {
  return { kind: 'key', operation: 'add', use: 'doc', fingerprint: randomBytes(32).toString('base64url'), time }
}
