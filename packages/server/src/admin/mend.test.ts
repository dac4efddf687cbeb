import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { pathOfBlob } from '../blobs/disk.ts'
import { openPostgres } from '../db/open.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import type { TestClient } from '../testing/client.ts'
import { addFile, must, openCollection, sendCollection } from '../testing/collections.ts'
import { hasRealPostgres, makeRealDatabase } from '../testing/real-postgres.ts'
import { makeTestBucket, skipWithoutS3 } from '../testing/s3.ts'
import { editSqlite, runCommand } from '../testing/stopped-installation.ts'
import { runAdmin } from './commands.ts'

/** A stored file, under the hands of somebody who should not be there. */
interface SpoilingHands {
  read(key: string): Promise<Uint8Array>
  write(key: string, bytes: Uint8Array): Promise<void>
  remove(key: string): Promise<void>
}

interface Place {
  server: TestServer
  settings: Record<string, string>
  hands: SpoilingHands
  /** Where it is backed up. */
  backup: string
}

async function makeRoot(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-mend-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  return root
}

async function startOnDisk(t: TestContext): Promise<Place> {
  const backup = join(await makeRoot(t), 'backup')
  const server = await startTestServer(t, 'sqlite')
  const { dataDir, keysDir } = server.config
  const pathOf = (key: string) => pathOfBlob(dataDir, key)
  return {
    server,
    backup,
    settings: { DATA_DIR: dataDir, KEYS_DIR: keysDir, BACKUP_PASSPHRASE: 'correct horse battery staple' },
    hands: {
      read: (key) => readFile(pathOf(key)),
      write: (key, bytes) => writeFile(pathOf(key), bytes),
      remove: (key) => rm(pathOf(key)),
    },
  }
}

async function startInBucket(t: TestContext): Promise<Place> {
  const backup = join(await makeRoot(t), 'backup')
  const files = await makeTestBucket()
  const real = await makeRealDatabase('migrated')
  t.after(real.drop)
  const server = await startTestServer(t, 'postgres', {
    database: { open: async () => openPostgres(real.url), drop: async () => {} },
    config: { storage: files.settings, databaseUrl: real.url },
  })
  const { dataDir, keysDir } = server.config
  const settings = { DATA_DIR: dataDir, KEYS_DIR: keysDir, DATABASE_URL: real.url, ...files.environment }
  return { server, backup, settings, hands: files }
}

async function findKeys({ deps: { db } }: TestServer, collection: number) {
  const [content, submission, proof] = await Promise.all([
    db.selectFrom('contents').select('blob_key').where('collection_id', '=', collection).executeTakeFirst(),
    db.selectFrom('submissions').select('document_key').where('collection_id', '=', collection).executeTakeFirst(),
    db.selectFrom('proofs').select('sealed_key').where('collection_id', '=', collection).executeTakeFirst(),
  ])
  return {
    original: content?.blob_key ?? '',
    document: submission?.document_key ?? '',
    certified: proof?.sealed_key ?? '',
  }
}

const approve = async (sam: TestClient, id: number) =>
  must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200)

const flip = (bytes: Uint8Array) => bytes.map((byte, index) => (index === bytes.length >> 1 ? byte ^ 1 : byte))

async function listProblems(server: TestServer): Promise<string[]> {
  const { files } = must(await (await server.signIn('sue', { is_superuser: true })).get('/health/'), 200)
  return (files.problems as { what: string }[]).map(({ what }) => what).toSorted()
}

