import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import pg from 'pg'
import { readConfig } from '../config/config.ts'
import { openPostgres } from '../db/open.ts'
import { DATABASE_FILE, openData } from '../start/open-data.ts'
import { codeOf, startTestServer, TEST_PASSWORD, type TestServer } from '../testing.ts'
import { enableTwoFactor, type TestApp } from '../testing/two-factor.ts'
import type { TestClient } from '../testing/client.ts'
import { must, openCollection, sendCollection } from '../testing/collections.ts'
import { hasRealPostgres, makeRealDatabase } from '../testing/real-postgres.ts'
import { askPostgres } from '../testing/private-postgres.ts'
import { makeTestBucket, skipWithoutS3 } from '../testing/s3.ts'
import { startS3Proxy } from '../testing/s3-proxy.ts'
import { ADMIN, MAIN, run as runProgram, start } from '../testing/server-process.ts'
import { copyStopped, editSqlite, runCommand, type StoppedInstallation } from '../testing/stopped-installation.ts'
import { waitUntil } from '../testing/wait-until.ts'

const skip = hasRealPostgres ? false : 'PostgreSQL is not installed'
const skipS3 = skip || skipWithoutS3

const sizeOfLog = (told: string) => Number(/The log of (\d+) entries/.exec(told)?.[1])
/** What quoting goes wrong with. */
const COMMENT = 'Née "O\'Brien" \\ {𝔘}'

