import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { collectionStatus, CollectionStatus } from '@proofdesk/contract/status'
import { readProofId } from '@proofdesk/proof/proof-id'
import { foldCase } from '@proofdesk/server/fold-case'
import { ROUND_KINDS } from '@proofdesk/server/rounds'
import { findPostgresPrograms, startPrivatePostgres } from '@proofdesk/server/testing/private-postgres'
import { toUsernameSkeleton } from '@proofdesk/server/username-skeleton'
import { signIn, startProduct } from '../processes/product.ts'
import type { Running } from '../processes/running.ts'
import { fillInstance } from './fill.ts'
import { readFacts } from './filled.ts'
import { readPatterns, type Pattern, type Patterns } from './patterns.ts'
import { openPostgresWriter } from './postgres-writer.ts'
import { makeRealOnes, readRealOnes } from './real-ones.ts'
import { FILLED_TABLES, type FilledTable, type Row } from './row.ts'
import { openSqliteWriter } from './sqlite-writer.ts'
import type { TableWriter } from './table-writer.ts'
import { RARE_TERM, RARE_TITLES } from './words.ts'

const COLLECTIONS = 240
const hasPostgres = findPostgresPrograms() !== undefined

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`an instance that was filled (${engine})`, { skip: engine === 'postgres' && !hasPostgres }, () => {
    let folder = ''
    let writer: TableWriter
    let patterns: Patterns
    let env: NodeJS.ProcessEnv = {}
    let stopPostgres = async () => {}

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'proofdesk-fill-'))
      const programs = findPostgresPrograms()
      let postgresUrl: string | undefined
      if (engine === 'postgres' && programs !== undefined) {
        const postgres = await startPrivatePostgres(programs)
        stopPostgres = () => postgres.stop()
        postgresUrl = postgres.url
        env = { DATABASE_URL: postgresUrl }
      }
      await makeRealOnes({ folder, postgresUrl, certified: { count: 1, bytes: 20_000 } })
      await fillInstance({ folder, postgresUrl, collections: COLLECTIONS })
      writer =
        postgresUrl === undefined
          ? openSqliteWriter(join(folder, 'proofdesk.sqlite'))
          : await openPostgresWriter(postgresUrl)
      patterns = await readPatterns(writer, readRealOnes(folder))
      // Nothing is written here, and nobody else is to wait.
      await writer.finish()
    })
    after(async () => {
      await writer.close()
      await stopPostgres()
      await rm(folder, { recursive: true })
    })

    test('no look at all files is due, most of which do not exist', async () => {
      const rounds = await writer.read('select kind, is_under_way, began_at from stored_rounds')
      assert.deepEqual(new Set(rounds.map(({ kind }) => kind)), new Set(ROUND_KINDS))
      for (const round of rounds) {
        assert.equal(round['is_under_way'], 0)
        assert.ok(Date.now() - Number(round['began_at']) < 60 * 60 * 1000)
      }
    })

    test('every row is like one the product wrote, column for column', async () => {
      const all = [patterns.person, ...Object.values(patterns.collections), ...Object.values(patterns.tickets)]
      for (const table of FILLED_TABLES) {
        const kinds = new Set(all.flatMap((pattern: Pattern) => pattern.get(table) ?? []).map(sayKind))
        assert.ok(kinds.size > 0, `the product wrote nothing into ${table}`)
        const rows = await writer.read(`select * from ${table}`)
        for (const row of rows) {
          const kind = sayKind(row)
          // Accounts without a mail address of theirs, and others of the product's own making, are not multiplied.
          assert.ok(kinds.has(kind), `${table} ${JSON.stringify(row)}\nis none of\n${[...kinds].join('\n')}`)
        }
      }
    })

    test('what is folded, and what looks alike, is so by the rules of the product', async () => {
      for (const table of ['collections', 'contents', 'proofs', 'tickets'] satisfies FilledTable[])
        for (const { title, title_key } of await writer.read(`select title, title_key from ${table}`))
          assert.equal(title_key, foldCase(String(title)))
      for (const row of await writer.read('select * from users')) {
        assert.equal(row['username_key'], foldCase(String(row['username'])))
        assert.equal(row['username_skeleton'], toUsernameSkeleton(String(row['username'])))
        assert.equal(row['email_key'], foldCase(String(row['email'])))
      }
    })

    const NOTHING_WRONG: [sentence: string, wrong: string][] = [
      [
        'a collection counts its contents, their bytes and pages, and its comments',
        `select c.id from collections as c where content_count <> (select count(*) from contents where collection_id = c.id)
         or content_bytes <> (select coalesce(sum(size), 0) from contents where collection_id = c.id)
         or content_pages <> (select coalesce(sum(pages), 0) from contents where collection_id = c.id)
         or comment_count <> (select count(*) from comments where collection_id = c.id)
         or submission_number <> (select count(*) from submissions where collection_id = c.id)`,
      ],
      [
        'a collection and its proof point at each other, and say the same',
        `select c.id from collections as c left join proofs as p on p.id = c.claim_id
         where (c.claim_id is null) <> (c.proofid is null) or c.claim_id is not null and (p.id is null
           or p.collection_id <> c.id or p.proofid <> c.proofid or p.owner_id <> c.owner_id or p.title <> c.title
           or p.reviewer_id <> c.reviewer_id or coalesce(p.expire_time, 0) <> coalesce(c.expire_time, 0))`,
      ],
      [
        'a collection is marked as expired once it is',
        `select id from collections where lapsed = 1 and (expire_time is null or expire_time > ${Date.now()})
         or lapsed = 0 and expire_time < ${Date.now() - 3_600_000}`,
      ],
      [
        'no proof is without its collection',
        'select p.id from proofs as p left join collections as c on c.claim_id = p.id where c.id is null',
      ],
      [
        'a proof names its people as they are called',
        `select p.id from proofs as p join users as o on o.id = p.owner_id join users as r on r.id = p.reviewer_id
         where o.username <> p.username or r.username <> p.reviewer_username`,
      ],
      [
        'a collection has the digest of its newest submission, and that the files it was sent with',
        `select c.id from collections as c join submissions as s on s.collection_id = c.id
         where s.number = c.submission_number and (s.digest <> c.digest
           or c.proofid is null and s.document_state <> c.document_state
           or not exists (select 1 from submission_files as f join contents as n on n.id = f.content_id
             where f.submission_id = s.id and n.collection_id = c.id and n.sha256 = f.sha256))`,
      ],
      [
        'a decision belongs to the collection that was decided on',
        `select s.id from submissions as s left join decisions as d on d.id = s.decision_id
         where (s.outcome <> 'waiting') <> (d.id is not null) or d.collection_id <> s.collection_id`,
      ],
      [
        'a ticket counts its messages',
        `select t.id from tickets as t
         where message_count <> (select count(*) from ticket_messages where ticket_id = t.id)`,
      ],
      [
        'nothing happened before its collection was opened',
        `select c.id from collections as c left join proofs as p on p.collection_id = c.id
         where c.submitted_at < c.created_at or p.approved_at < c.submitted_at or p.published_at < p.approved_at`,
      ],
    ]
    for (const [sentence, wrong] of NOTHING_WRONG)
      test(sentence, async () => {
        assert.deepEqual(await writer.read(wrong), [])
      })

    test('every Proof ID is one, drawn from its seed', async () => {
      const proofs = await writer.read('select proofid, seed from proofs')
      for (const { proofid } of proofs) assert.equal(readProofId(String(proofid)), proofid)
      assert.equal(new Set(proofs.map(({ seed }) => seed)).size, proofs.length)
    })

    test('served, it answers as if people had made it, and goes on from there', async () => {
      const server = await startProduct(folder, { env })
      try {
        await expectAnswers(server)
      } finally {
        await server.stop()
      }
    })

    async function expectAnswers(server: Running): Promise<void> {
      const facts = readFacts(folder)
      const call = async (path: string, headers: Record<string, string> = {}, body?: object) => {
        const answer = await fetch(`http://127.0.0.1:${server.port}${API_BASE}${path}`, {
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
        })
        assert.ok(answer.ok, `${path}: ${answer.status}`)
        return answer
      }
      const read = async (path: string, headers: Record<string, string>): Promise<Record<string, number>> =>
        (await call(path, headers)).json() as Promise<Record<string, number>>
      const staff = await signIn(server, facts.staff)
      const owner = await signIn(server, facts.owner.username)

      // Counters and indexes that triggers keep, if there are any, hold what the rows say.
      const statuses = await listStatuses()
      const counts = await read('/collections/counts/', staff)
      for (const status of CollectionStatus.options)
        assert.equal(counts[status], statuses.filter((one) => one === status).length, status)
      assert.equal(counts['all'], statuses.length)
      assert.equal((await read('/collections/', staff))['count'], statuses.length)
      assert.equal((await read('/collections/', owner))['count'], 20)
      assert.equal((await read(`/collections/?search=${RARE_TERM.toLowerCase()}`, staff))['count'], RARE_TITLES)
      const owned = await read(`/collections/?search=${facts.owner.username}`, staff)
      assert.equal(owned['count'], 20)
      const [tickets] = await writer.read('select count(*) as count from tickets')
      assert.equal((await read('/ticket/', staff))['count'], Number(tickets?.['count']))
      const [proofs] = await writer.read('select count(*) as count from proofs')
      assert.equal((await read('/content-servers/', staff))['count'], Number(proofs?.['count']))

      for (const proof of facts.certified) {
        const file = await call(`/service-content-servers/get-pdfs/?${new URLSearchParams({ ...proof })}`)
        assert.equal(Buffer.from(await file.arrayBuffer()).toString('latin1', 0, 5), '%PDF-')
      }

      await call('/collections/', owner, { title: 'One more' })
      assert.equal((await read('/collections/', owner))['count'], 21)
      assert.equal((await read('/collections/counts/', staff))['all'], statuses.length + 1)
    }

    async function listStatuses() {
      const rows = await writer.read('select is_locked, proofid, admin_desc, expire_time from collections')
      return rows.map(({ is_locked, proofid, admin_desc, expire_time }) =>
        collectionStatus({
          is_active: expire_time === null || Number(expire_time) > Date.now(),
          is_locked: is_locked === 1,
          proofid: proofid === null ? null : String(proofid),
          admin_desc: String(admin_desc),
        }),
      )
    }
  })

