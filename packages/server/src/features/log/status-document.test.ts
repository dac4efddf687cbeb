import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { needJudge, runJudge } from '@proofdesk/certify/testing'
import { SECONDS_PER_DAY, type AmendStatement } from '@proofdesk/proof/log/statements'
import { hashLeaf } from '@proofdesk/proof/log/tree'
import { inTransaction } from '../../db/in-transaction.ts'
import { appendEntries, appendStatement } from '../../log/append-statement.ts'
import { makeStatusPages } from '../../log/status/make-status-pages.ts'
import { wantPage } from '../../log/status/queries.ts'
import { startTestServer, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { addEntries } from '../../testing/status-pages.ts'

const DOCUMENT = join(import.meta.dirname, '../../../../../docs/proof.md')
const run = promisify(execFile)

/** As if its expiry had been moved some days ago. @param ref Place of the approval. */
async function endEarly({ deps: { db, engine, now } }: TestServer, ref: number): Promise<void> {
  const time = Math.floor(now() / 1000) - 3 * SECONDS_PER_DAY
  const commitment = Buffer.alloc(32).toString('base64url')
  const move: AmendStatement = { kind: 'amend', ref, time, commitment, expiryDay: Math.ceil(time / SECONDS_PER_DAY) }
  await inTransaction(db, async (transaction) => void (await appendStatement(engine, transaction, move)))
}

/** Of `extra`, what is changed here. */
interface Extra {
  b: string
  e: string[]
  h: string[]
  n: number
}

function readExtra(page: string): Extra {
  const [, carried] = /\nextra (\S+)\n/.exec(page)!
  return JSON.parse(Buffer.from(carried!, 'base64').toString()) as Extra
}

test('14.95 what docs/proof.md says finds what was revoked before and after a status page with tools of others alone', async (t) => {
  if (!needJudge(t, 'python3', 'openssl', 'pdfdetach')) return
  const server = await startTestServer(t, 'sqlite')
  const at = (name: string) => join(server.config.dataDir, name)
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  const sue = await server.signIn('sue', { is_superuser: true })
  const approve = async (): Promise<string> => {
    const id = await sendCollection(ada)
    return must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200).proofid as string
  }
  const change = async (what: string, proofid: string, more: object = {}) =>
    must(await sue.post(`/admin/proofs/${what}/`, { proofid, ...more }), 200)
  const save = async (proofid: string) => {
    const asked = new URLSearchParams({ proofid, username: 'ada' })
    const answer = await server.inject(`/backend/api/v1/service-content-servers/get-pdfs/?${asked}`)
    await writeFile(at('certified.pdf'), answer.rawPayload)
    await runJudge('pdfdetach', '-saveall', '-o', server.config.dataDir, at('certified.pdf'))
    await writeFile(at(`${proofid}.tlog-proof`), await readFile(at('proof.tlog-proof')))
  }
  const scripts = [...(await readFile(DOCUMENT, 'utf8')).matchAll(/```python\n([\s\S]*?)```/g)]
  const script = scripts.find(([, text]) => text!.includes('revoked'))?.[1]
  assert.ok(script)
  await writeFile(at('status.py'), script)
  await writeFile(at('policy.json'), (await server.inject('/log/instance-policy')).rawPayload)

  const [one, other] = [await approve(), await approve()]
  await addEntries(server, 30)
  await wantPage(server.deps.db, 0)
  await server.deps.log.tend()
  const fresh = await approve()
  for (const proofid of [one, other, fresh]) await save(proofid)
  const readPage = async () => (await server.inject('/log/status/0')).body
  const check = async (proofid: string, page?: string) => {
    await writeFile(at('status.page'), page ?? (await readPage()))
    const files = ['status.page', `${proofid}.tlog-proof`, 'policy.json']
    const { stdout } = await run('python3', [at('status.py'), ...files], { cwd: server.config.dataDir })
    return /^(.*), of \d+ entries\nstated \d{4}-/.exec(stdout)?.[1]
  }
  // Of several keys it takes the one that signed, wherever it stands.
  const policy = JSON.parse(await readFile(at('policy.json'), 'utf8')) as { logPolicy: string }
  const stranger = `log ${server.deps.log.origin}+00000000+${Buffer.alloc(33, 1).toString('base64')}\n`
  await writeFile(at('policy.json'), JSON.stringify({ ...policy, logPolicy: stranger + policy.logPolicy }))
  const tell = async (page?: string) => [await check(one, page), await check(other, page), await check(fresh, page)]
  assert.deepEqual(await tell(), ['not revoked', 'not revoked', 'not revoked'])

  // After the page. One that is made anew between them, as may happen at any time, has the bit of what was revoked then, and a
  // reinstatement alone clears no bit.
  await change('revoke', one, { reason: 'superseded' })
  let [page, reinstated] = ['', '']
  do {
    await change('revoke', fresh, { reason: 'superseded' })
    await server.deps.log.sign()
    page = await readPage()
    await change('reinstate', fresh)
    await server.deps.log.sign()
    reinstated = await readPage()
  } while (readExtra(page).n !== readExtra(reinstated).n)
  assert.deepEqual(await tell(page), ['revoked', 'not revoked', 'revoked'])
  assert.deepEqual(await tell(reinstated), ['revoked', 'not revoked', 'not revoked'])
  await endEarly(server, 3)
  await server.deps.log.sign()
  assert.deepEqual([await check(one), await check(other)], ['revoked', 'revoked'])
  await change('expiry', other, { expire_time: null })
  await server.deps.log.tend()
  assert.deepEqual(await tell(), ['revoked', 'not revoked', 'not revoked'])

  const [, carried] = /\nextra (\S+)\n/.exec(page)!
  const extra = readExtra(page)
  const forge = (members: Partial<Extra>) =>
    page.replace(carried!, Buffer.from(JSON.stringify({ ...extra, ...members })).toString('base64'))
  assert.equal(await check(one, forge({})), 'revoked')
  const { b, e, h, n } = extra
  for (const [words, forged] of [
    [/entries are missing/, forge({ e: e.slice(0, -1) })],
    [/left out, or changed/, forge({ e: [...e.slice(0, -1), e[0]!] })],
    [/left out, or changed/, forge({ e: e.toReversed() })],
    [/another tree before/, forge({ h: h.slice(1) })],
    [/left out, or changed/, forge({ h: h.toReversed() })],
    [/another tree before/, forge({ n: n + 1, e: e.slice(1) })],
    [/another page/, forge({ b: b.replace(/^./, '_') })],
    [
      /CalledProcessError/,
      page.replace(
        /(\n\u2014 \S+ \S{20})(.)/,
        (_all, kept: string, one64: string) => kept + (one64 === 'A' ? 'B' : 'A'),
      ),
    ],
  ] as const)
    await assert.rejects(check(one, forged), words, String(words))

  // Whatever else refers to an approval, in whatever form: the programs of others would read it in several ways.
  const [place] = await server.deps.db
    .selectFrom('log_entries')
    .select('entry')
    .where('entry', 'like', '%"ref":2,%')
    .execute()
  for (const [from, to] of [
    [/"ref":2/, '"ref": 2'],
    [/"ref":2/, '"ref":2.0'],
    [/"ref":2/, '"ref":02'],
    // No date can tell that second.
    [/"t":\d+/, '"t":8640000000001'],
    [/"v":1/, '"v":true'],
    [/"v":1/, '"v":1,"x":NaN'],
    [/"v":1/, `"v":1,"z":${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    [/"c":"[^"]*",/, ''],
    [/"k":"revoke"/, '"k":"suspend"'],
  ] as const) {
    const entry = place!.entry.replace(from, to)
    const leafHash = hashLeaf(new TextEncoder().encode(entry))
    await wantPage(server.deps.db, 0)
    await makeStatusPages(server.deps, { list: async () => new Set() })
    await server.deps.log.settle()
    await inTransaction(server.deps.db, async (transaction) => {
      await appendEntries('sqlite', transaction, [{ entry, leafHash }])
    })
    await server.deps.log.sign()
    await assert.rejects(check(one), /a newer kind of entry/, to)
    assert.equal(await check(other), 'not revoked')
  }
})
