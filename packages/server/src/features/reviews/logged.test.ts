import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { needJudge, runJudge } from '@proofdesk/certify/testing'
import { fromHex } from '@proofdesk/proof/bytes'
import { parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { commitChange, type ChangeFields } from '@proofdesk/proof/log/change-commitment'
import { openCommitment } from '@proofdesk/proof/log/commitment'
import { openNote, parseVerifierKey } from '@proofdesk/proof/log/note'
import { parseProofExtra } from '@proofdesk/proof/log/proof-extra'
import { formatStatement, parseStatement } from '@proofdesk/proof/log/statements'
import { parseTlogProof } from '@proofdesk/proof/log/tlog-proof'
import { hashLeaf, verifyInclusion } from '@proofdesk/proof/log/tree'
import { verifySeal } from '@proofdesk/proof/verify-seal'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'

async function approve(server: TestServer, id: number, body: object = {}) {
  const sam = await server.signIn('sam', { is_staff: true })
  return sam.post(`/admin/${id}/approve/`, { admin_desc: 'All seen', ...body })
}

async function readSealed({ deps }: TestServer, proofid: string): Promise<Uint8Array<ArrayBuffer>> {
  const { sealed_key } = await deps.db
    .selectFrom('proofs')
    .select('sealed_key')
    .where('proofid', '=', proofid)
    .executeTakeFirstOrThrow()
  return new Uint8Array(await buffer(await deps.blobs.read(sealed_key!)))
}

async function listStatements({ deps }: TestServer) {
  const rows = await deps.db.selectFrom('log_entries').select('entry').orderBy('leaf_index').execute()
  return rows.map(({ entry }) => parseStatement(new TextEncoder().encode(entry)))
}

for (const engine of ENGINES)
  describe(`approvals in the log (${engine})`, () => {
    test('14.7 a certified PDF carries the proof that its approval is in the log, which is checked without the server', async (t) => {
      const server = await startTestServer(t, engine)
      const ada = await server.signIn('ada')
      const id = await sendCollection(ada)
      const { proofid } = must(await approve(server, id, { expire_time: '2099-01-02T03:04:05Z' }), 200)
      const pdf = await readSealed(server, proofid)

      // All that a stranger has: the file, and the two keys.
      const log = parseVerifierKey(server.deps.log.verifierKey)
      const statements = await listStatements(server)
      const [signer] = statements.filter((statement) => statement.kind === 'key')
      assert.ok(signer)
      const seal = await verifySeal(pdf, { pins: [Buffer.from(signer.fingerprint, 'base64url').toString('hex')] })
      assert.ok(seal.proof)
      const { index, path, checkpoint, extra } = parseTlogProof(new TextDecoder().decode(seal.proof))
      const { time, expiryDay, disclosures, hidden } = parseProofExtra(extra!)
      const approval = statements[index]
      assert.equal(approval?.kind, 'approve')
      const fields = openCommitment(approval.commitment, disclosures, hidden)
      const entry = formatStatement({
        kind: 'approve',
        commitment: approval.commitment,
        time,
        ...(expiryDay !== null && { expiryDay }),
      })
      const head = parseCheckpoint((await openNote(checkpoint, [log])).text)
      verifyInclusion({ index, size: head.size, leafHash: hashLeaf(entry), path, root: head.root })

      assert.deepEqual(
        [fields.pid, fields.sub, fields.by, fields.note, fields.org, fields.exp],
        [proofid, 'ada', 'sam', 'All seen', 'Test Registry', '2099-01-02T03:04:05Z'],
      )
      const revision0 = createHash('sha256').update(pdf.subarray(0, seal.revision0Size)).digest('hex')
      assert.deepEqual(fields.doc?.[0], { sha256: revision0, size: seal.revision0Size, type: 'application/pdf' })
      assert.equal(fields.doc?.length, 2)
      assert.match(fields.dig ?? '', /^[0-9a-f]{64}$/)
    })

    test('14.8 the log names nobody: no Proof ID, no name, no title, no hash of a file', async (t) => {
      const server = await startTestServer(t, engine)
      const ada = await server.signIn('adalovelace')
      const { proofid } = must(await approve(server, await sendCollection(ada)), 200)
      const [proof] = await server.deps.db.selectFrom('proofs').selectAll().execute()
      const entries = await server.deps.db.selectFrom('log_entries').select('entry').execute()
      const text = JSON.stringify(entries)
      const [file] = await server.deps.db.selectFrom('submission_files').select(['sha256', 'title']).execute()
      const secrets = [proofid, 'adalovelace', 'sam', proof?.title, proof?.seed, proof?.revision0_sha256, file?.sha256]
      for (const secret of secrets) {
        assert.ok(secret)
        assert.ok(!text.includes(secret), secret)
        if (/^[0-9a-f]{64}$/.test(secret)) assert.ok(!text.includes(Buffer.from(fromHex(secret)).toString('base64url')))
      }
    })

    test('14.9 of two who approve at once one is in the log', async (t) => {
      const server = await startTestServer(t, engine)
      const ada = await server.signIn('ada')
      const id = await sendCollection(ada)
      await server.signIn('sam', { is_staff: true })
      await server.settle()
      const answers = await Promise.all([approve(server, id), approve(server, id)])
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 409],
      )
      await server.deps.log.sign()
      const kinds = (await listStatements(server)).map(({ kind }) => kind)
      assert.deepEqual(kinds, ['genesis', 'key', 'approve'])
    })

    test('14.10 many approvals at once are each in the log, under heads that continue each other', async (t) => {
      const server = await startTestServer(t, engine)
      const ada = await server.signIn('ada')
      const ids = await Promise.all(Array.from({ length: 6 }, () => sendCollection(ada)))
      await server.signIn('sam', { is_staff: true })
      await server.settle()
      const answers = await Promise.all(ids.map((id) => approve(server, id)))
      for (const answer of answers) must(answer, 200)
      assert.equal((await listStatements(server)).length, 8)
      const heads = await server.deps.db.selectFrom('log_checkpoints').select('size').orderBy('size').execute()
      const last = heads.at(-1)!.size
      assert.equal(last, 8)
      for (const { size } of heads)
        assert.equal((await server.inject(`/log/consistency?old=${size}&new=${last}`)).statusCode, 200)
    })

    test('14.11 where the log is behind what was signed, an approval is refused before anything is built', async (t) => {
      const server = await startTestServer(t, engine)
      const ada = await server.signIn('ada')
      const id = await sendCollection(ada)
      await server.settle()
      await server.deps.log.sign()
      await makeLogForget(server)
      await server.restart()
      const refused = await approve(server, id)
      assert.deepEqual([refused.status, refused.json().code], [503, 'log_behind'])
      assert.equal((await server.deps.db.selectFrom('proofs').select('id').execute()).length, 0)
    })

    test('14.12 fields that were changed in the database are not sealed', async (t) => {
      const server = await startTestServer(t, engine, {
        onApprovalStep: async (step) => {
          if (step !== 'claimed') return
          await sql`update log_commitments set fields = replace(fields, 'All seen', 'Not seen')`.execute(server.deps.db)
        },
      })
      server.deps.approvalWaitMs = 500
      const ada = await server.signIn('ada')
      const id = await sendCollection(ada)
      await server.settle()
      assert.equal((await approve(server, id)).status, 202)
      await server.settle()
      const [proof] = await server.deps.db.selectFrom('proofs').select(['state', 'problem']).execute()
      assert.deepEqual([proof?.state, proof?.problem], ['claimed', 'proof_altered'])
    })

    test('14.15 a revocation, its undoing and another expiry are entries of the log, which refer to the approval and name nothing', async (t) => {
      const server = await startTestServer(t, engine)
      const ada = await server.signIn('ada')
      const sue = await server.signIn('sue', { is_superuser: true })
      const { proofid } = must(await approve(server, await sendCollection(ada)), 200)
      const change = (what: string, body: object) => sue.post(`/admin/proofs/${what}/`, { proofid, ...body })
      must(await change('expiry', { expire_time: '2099-01-02T03:04:05Z' }), 200)
      must(await change('revoke', { reason: 'superseded', text: 'A newer one' }), 200)
      const refused = await Promise.all([
        change('revoke', { reason: 'superseded' }),
        change('expiry', { expire_time: null }),
      ])
      assert.deepEqual(
        refused.map(({ status }) => status),
        [409, 409],
      )
      must(await change('reinstate', {}), 200)
      must(await change('expiry', { expire_time: null }), 200)
      await server.deps.log.sign()
      const [genesis, key, approval, ...changes] = (await listStatements(server)).filter(
        ({ kind }) => kind !== 'status',
      )
      assert.deepEqual([genesis?.kind, key?.kind, approval?.kind], ['genesis', 'key', 'approve'])
      const told = changes.map((one) =>
        'ref' in one ? [one.kind, one.ref, 'expiryDay' in one ? one.expiryDay : undefined] : one,
      )
      assert.deepEqual(told, [
        ['amend', 2, 47119],
        ['revoke', 2, undefined],
        ['reinstate', 2, undefined],
        ['amend', 2, undefined],
      ])
      const commitments = await server.deps.db
        .selectFrom('log_commitments')
        .selectAll()
        .where('kind', '<>', 'approve')
        .execute()
      const recomputed = commitments.map(
        ({ seed, fields }) => commitChange(fromHex(seed), JSON.parse(fields) as ChangeFields).commitment,
      )
      assert.deepEqual(
        recomputed.toSorted(),
        changes.map((one) => ('commitment' in one ? one.commitment : '')).toSorted(),
      )
      const text = JSON.stringify(await server.deps.db.selectFrom('log_entries').select('entry').execute())
      for (const secret of [proofid, 'superseded', 'A newer one', 'sue']) assert.ok(!text.includes(secret), secret)
    })

    test('14.16 a withdrawn approval is revoked in the log', async (t) => {
      let isHeld = true
      const server = await startTestServer(t, engine, {
        onApprovalStep: (step) => {
          if (step === 'seal-made' && isHeld) throw new Error('held up')
        },
      })
      server.deps.approvalWaitMs = 500
      const ada = await server.signIn('ada')
      const sue = await server.signIn('sue', { is_superuser: true })
      const id = await sendCollection(ada)
      await server.settle()
      assert.equal((await approve(server, id)).status, 202)
      await server.settle()
      must(await sue.post(`/admin/${id}/withdraw/`, { admin_desc: 'It cannot be sealed' }), 200)
      isHeld = false
      await server.deps.log.sign()
      const last = (await listStatements(server)).slice(2).filter(({ kind }) => kind !== 'status')
      assert.deepEqual(
        last.map((one) => [one.kind, 'ref' in one ? one.ref : undefined]),
        [
          ['approve', undefined],
          ['revoke', 2],
        ],
      )
    })

    for (const isOlder of [true, false])
      test(`14.14 an approval that the log does not know is ${isOlder ? 'sealed without a proof when it is older than the log' : 'not sealed'}`, async (t) => {
        const server = await startTestServer(t, engine, {
          onApprovalStep: async (step) => {
            if (step === 'claimed') await server.deps.db.deleteFrom('log_commitments').execute()
          },
        })
        if (isOlder) server.deps.log = { ...server.deps.log, begunAt: server.clock.now() + 600_000 }
        server.deps.approvalWaitMs = 2000
        const ada = await server.signIn('ada')
        const id = await sendCollection(ada)
        await server.settle()
        await approve(server, id)
        await server.settle()
        const [proof] = await server.deps.db.selectFrom('proofs').select(['proofid', 'state', 'problem']).execute()
        assert.deepEqual([proof?.state, proof?.problem], isOlder ? ['published', null] : ['claimed', 'proof_altered'])
        if (!isOlder) return
        const [signer] = (await listStatements(server)).filter((statement) => statement.kind === 'key')
        const pins = [Buffer.from(signer!.fingerprint, 'base64url').toString('hex')]
        assert.equal((await verifySeal(await readSealed(server, proof!.proofid), { pins })).proof, null)
      })
  })