/** Whose values differ from row to row; of all others it is the value itself that makes the kind. */
const OWN =
  /^(id|username|username_key|username_skeleton|email|email_key|verified_email|recovery_email|recovery_email_key|first_name|last_name|title|title_key|path|revision0_facts|proofid|prepared|text|size|number|lapsed)$|_id$|_size$|_bytes$|_username$/

/** What kind of row it is: of each column whether it is null, its type, the form of its text, and short values themselves. */
function sayKind(row: Row): string {
  return Object.entries(row)
    .map(([column, value]) => `${column}=${sayForm(column, value)}`)
    .join(' ')
}

function sayForm(column: string, value: unknown): string {
  if (typeof value !== 'string') {
    const isOwn = OWN.test(column) || /_(at|time)$|^(is_staff|is_superuser)$/.test(column)
    return isOwn && value !== null ? typeof value : String(value)
  }
  if (/^([a-z0-9]+\/)*([0-9a-f]{32}|[0-9a-f]{64})$/.test(value)) return value.replace(/[0-9a-f]+$/, 'hex')
  if (/^[A-Za-z0-9_-]{43}$/.test(value)) return 'mac'
  if (column === 'password_hash') return value.replace(/\$[^$]+\$[^$]+$/, '')
  if (column === 'proofid') return value.replaceAll(/[^-]/g, 'x')
  return OWN.test(column) ? 'text' : value
}