for (const [where, startPlace, skip] of [
  ['SQLite and a disk', startOnDisk, false],
  ['PostgreSQL and a bucket', startInBucket, hasRealPostgres ? skipWithoutS3 : 'PostgreSQL is not installed'],
] as const)
  test(
    `18.24 what is missing or altered among the stored files is put back from a backup, and nothing else is touched (${where})`,
    { skip },
    async (t) => {
      const { server, settings, hands, backup } = await startPlace(t)
      const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
      const [lost, waiting, approved] = [
        await openCollection(ada),
        await sendCollection(ada),
        await sendCollection(ada),
      ]
      const content = await addFile(ada, lost)
      await server.settle()
      const { proofid } = await approve(sam, approved)
      await server.settle()
      assert.equal((await runCommand(['backup', backup], settings)).status, 0)
      // In no backup, and well.
      const later = await sendCollection(ada)
      await server.settle()

      const keys = [
        (await findKeys(server, lost)).original,
        (await findKeys(server, waiting)).document,
        (await findKeys(server, approved)).certified,
      ] as const
      const whole = await Promise.all(keys.map((key) => hands.read(key)))
      await hands.remove(keys[0])
      await hands.write(keys[1], flip(whole[1]!))
      // Both are asked for, and so known.
      assert.equal((await sam.get(`/contents/serve/?content_id=${content}`)).status, 500)
      assert.equal((await sam.post(`/admin/${waiting}/approve/`, { admin_desc: 'Fine' })).status, 500)
      assert.deepEqual(await listProblems(server), ['original', 'review_document'])

      const known = await runCommand(['mend', backup, '--known'], settings)
      assert.deepEqual([known.status, known.err], [0, ''])
      assert.match(
        known.out,
        /: missing, put back\n[^]*: altered, put back\n2 stored files were looked at: 2 put back, 0 /,
      )
      assert.deepEqual(await listProblems(server), [])
      await hands.write(keys[2], whole[2]!.subarray(0, -1))
      const all = await runCommand(['mend', backup], settings)
      assert.deepEqual([all.status, all.err], [0, ''])
      assert.match(all.out, /^\S+: altered, put back\n\d+ stored files were looked at: 1 put back, 0 still spoiled\.$/)
      assert.deepEqual(
        await Promise.all(keys.map(async (key) => Buffer.from(await hands.read(key)))),
        whole.map(Buffer.from),
      )

      assert.equal((await sam.get(`/contents/serve/?content_id=${content}`)).status, 200)
      await approve(sam, waiting)
      const query = new URLSearchParams({ proofid, username: 'ada' })
      assert.equal((await sam.get(`/service-content-servers/get-pdfs/?${query}`)).status, 200)
      const checked = await runCommand(['check'], settings)
      assert.deepEqual([checked.status, checked.err], [0, ''])

      // What no backup has stays named; what a backup has otherwise than the row is not taken.
      const { original } = await findKeys(server, later)
      await hands.write(original, flip(await hands.read(original)))
      await server.deps.db
        .updateTable('contents')
        .set({ sha256: 'f'.repeat(64) })
        .where('id', '=', content)
        .execute()
      const left = await runCommand(['mend', backup], settings)
      assert.equal(left.status, 1)
      assert.deepEqual(
        left.err.split('\n').toSorted(),
        [`${keys[0]}: altered, in no backup`, `${original}: altered, in no backup`].toSorted(),
      )
      assert.deepEqual(Buffer.from(await hands.read(keys[0])), Buffer.from(whole[0]!))
    },
  )

test('18.25 a backup that is spoiled itself puts nothing back', async (t) => {
  const { server, settings, hands, backup } = await startOnDisk(t)
  const ada = await server.signIn('ada')
  const id = await openCollection(ada)
  await addFile(ada, id)
  assert.equal((await runCommand(['backup', backup], settings)).status, 0)
  const { original: key } = await findKeys(server, id)
  const saved = join(backup, 'files', key)
  await hands.remove(key)
  const sealed = await readFile(saved)
  await writeFile(saved, flip(sealed))
  const spoiled = await runCommand(['mend', backup], settings)
  assert.deepEqual([spoiled.status, spoiled.err], [1, `${key}: missing, not what was saved`])
  await rm(saved)
  const missing = await runCommand(['mend', backup], settings)
  assert.deepEqual([missing.status, missing.err], [1, `${key}: missing, missing in the backup`])
  await assert.rejects(hands.read(key), { code: 'ENOENT' })
  await writeFile(saved, sealed)
  assert.equal((await runCommand(['mend', backup], settings)).status, 0)
  assert.match((await runCommand(['mend'], settings)).err, /^mend takes the folder or s3:\/\/… of a backup\./)
})

