import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ApprovalStep } from '../../deps.ts'
import { enqueue } from '../../outbox/outbox.ts'
import { ENGINES, startTestServer, type TestClient, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { makePdf } from '../../testing/small-files.ts'
import { explainRow } from './explain-row.ts'
import { findClaimedProof, findProofByProofId, type ProofRecord } from './queries.ts'
import { vouchForOldProofs } from './vouch-for-old-proofs.ts'
import { sealProof } from '../reviews/work.ts'

async function approve(sam: TestClient, id: number, expireTime?: string): Promise<string> {
  const body = { admin_desc: 'Fine', ...(expireTime !== undefined && { expire_time: expireTime }) }
  return must(await sam.post(`/admin/${id}/approve/`, body), 200).proofid
}

const verify = ({ stranger }: TestServer, proofid: string, username: string) =>
  stranger.get(`/service-content-servers/get-pdfs/?${new URLSearchParams({ proofid, username })}`)

async function find({ deps }: TestServer, proofid: string): Promise<ProofRecord> {
  return (await findProofByProofId(deps.db, proofid)) ?? assert.fail('no such proof')
}

/** What somebody who can write the database and nothing else does. */
const alter = ({ deps }: TestServer, id: number, change: Partial<ProofRecord>) =>
  deps.db.updateTable('proofs').set(change).where('id', '=', id).execute()

for (const engine of ENGINES) {
  test(`who can write the database only cannot have hashes of other files told as those of a proof (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const id = await sendCollection(ada)
    const proofid = await approve(sam, id, new Date(server.clock.now() + 60 * 60_000).toISOString())
    const ask = (path: string) =>
      server.stranger.post(`/service-content-servers/${path}/`, { proofid, username: 'ada' })
    const [file] = must(await ask('details'), 200).files as { sha256: string }[]
    const { db } = server.deps
    const { sha256 } = await db.selectFrom('contents').select('sha256').executeTakeFirstOrThrow()
    assert.equal(file?.sha256, sha256)
    await db
      .updateTable('contents')
      .set({ sha256: 'a'.repeat(64) })
      .execute()
    for (const path of ['details', 'verdict']) {
      const answer = await ask(path)
      assert.deepEqual([answer.status, answer.json().code], [500, 'proof_altered'], path)
      assert.match(answer.json().request_id, /^[0-9a-f-]{36}$/)
    }
    // Its owner may have replaced it since the proof expired: that is no file of the proof.
    server.clock.advance(2 * 60 * 60_000)
    const expired = must(await ask('verdict'), 200)
    assert.deepEqual([expired.verdict, expired.files], ['expired', []])
    await db.updateTable('contents').set({ sha256 }).execute()
    assert.equal(must(await ask('verdict'), 200).files.length, 1)
  })

  test(`who can write the database only cannot have another file verified (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const expiry = new Date(server.clock.now() + 60 * 60_000).toISOString()
    const proofid = await approve(sam, await sendCollection(ada), expiry)
    const other = await approve(sam, await sendCollection(ada, makePdf(2, 'Another')))
    const [proof, another] = [await find(server, proofid), await find(server, other)]
    const { sealed_key, sealed_sha256, sealed_size } = another
    const [upload] = await server.deps.db.selectFrom('contents').selectAll().execute()
    assert.ok(upload)
    const originals = { sealed_key: upload.blob_key, sealed_sha256: upload.sha256, sealed_size: upload.size }

    const changes: [string, Partial<ProofRecord>][] = [
      ['the key alone', { sealed_key }],
      ['the whole sealed file of another proof', { sealed_key, sealed_sha256, sealed_size }],
      ['its MAC with it', { sealed_key, sealed_sha256, sealed_size, seal_mac: another.seal_mac }],
      ['an uploaded file', originals],
      ['a later expiry', { expire_time: null }],
      ['another description', { admin_desc: 'Excellent' }],
      ['another reviewer', { reviewer_username: 'sue' }],
      ['no MAC', { seal_mac: null }],
      ['the MAC of its claim', { seal_mac: proof.claim_mac }],
    ]
    // For the operator, too.
    const explain = () => explainRow(server.deps.db, server.deps.secrets, proofid)
    for (const [name, change] of changes)
      await t.test(`by ${name}`, async () => {
        await alter(server, proof.id, change)
        for (const answer of [
          await verify(server, proofid, 'ada'),
          await ada.get(`/content-servers/serve/?collection_proofid=${proofid}`),
          await sam.get(`/content-servers/serve/?collection_proofid=${proofid}`),
        ]) {
          assert.equal(answer.status, 500, answer.body.slice(0, 100))
          assert.equal(answer.json().code, 'proof_altered')
        }
        assert.equal(await explain(), 'its row is not what was decided')
        await alter(server, proof.id, proof)
        assert.equal((await verify(server, proofid, 'ada')).status, 200)
        assert.equal(await explain(), undefined)
      })

    await t.test(
      'by another username on the row: who knows the true one learns nothing, nor who knows the false one',
      async () => {
        await alter(server, proof.id, { username: 'bob' })
        assert.equal((await verify(server, proofid, 'ada')).status, 404)
        assert.equal((await verify(server, proofid, 'bob')).json().code, 'proof_altered')
        await alter(server, proof.id, proof)
      },
    )
  })

  test(`who can write the database only gets nothing sealed (${engine})`, async (t) => {
    let atStep: (step: ApprovalStep) => Promise<void> | undefined = () => undefined
    const server = await startTestServer(t, engine, { onApprovalStep: (step) => atStep(step) })
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const sue = await server.signIn('sue', { is_superuser: true })
    const honest = await find(server, await approve(sam, await sendCollection(ada)))
    const files = async () => (await server.deps.db.selectFrom('proofs').select('sealed_key').execute()).length

    await t.test('by a claim that nobody made, on an uploaded file', async () => {
      const id = await sendCollection(ada, makePdf(1, 'Forged'))
      const { db } = server.deps
      const upload = await db
        .selectFrom('contents')
        .selectAll()
        .where('collection_id', '=', id)
        .executeTakeFirstOrThrow()
      for (const claim_mac of [null, honest.claim_mac]) {
        const { id: _, ...copied } = honest
        const { id: forged } = await db
          .insertInto('proofs')
          .values({
            ...copied,
            proofid: claim_mac === null ? 'FORGED-1' : 'FORGED-2',
            collection_id: id,
            state: 'claimed',
            published_at: null,
            revision0_key: upload.blob_key,
            revision0_sha256: upload.sha256,
            revision0_size: upload.size,
            sealed_key: null,
            sealed_sha256: null,
            sealed_size: null,
            claim_mac,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db.updateTable('collections').set({ claim_id: forged }).where('id', '=', id).execute()
        await enqueue(db, server.clock.now(), sealProof({ proof_id: forged }))
        await server.settle()
        const row = await db.selectFrom('proofs').selectAll().where('id', '=', forged).executeTakeFirstOrThrow()
        assert.deepEqual([row.state, row.sealed_key, row.problem], ['claimed', null, 'proof_altered'])
        assert.equal((await verify(server, row.proofid, 'ada')).status, 404)
        await db.deleteFrom('outbox').where('kind', '=', 'seal_proof').execute()
        await db.updateTable('collections').set({ claim_id: null }).where('id', '=', id).execute()
        await db.deleteFrom('proofs').where('id', '=', forged).execute()
      }
    })

    for (const [name, change] of [
      ['its text', { admin_desc: 'Excellent' }],
      ['its revision 0, for another one', { revision0_key: 'revisions/0123456789abcdef0123456789abcdef' }],
      ['its collection', { collection_id: honest.collection_id }],
    ] as [string, Partial<ProofRecord>][])
      await t.test(`by changing a claim between Claim and Seal: ${name}`, async () => {
        const id = await sendCollection(ada)
        // Its review document is there: the approval has no time to wait for it.
        await server.settle()
        const before = await files()
        let claimed: ProofRecord | undefined
        atStep = async (step) => {
          if (step !== 'claimed') return
          claimed = await findClaimedProof(server.deps.db, id)
          assert.ok(claimed)
          await alter(server, claimed.id, change)
        }
        server.deps.approvalWaitMs = 100
        const answer = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
        await server.settle()
        atStep = () => undefined
        assert.ok(claimed)
        assert.equal(answer.status, 202, answer.body)
        const row = await find(server, claimed.proofid)
        assert.deepEqual([row.state, row.sealed_key, row.problem], ['claimed', null, 'proof_altered'])
        assert.equal(await files(), before + 1)
        // As it was made, it is sealed; or a superuser takes it back.
        if (change.collection_id === undefined) {
          await alter(server, claimed.id, claimed)
          server.clock.advance(60_000)
          await server.settle()
          assert.equal((await verify(server, claimed.proofid, 'ada')).status, 200)
        } else {
          await alter(server, claimed.id, { collection_id: id })
          must(await sue.post(`/admin/${id}/withdraw/`, { admin_desc: 'Broken' }), 200)
        }
      })
  })

  test(`proofs from before there were MACs are vouched for once (${engine})`, async (t) => {
    const keysDir = await mkdtemp(join(tmpdir(), 'proofdesk-vouch-'))
    t.after(() => rm(keysDir, { recursive: true }))
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const proofid = await approve(sam, await sendCollection(ada))
    const { id, ...proof } = await find(server, proofid)
    const { db, secrets } = server.deps
    const forget = () => alter(server, id, { claim_mac: null, seal_mac: null })
    const vouch = () => vouchForOldProofs(db, secrets, { ...server.config, keysDir })

    await forget()
    assert.equal((await verify(server, proofid, 'ada')).json().code, 'proof_altered')
    await vouch()
    assert.equal((await find(server, proofid)).seal_mac, proof.seal_mac)
    assert.equal((await verify(server, proofid, 'ada')).status, 200)

    await forget()
    await vouch()
    assert.equal((await verify(server, proofid, 'ada')).status, 500)

    // After a backup from before was restored.
    await rm(join(keysDir, 'proofs-vouched'))
    await vouch()
    assert.equal((await verify(server, proofid, 'ada')).status, 200)
  })
}

test('a stored file that is not what it was is never sent, whole or in part', async (t) => {
  const server = await startTestServer(t, 'sqlite')
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  const id = await sendCollection(ada)
  const { blob_key } = await server.deps.db.selectFrom('contents').select('blob_key').executeTakeFirstOrThrow()
  const { results } = must(await ada.get(`/contents/?collection=${id}`), 200)
  const proofid = await approve(sam, id)
  const { sealed_key } = await find(server, proofid)
  const readings = [
    [sealed_key ?? '', () => verify(server, proofid, 'ada')],
    [sealed_key ?? '', () => ada.get(`/content-servers/serve/?collection_proofid=${proofid}`, { range: 'bytes=0-9' })],
    [blob_key, () => ada.get(String(results[0].file).replace('/backend/api/v1', ''))],
  ] as const
  for (const [key, read] of readings) {
    const path = join(server.config.dataDir, 'blobs', ...key.split('/'))
    const bytes = await readFile(path)
    // Seen once as it should be, so that nothing but the change itself is noticed.
    const status = (await read()).status
    assert.ok([200, 206].includes(status))
    const flipped = Buffer.from(bytes)
    flipped[bytes.length - 100] = (flipped[bytes.length - 100] ?? 0) ^ 1
    const damages = [
      () => writeFile(path, flipped),
      () => truncate(path, bytes.length - 1),
      () => truncate(path, 0),
      () => writeFile(path, Buffer.concat([bytes, bytes])),
    ]
    for (const damage of damages) {
      await damage()
      const answer = await read()
      assert.equal(answer.status, 500, answer.body.slice(0, 100))
      assert.equal(answer.json().code, 'file_altered')
      assert.equal(answer.headers.etag, undefined)
      await writeFile(path, bytes)
      assert.equal((await read()).status, status)
    }
  }
})