test('14.13 the proof is an attachment that other programs find', async (t) => {
  if (!needJudge(t, 'pdfdetach', 'qpdf', 'pdfsig')) return
  const server = await startTestServer(t, 'sqlite')
  const ada = await server.signIn('ada')
  const { proofid } = must(await approve(server, await sendCollection(ada)), 200)
  const file = join(server.config.dataDir, 'certified.pdf')
  await writeFile(file, await readSealed(server, proofid))
  assert.match((await runJudge('pdfdetach', '-list', file)).text, /proof\.tlog-proof/)
  assert.equal((await runJudge('qpdf', '--check', file)).code, 0)
  const { text } = await runJudge('pdfsig', '-nocert', file)
  assert.match(text, /Signature is Valid/)
  assert.match(text, /Total document signed/)
})

/** As after the restore of a backup from before the first approval. */
async function makeLogForget({ deps: { db, engine } }: TestServer): Promise<void> {
  const tables = ['log_entries', 'log_tiles', 'log_checkpoints'].map((table) => ({ table, trigger: `${table}_delete` }))
  const on = (table: string) => (engine === 'postgres' ? ` on ${table}` : '')
  await sql.raw(`drop trigger log_state_update${on('log_state')}`).execute(db)
  for (const { table, trigger } of tables) {
    await sql.raw(`drop trigger ${trigger}${on(table)}`).execute(db)
    await sql.raw(`delete from ${table}`).execute(db)
  }
  await sql
    .raw(
      "update log_state set size = 0, asked_size = 0, root = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'",
    )
    .execute(db)
}