test('18.28 what is deleted while it is put back stays deleted', async (t) => {
  const { server, settings, hands, backup } = await startOnDisk(t)
  const ada = await server.signIn('ada')
  const ids = [await openCollection(ada), await openCollection(ada)]
  for (const id of ids) await addFile(ada, id)
  await server.settle()
  assert.equal((await runCommand(['backup', backup], settings)).status, 0)
  const [first, second] = await Promise.all(ids.map((id) => findKeys(server, id)))
  const database = join(server.config.dataDir, 'proofdesk.sqlite')
  // The first is in no backup as its row has it, which is told before the second is put back.
  editSqlite(database, `update contents set sha256 = '${'f'.repeat(64)}' where blob_key = '${first!.original}'`)
  await hands.remove(second!.original)
  const told: string[] = []
  const status = await runAdmin(['mend', backup], {
    out: (line) => void told.push(line),
    err: (line) => {
      told.push(line)
      editSqlite(database, `delete from contents where blob_key = '${second!.original}'`)
    },
    input: Readable.from([]),
    environment: settings,
  })
  assert.equal(status, 1)
  assert.deepEqual(told.slice(0, 2), [
    `${first!.original}: altered, in no backup`,
    `${second!.original}: missing, put back`,
  ])
  await assert.rejects(hands.read(second!.original), { code: 'ENOENT' })
})

for (const engine of ['sqlite', 'postgres'] as const)
  test(
    `18.26 what could not be prepared because of a spoiled original is prepared once that is put back (${engine})`,
    { skip: engine === 'postgres' && (hasRealPostgres ? skipWithoutS3 : 'PostgreSQL is not installed') },
    async (t) => {
      const { server, settings, hands, backup } = await (engine === 'sqlite' ? startOnDisk(t) : startInBucket(t))
      const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
      const ids = [await openCollection(ada), await openCollection(ada)]
      for (const id of ids) await addFile(ada, id)
      await server.settle()
      assert.equal((await runCommand(['backup', backup], settings)).status, 0)
      for (const id of ids) {
        await hands.remove((await findKeys(server, id)).original)
        must(await ada.post(`/collections/${id}/save/`), 200)
      }
      await settleForGood(server)
      const [id, rejected] = ids as [number, number]
      const seen = must(await sam.get(`/collections/${id}`), 200).submission
      assert.equal(seen.document, 'failed')
      must(await sam.post(`/admin/${rejected}/reject/`, { admin_desc: 'It cannot be opened' }), 200)

      const mended = await runCommand(['mend', backup, '--known'], settings)
      assert.deepEqual([mended.status, mended.err], [0, ''])
      assert.match(mended.out, /Submissions that are prepared after all: 1\./)
      server.clock.advance(60_000)
      await server.settle()
      assert.equal(must(await sam.get(`/collections/${id}`), 200).submission.document, 'ready')
      // Whoever looked at it before looks again.
      const old = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', digest: seen.digest })
      assert.deepEqual([old.status, old.json().code], [409, 'collection_changed'])
      await approve(sam, id)
    },
  )

/** Lets everything be tried until it is given up. */
async function settleForGood(server: TestServer): Promise<void> {
  for (let tries = 0; tries < 4; tries++) {
    await server.settle()
    server.clock.advance(60_000)
  }
}