describe('moving an installation', () => {
  let root: string
  let origin: TestServer
  let app: TestApp
  let proofid: string
  let waiting: number
  const ends: (() => Promise<void>)[] = []
  let count = 0

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'proofdesk-moving-'))
    origin = await startTestServer({ after: (end) => ends.push(async () => end()) }, 'sqlite')
    // On a busy machine sealing may take longer than a person waits.
    const ada = await origin.signIn('ada')
    const sam = await origin.signIn('sam', { is_staff: true })
    app = await enableTwoFactor(ada, origin.clock)
    const collection = await sendCollection(ada)
    must(await sam.post('/comments/', { collection, text: COMMENT }), 201)
    ;({ proofid } = must(await sam.post(`/admin/${collection}/approve/`, { admin_desc: 'Fine' }), 200))
    must(await sam.post('/admin/proofs/revoke/', { proofid, reason: 'superseded', text: 'Again' }), 200)
    waiting = await sendCollection(ada)
    await origin.settle()
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
    await rm(root, { recursive: true, force: true })
  })

  const stopped = () => copyStopped(origin, join(root, String((count += 1))))

  async function makeTarget(t: TestContext, content: 'empty' | 'migrated' = 'empty') {
    const real = await makeRealDatabase(content)
    t.after(() => real.drop())
    return real
  }

  /** Serves a moved installation. */
  async function serve(
    t: TestContext,
    url: string,
    { DATA_DIR, KEYS_DIR }: StoppedInstallation,
    storage?: TestServer['config']['storage'],
  ) {
    const server = await startTestServer(t, 'postgres', {
      now: origin.clock.now() + 60_000,
      database: { open: async () => openPostgres(url), drop: async () => {} },
      config: { dataDir: DATA_DIR, keysDir: KEYS_DIR, storage },
    })
    return server
  }

  /** Both steps of signing in. */
  async function signInTwice(server: TestServer): Promise<TestClient> {
    const password = { username: 'ada', password: TEST_PASSWORD }
    const { user_id, challenge } = must(await server.stranger.post('/auth/login/', password), 200)
    const otp = codeOf(app.secret, server.clock.now())
    return server.as(must(await server.stranger.post('/g2fa/gfa_verify/', { user_id, otp, challenge }), 200))
  }

  test(
    '22.1 22.3 22.4 what was moved to PostgreSQL goes on: sign-in with both factors, new ids, an approval after the last entry of the log',
    { skip },
    async (t) => {
      const place = await stopped()
      const { url } = await makeTarget(t)
      const moved = await runCommand(['migrate', '--to', '-'], place, `${url}\n`)
      assert.deepEqual([moved.status, moved.err], [0, ''])
      assert.match(
        moved.out,
        /What is in the copy:[^]*The log of \d entries gives its tree[^]*\nMoved, and compared\.\n/,
      )
      const server = await serve(t, url, place)
      const ada = await signInTwice(server)
      const comments = must(await ada.get(`/comments/?collection=${waiting - 1}`), 200).results
      assert.deepEqual(
        comments.map(({ text }: { text: string }) => text),
        [COMMENT],
      )
      assert.equal(await openCollection(ada), waiting + 1)
      const sam = await server.signIn('sam')
      const found = must(await sam.get('/collections/?search=degree'), 200)
      assert.equal(found.count, 3)
      must(await sam.post(`/admin/${waiting}/approve/`, { admin_desc: 'Fine' }), 200)
      await server.settle()
      const checked = await runCommand(['check'], { ...place, DATABASE_URL: url })
      assert.deepEqual([checked.status, checked.err], [0, ''])
      assert.ok(sizeOfLog(checked.out) > sizeOfLog(moved.out))
      assert.match(checked.out, /2 certified PDFs were checked/)
      const judged = await server.stranger.post('/service-content-servers/details/', { proofid, username: 'ada' })
      assert.match(judged.body, /revoked/)
    },
  )

  test('22.5 where something has gone, nothing is served and nothing is moved again', { skip }, async (t) => {
    const place = await stopped()
    const { url } = await makeTarget(t)
    assert.equal((await runCommand(['migrate', '--to', url], place)).status, 0)
    const name = new URL(url).pathname.slice(1)
    await assert.rejects(openData(readConfig(place)), new RegExp(`was moved to the PostgreSQL database ${name} at`))
    const other = await makeTarget(t)
    assert.match((await runCommand(['migrate', '--to', other.url], place)).err, /was moved to the PostgreSQL database/)
    assert.match((await runCommand(['migrate', '--to', url], place)).err, /it holds an installation already$/)
    assert.equal((await runCommand(['check'], { ...place, DATABASE_URL: url })).status, 0)
  })

  test(
    '22.5 where something has gone, it goes to no database of the same name at another port',
    { skip },
    async (t) => {
      const place = await stopped()
      const { url } = await makeTarget(t)
      const { pathname, searchParams } = new URL(url)
      const name = pathname.slice(1)
      const folder = searchParams.get('host') ?? ''
      const another = join(folder, '.s.PGSQL.5433')
      await symlink('.s.PGSQL.5432', another)
      t.after(() => rm(another))
      const moveTo = (port: string) => runCommand(['migrate', '--to', `${url}${port}`], place)
      // As another server holds one of this name: nothing in it says that something came there.
      const empty = async () => {
        const admin = new URL(url)
        admin.pathname = '/postgres'
        await askPostgres(admin.href, `drop database ${name} with (force)`)
        await askPostgres(admin.href, `create database ${name}`)
      }
      assert.equal((await moveTo('')).status, 0)
      await empty()
      const refused = await moveTo('&port=5433')
      assert.deepEqual(
        [refused.status, refused.err],
        [1, `This installation was moved to the PostgreSQL database ${name} at ${folder}:5432 already`],
      )
      assert.equal((await moveTo('&port=5432')).status, 0)
      await empty()
      // As a version wrote it that left the port out.
      const mark = `the PostgreSQL database ${name} at ${folder}`
      editSqlite(join(place.DATA_DIR, DATABASE_FILE), `update instance set value = '${mark}' where name = 'moved_to'`)
      assert.match((await moveTo('&port=5433')).err, /^This installation was moved to/)
      assert.equal((await moveTo('')).status, 0)
    },
  )

  test('22.6 while a server runs, nothing is moved', { skip }, async (t) => {
    const place = await stopped()
    const { url } = await makeTarget(t)
    const server = await start({ ...place, MIN_FREE_MB: '0' })
    const { status, err } = await runCommand(['migrate', '--to', url], place)
    assert.equal(status, 75)
    assert.match(err, /^DATA_DIR is in use: a Proofdesk server runs on .*: stop it first$/)
    server.child.kill('SIGTERM')
    await server.ended
    assert.equal((await runCommand(['migrate', '--to', url], place)).status, 0)
  })

  test('22.7 what holds something else is not written to', { skip }, async (t) => {
    const place = await stopped()
    const used = await makeTarget(t)
    const other = await makeTarget(t)
    await askPostgres(other.url, 'create table somebody (name text)')
    assert.equal((await runCommand(['migrate', '--to', used.url], await stopped())).status, 0)
    for (const [url, told] of [
      [used.url, /holds an installation already$/],
      [other.url, /holds tables that are not of Proofdesk$/],
      [used.url.replace('?', 'x?'), /there is no such database$/],
    ] as const)
      assert.match((await runCommand(['migrate', '--to', url], place)).err, told)
    const folder = await stopped()
    const words = ['migrate', '--to', (await makeTarget(t)).url, '--storage', folder.DATA_DIR]
    assert.match((await runCommand(words, place)).err, /^The folder of --storage holds an installation/)
    const database = await openData(readConfig(place))
    await database.close()
  })

  test(
    '22.8 a move that is killed among the rows leaves nothing that would be served, and is run again',
    { skip },
    async (t) => {
      const place = await stopped()
      const { url } = await makeTarget(t, 'migrated')
      // Rows of proofs wait until the test lets them in.
      await askPostgres(
        url,
        `create function wait_for_test() returns trigger language plpgsql as $$ begin
         perform pg_advisory_lock(1); return null; end $$;
       create trigger wait_for_test after insert on proofs for each row execute function wait_for_test()`,
      )
      const holder = new pg.Client({ connectionString: url })
      await holder.connect()
      await holder.query('select pg_advisory_lock(1)')
      const folder = join(root, 'elsewhere')
      const words = ['migrate', '--to', url, '--storage', folder]
      const broken = runProgram(ADMIN, words, place)
      await waitUntil(() => broken.out().includes('collections: 2 rows'))
      broken.child.kill('SIGKILL')
      await broken.ended
      await holder.end()
      await askPostgres(url, 'drop function wait_for_test cascade')
      const target = { DATA_DIR: folder, KEYS_DIR: place.KEYS_DIR, DATABASE_URL: url }
      const refused = runProgram(MAIN, [], { ...target, PORT: '1' })
      assert.equal(await refused.ended, 1)
      assert.match(await refused.errors, /^This database is only half filled: `npm run admin -- migrate` has not ended/)
      const other = await stopped()
      await rm(other.KEYS_DIR, { recursive: true })
      editSqlite(
        join(other.DATA_DIR, 'proofdesk.sqlite'),
        "update instance set value = 'x+' || value where name = 'log_key'",
      )
      assert.match((await runCommand(['migrate', '--to', url], other)).err, /half filled with something else/)
      const again = await runCommand(words, place)
      assert.deepEqual([again.status, again.err], [0, ''])
      assert.match(again.out, /\n0 files were copied and read again, \d+ were there already\./)
      assert.equal((await runCommand(['check'], target)).status, 0)
    },
  )

  test('22.9 what is wrong here is named, and moved only when that is asked for', { skip }, async (t) => {
    const blob = async ({ DATA_DIR }: StoppedInstallation, kind: string) =>
      join(DATA_DIR, 'blobs', kind, (await readdir(join(DATA_DIR, 'blobs', kind)))[0]!)
    const flip = async (path: string) => {
      const bytes = await readFile(path)
      bytes[Math.floor(bytes.length / 2)]! ^= 1
      await writeFile(path, bytes)
    }
    const edit = (place: StoppedInstallation, ...statements: string[]) =>
      editSqlite(join(place.DATA_DIR, 'proofdesk.sqlite'), ...statements)
    const place = await stopped()
    await rm(await blob(place, 'originals'))
    await flip(await blob(place, 'certified'))
    edit(
      place,
      "update proofs set username = 'eve'",
      'update user_counts set amount = 9',
      'drop trigger audit_entries_update',
      "update audit_entries set action = 'x' where id = 1",
    )
    const { url } = await makeTarget(t)
    const refused = await runCommand(['migrate', '--to', url, '--storage', join(root, 'never')], place)
    assert.equal(refused.status, 1)
    for (const told of [
      /^\d counts are wrong/m,
      /^The audit trail is broken/m,
      /^\w\S+: .*\n1 of 1 certified PDFs are not/m,
      /^originals\/\w+: missing$/m,
      /^certified\/\w+: altered$/m,
      /\nNothing was moved\. Restore what is wrong from a backup, or move the rest with --with-problems\.$/,
    ])
      assert.match(refused.err, told)
    await (await openData(readConfig(place))).close()
    await assert.rejects(openData(readConfig({ ...place, DATABASE_URL: url })), /only half filled/)

    const other = await stopped()
    edit(other, "update proofs set username = 'eve'")
    assert.match((await runCommand(['migrate', '--to', url], other)).err, /^\w\S+: its row is not what was decided\n/)
    const lost = await stopped()
    await rm(await blob(lost, 'originals'))
    const folder = join(root, 'the rest')
    const rest = await runCommand(['migrate', '--to', url, '--storage', folder, '--with-problems'], lost)
    assert.equal(rest.status, 1)
    assert.match(rest.out, /\nMoved, and compared\./)
    const checked = await runCommand(['check'], { ...lost, DATA_DIR: folder, DATABASE_URL: url })
    assert.match(checked.err, /^originals\/\w+: missing\n1 of \d+ stored files/)
  })

  test(
    '22.2 22.10 files go to a bucket; what was broken off goes on with those that are missing',
    { skip: skipS3 },
    async (t) => {
      const place = await stopped()
      const { url } = await makeTarget(t)
      const bucket = await makeTestBucket('moved')
      const proxy = await startS3Proxy(t, bucket.settings.endpoint ?? '')
      let stored = 0
      proxy.decide = (method) => (method === 'PUT' && (stored += 1) > 3 ? 'never answer' : 'pass')
      const { STORAGE_URL, ...credentials } = bucket.environment
      const through = new URL(STORAGE_URL)
      through.searchParams.set('endpoint', proxy.endpoint)
      const settings = { ...place, ...credentials }
      const broken = runProgram(ADMIN, ['migrate', '--to', url, '--storage', through.href], settings)
      await waitUntil(async () => stored > 3 && (await bucket.list()).length === 3)
      broken.child.kill('SIGKILL')
      await broken.ended
      const there = (await bucket.list()).length
      assert.equal(there, 3)
      const again = await runCommand(['migrate', '--to', url, '--storage', STORAGE_URL], settings)
      assert.deepEqual([again.status, again.err], [0, ''])
      assert.match(again.out, /\n\d+ files were copied and read again, 3 were there already\./)
      await rm(join(place.DATA_DIR, 'blobs'), { recursive: true })
      const target = { ...settings, STORAGE_URL, DATABASE_URL: url }
      const checked = await runCommand(['check'], target)
      assert.deepEqual([checked.status, checked.err], [0, ''])
      assert.ok((await bucket.list()).includes('moved/log/guard'))
      const server = await serve(t, url, place, bucket.settings)
      const sam = await server.signIn('sam')
      must(await sam.post(`/admin/${waiting}/approve/`, { admin_desc: 'Fine' }), 200)
      assert.equal((await runCommand(['check'], target)).status, 0)
    },
  )

  test('22.11 the files alone go to a bucket, and the database stays', { skip: skipS3 }, async () => {
    const place = await stopped()
    const bucket = await makeTestBucket()
    const settings = { ...place, ...bucket.environment }
    const { STORAGE_URL, ...credentials } = bucket.environment
    const words = ['migrate', '--storage', STORAGE_URL]
    assert.equal((await runCommand(words, { ...place, ...credentials })).status, 0)
    assert.equal((await runCommand(['check'], settings)).status, 0)
    const [key] = await bucket.list()
    await bucket.write(key!, new Uint8Array(await bucket.read(key!)).fill(0, 0, 3))
    const again = await runCommand(words, { ...place, ...credentials })
    assert.equal(again.status, 1)
    assert.equal(again.err.split('\n')[0], `${key}: other bytes stand under its name where it is copied to`)
    await bucket.write('log/guard', new TextEncoder().encode('another.example/log\n1\n'))
    assert.match((await runCommand(words, { ...place, ...credentials })).err, /^The files of another installation lie/)
  })
})
