import assert from 'node:assert/strict'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { openNote, parseVerifierKey } from '@proofdesk/proof/log/note'
import { computeRoot, parseEntryBundle } from '@proofdesk/proof/log/tiles'
import { sql, type KyselyPlugin } from 'kysely'
import { ENGINES, startTestServer, type TestServer } from '../testing.ts'
import { appendStatement, readTilesOf } from './append-statement.ts'
import { checkTree } from './check-tree.ts'
import { openHeadGuard } from './head-guard.ts'
import { keepLogKey } from './keep-log-key.ts'
import { openLog } from './open-log.ts'
import { findHead, findTile } from './queries.ts'

const stateKey = (time: number) =>
  ({
    kind: 'key',
    operation: 'add',
    use: 'approver',
    fingerprint: Buffer.alloc(32, time).toString('base64url'),
    time,
  }) as const

async function append({ deps }: TestServer, ...numbers: number[]): Promise<void> {
  await deps.db.transaction().execute(async (transaction) => {
    for (const n of numbers) await appendStatement(deps.engine, transaction, stateKey(n))
  })
}

async function get(server: TestServer, url: string) {
  const answer = await server.inject({ method: 'GET', url })
  return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload }
}

async function readHead(server: TestServer) {
  const { text } = await openNote((await get(server, '/log/checkpoint')).body.toString(), [
    parseVerifierKey(server.deps.log.verifierKey),
  ])
  return parseCheckpoint(text)
}