/** Two submissions that wait and could not be prepared, each for want of its original, which a backup has. */
async function startWithLost(t: TestContext) {
  const place = await startOnDisk(t)
  const { server, settings, hands, backup } = place
  const ada = await server.signIn('ada')
  const ids = [await openCollection(ada), await openCollection(ada)]
  for (const id of ids) await addFile(ada, id)
  await server.settle()
  assert.equal((await runCommand(['backup', backup], settings)).status, 0)
  const keys: string[] = []
  const whole: Uint8Array[] = []
  for (const id of ids) {
    const { original } = await findKeys(server, id)
    keys.push(original)
    whole.push(await hands.read(original))
    await hands.remove(original)
    must(await ada.post(`/collections/${id}/save/`), 200)
  }
  await settleForGood(server)
  const readStates = async () => {
    const { db } = server.deps
    const rows = await db
      .selectFrom('submissions')
      .innerJoin('contents', 'contents.collection_id', 'submissions.collection_id')
      .select(['contents.blob_key as key', 'document_state as state'])
      .execute()
    return new Map(rows.map(({ key, state }) => [key, state]))
  }
  assert.deepEqual([...(await readStates()).values()], ['failed', 'failed'])
  return { ...place, keys, whole, readStates }
}

test('18.34 of a mending that is broken off, what was put back counts, and what could be prepared is', async (t) => {
  const { server, settings, backup, readStates } = await startWithLost(t)
  const listKnown = async () => {
    const rows = await server.deps.db.selectFrom('spoiled_files').select('key').execute()
    return rows.map(({ key }) => key)
  }
  const told: string[] = []
  const broken = await runAdmin(['mend', backup], {
    out: (line) => {
      told.push(line)
      throw new Error('broken off')
    },
    err: () => {},
    input: Readable.from([]),
    environment: settings,
  })
  assert.equal(broken, 1)
  assert.equal(told.length, 1)
  const [first = ''] = /^originals\/\w+/.exec(told[0] ?? '') ?? []
  assert.deepEqual([(await listKnown()).length, (await listKnown()).includes(first)], [1, false])
  const states = await readStates()
  assert.equal(states.get(first), 'preparing')
  assert.deepEqual([...states.values()].toSorted(), ['failed', 'preparing'])
  const again = await runCommand(['mend', backup], settings)
  assert.deepEqual([again.status, again.err], [0, ''])
  assert.match(again.out, /: 1 put back, 0 still spoiled\.\nSubmissions that are prepared after all: 1\.$/)
  await server.settle()
  assert.deepEqual([...(await readStates()).values()], ['ready', 'ready'])
})

test('18.34 one file that cannot be put back is named, and keeps no other from it', async (t) => {
  const { server, settings, backup, keys, readStates } = await startWithLost(t)
  const [stuck = '', other = ''] = keys
  // Nothing can take the place of a folder.
  await mkdir(pathOfBlob(server.config.dataDir, stuck))
  const { status, out, err } = await runCommand(['mend', backup], settings)
  assert.equal(status, 1)
  assert.equal(err, `${stuck}: unreadable, cannot be put back: a folder is in its place`)
  assert.match(
    out,
    new RegExp(`^${other}: missing, put back\\n.*: 1 put back, 1 still spoiled\\.\\nSubmissions .*: 1\\.$`),
  )
  const states = await readStates()
  assert.deepEqual([states.get(stuck), states.get(other)], ['failed', 'preparing'])
})

test('18.34 what could not be prepared is prepared by a mending that finds all originals well', async (t) => {
  const { server, settings, hands, backup, keys, whole, readStates } = await startWithLost(t)
  // As a mending that was broken off, or a hand, has left it.
  await hands.write(keys[0] ?? '', whole[0]!)
  await rm(join(backup, 'files', keys[1] ?? ''))
  const { status, out } = await runCommand(['mend', backup, '--known'], settings)
  assert.equal(status, 1)
  assert.match(out, /: 0 put back, 1 still spoiled\.\nSubmissions that are prepared after all: 1\.$/)
  const states = await readStates()
  assert.deepEqual(
    keys.map((key) => states.get(key)),
    ['preparing', 'failed'],
  )
  await server.settle()
  assert.equal((await readStates()).get(keys[0] ?? ''), 'ready')
})