for (const engine of ENGINES)
  describe(`the log (${engine})`, () => {
    test('14.1 the log begins with its name and the certificate that seals, once', async (t) => {
      const server = await startTestServer(t, engine)
      await server.restart()
      await server.deps.log.sign()
      const bundle = await get(server, '/log/tile/entries/000.p/2')
      assert.equal(bundle.status, 200)
      const entries = parseEntryBundle(new Uint8Array(bundle.body)).map(
        (entry) => JSON.parse(new TextDecoder().decode(entry)) as Record<string, unknown>,
      )
      assert.deepEqual(
        entries.map(({ k, o, use }) => [k, o ?? use]),
        [
          ['genesis', server.deps.log.origin],
          ['key', 'doc'],
        ],
      )
      assert.match(server.deps.log.origin, /^proofdesk\.local\/[0-9a-f]{16}$/)
      assert.equal((await get(server, '/log/tile/entries/000.p/3')).status, 404)
    })

    test('14.2 a head is signed after the commit, and holds all that was committed', async (t) => {
      const server = await startTestServer(t, engine)
      await append(server, 1, 2, 3)
      await server.deps.log.sign()
      const head = await readHead(server)
      assert.equal(head.size, 5)
      assert.deepEqual(head.root, await computeRoot(5, readTilesOf(server.deps.db)))
      assert.equal(head.origin, server.deps.log.origin)
    })

    test('18.8 the log adds up while it is looked at on a server that adds to it and signs', async (t) => {
      const server = await startTestServer(t, engine)
      const { db, log } = server.deps
      await append(server, 1, 2)
      await log.sign()
      let added = 2
      const addAfterRead: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          // The first reads alone: the size of the tree, and what was signed.
          if (added < 5) {
            await append(server, ++added)
            await log.sign()
          }
          return result
        },
      }
      assert.equal((await checkTree(db.withPlugin(addAfterRead), log.verifierKey)).problem, undefined)
      assert.equal(added, 5)
    })

    test('14.3 what is rolled back was never in the tree', async (t) => {
      const server = await startTestServer(t, engine)
      const { db } = server.deps
      const failing = db.transaction().execute(async (transaction) => {
        await appendStatement(server.deps.engine, transaction, stateKey(1))
        throw new Error('changed my mind')
      })
      await assert.rejects(failing, /changed my mind/)
      await server.deps.log.sign()
      assert.equal((await readHead(server)).size, 2)
      assert.equal((await findTile(db, 0, 0, 2))?.length, 64)
    })

    test('14.4 of many that are added at once each has one place, and the tree is that of their entries', async (t) => {
      const server = await startTestServer(t, engine)
      const { db, log } = server.deps
      const all = Array.from({ length: 60 }, (_, n) => n + 1)
      await Promise.all(all.map(async (n) => append(server, n).then(() => (n % 7 === 0 ? log.sign() : undefined))))
      await log.sign()
      const head = await findHead(db)
      assert.equal(head.size, 62)
      const rows = await db.selectFrom('log_entries').select(['leaf_index', 'entry']).orderBy('leaf_index').execute()
      assert.deepEqual(
        rows.map(({ leaf_index }) => leaf_index),
        Array.from({ length: 62 }, (_, i) => i),
      )
      const numbers = rows.slice(2).map(({ entry }) => (JSON.parse(entry) as { t: number }).t)
      assert.deepEqual(
        numbers.toSorted((a, b) => a - b),
        all,
      )
      const heads = (await (await server.inject({ method: 'GET', url: '/log/checkpoints' })).json()) as {
        size: number
      }[]
      for (const { size } of heads.slice(1)) {
        const { status } = await get(server, `/log/consistency?old=${size}&new=62`)
        assert.equal(status, 200)
      }
    })

    test('14.5 the database lets nobody change or delete what the log has', async (t) => {
      const server = await startTestServer(t, engine)
      const { db, log } = server.deps
      await append(server, 1)
      await log.sign()
      for (const statement of [
        "update log_entries set entry = '{}' where leaf_index = 1",
        'delete from log_entries where leaf_index = 2',
        'delete from log_tiles',
        'update log_tiles set tile_index = 7',
        'update log_state set size = 2',
        'delete from log_state',
        "insert into log_state (id, size, root) values (2, 0, '')",
        "update log_checkpoints set note = 'another'",
        'delete from log_checkpoints',
        ...(engine === 'sqlite'
          ? [
              "insert or replace into log_entries (leaf_index, entry, leaf_hash) values (1, '{}', 'x')",
              "insert into log_entries (leaf_index, entry, leaf_hash) values (9, '{}', 'x')",
              "insert or replace into log_checkpoints (size, note, signed_at) values (3, 'another', 1)",
            ]
          : ['truncate log_entries', 'truncate log_checkpoints']),
      ])
        await assert.rejects(sql.raw(statement).execute(db), /the log is only added to/, statement)
      assert.equal((await readHead(server)).size, 3)
    })

    test('14.6 … also when the database was put back while the server runs', async (t) => {
      const server = await startTestServer(t, engine)
      await append(server, 1, 2)
      await server.deps.log.sign()
      await forgetLog(server)
      await append(server, 3)
      await assert.rejects(server.deps.log.sign(), { code: 'log_behind' })
      assert.equal((await server.deps.db.selectFrom('log_checkpoints').select('size').execute()).length, 0)
    })

    test('14.6 … which is noticed within seconds, though nothing waits to be signed', async (t) => {
      const server = await startTestServer(t, engine)
      const log = await openAnother(server)
      await append(server, 1, 2)
      await log.sign()
      await log.tend()
      log.mustBeWhole()
      await forgetLog(server)
      await log.tend()
      assert.throws(() => log.mustBeWhole(), { code: 'log_behind' })
    })

    test('14.6 … also under several processes, of which another signed the head', async (t) => {
      const server = await startTestServer(t, engine)
      const { deps } = server
      const [one, other] = [await openAnother(server), await openAnother(server)]
      await append(server, 1)
      await other.sign()
      await append(server, 2)
      await one.sign()
      await forgetLog(server)
      await append(server, 3, 4, 5, 6, 7)
      for (const log of [one, other]) {
        await assert.rejects(log.sign(), { code: 'log_behind' })
        assert.throws(() => log.mustBeWhole(), { code: 'log_behind' })
      }
      assert.deepEqual(
        (await readdir(server.config.keysDir)).filter((name) => name.startsWith('log.head')),
        ['log.head.4'],
      )
      assert.deepEqual(await deps.db.selectFrom('log_checkpoints').select('size').execute(), [])
    })

    test('14.6 … and the log goes on by itself once the database reaches the head again', async (t) => {
      const server = await startTestServer(t, engine)
      const { db } = server.deps
      const log = await openAnother(server)
      await append(server, 1, 2)
      const { size } = await log.sign()
      const forgotten = {
        entries: await db.selectFrom('log_entries').selectAll().execute(),
        tiles: await db.selectFrom('log_tiles').selectAll().execute(),
        checkpoints: await db.selectFrom('log_checkpoints').selectAll().execute(),
        state: await db.selectFrom('log_state').selectAll().executeTakeFirstOrThrow(),
      }
      await forgetLog(server)
      await assert.rejects(log.sign(), { code: 'log_behind' })
      await log.tend()
      assert.throws(() => log.mustBeWhole(), { code: 'log_behind' })
      assert.equal((await findHead(db)).size, 0, 'nothing is added meanwhile')
      await db.insertInto('log_entries').values(forgotten.entries).execute()
      await db.insertInto('log_tiles').values(forgotten.tiles).execute()
      await db.insertInto('log_checkpoints').values(forgotten.checkpoints).execute()
      await db.updateTable('log_state').set(forgotten.state).execute()
      await log.tend()
      log.mustBeWhole()
      await append(server, 3)
      assert.equal((await log.sign()).size, size + 1)
    })

    test('21.10 of processes that keep heads in one folder none takes the place of a larger one', async (t) => {
      const server = await startTestServer(t, engine)
      const { keysDir } = server.config
      const guards = [openHeadGuard(keysDir, server.deps.blobs), openHeadGuard(keysDir, server.deps.blobs)]
      const sizes = Array.from({ length: 12 }, (_, n) => 100 + n)
      await Promise.all(sizes.flatMap((size) => guards.map((guard) => guard.keep(`head ${size}`, size))))
      await guards[0]!.keep('head 105', 105)
      assert.ok((await guards[1]!.read()).includes('head 111'))
      await assert.rejects(guards[1]!.keep('another head', 111), { code: 'log_behind' })
      await guards[0]!.keep('head 112', 112)
      assert.deepEqual(
        (await readdir(keysDir)).filter((name) => name.startsWith('log.head')),
        ['log.head.112'],
      )
    })

    test('14.6 where a head was signed that the database does not reach, nothing is signed or approved any more', async (t) => {
      const server = await startTestServer(t, engine)
      const path = join(server.config.keysDir, 'log.head.4')
      await append(server, 1, 2)
      await server.deps.log.sign()
      const signed = await readFile(path)
      assert.match(signed.toString(), /\n4\n/)
      await forgetLog(server)
      await rm(path)
      await server.restart()
      await assert.rejects(server.deps.log.sign(), { code: 'log_behind' })
      assert.throws(() => server.deps.log.mustBeWhole(), { code: 'log_behind' })
      assert.equal((await findHead(server.deps.db)).size, 0, 'no second beginning')
      assert.ok(server.logLines.some((line) => line.includes('a head of 4 leaves was signed')))
    })
  })

/** As another process on the same database and keys has it. */
async function openAnother({ deps, config }: TestServer) {
  return openLog(deps, await keepLogKey(deps.db, config), deps.log.signerFingerprint)
}

/** As after the restore of an older backup: only what lies outside the database knows better. */
async function forgetLog({ deps: { db, engine } }: TestServer): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const drop of engine === 'sqlite' ? SQLITE_DROPS : POSTGRES_DROPS) await sql.raw(drop).execute(transaction)
    for (const wipe of ['log_entries', 'log_tiles', 'log_checkpoints'])
      await sql.raw(`delete from ${wipe}`).execute(transaction)
    await sql
      .raw(
        "update log_state set size = 0, asked_size = 0, root = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'",
      )
      .execute(transaction)
  })
}

const TABLES = ['log_entries', 'log_tiles', 'log_checkpoints'] as const
const SQLITE_DROPS = [...TABLES.map((table) => `drop trigger ${table}_delete`), 'drop trigger log_state_update']
const POSTGRES_DROPS = [
  ...TABLES.map((table) => `drop trigger ${table}_delete on ${table}`),
  'drop trigger log_state_update on log_state',
]
