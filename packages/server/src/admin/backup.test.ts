import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import { openFolderShelf } from '../backup/folder-shelf.ts'
import { filePath } from '../backup/layout.ts'
import { openOrMakeTarget, openTarget } from '../backup/open-target.ts'
import { readManifest } from '../backup/read-manifest.ts'
import { ofSqlite } from '../backup/source.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { openStore } from '../blobs/open-store.ts'
import { lockFolder } from '../start/data-lock.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import type { TestClient } from '../testing/client.ts'
import { addFile, must, openCollection, sendCollection } from '../testing/collections.ts'
import { hasRealPostgres, makeRealDatabase } from '../testing/real-postgres.ts'
import { runCommand } from '../testing/stopped-installation.ts'

const PASSPHRASE = 'correct horse battery staple'

describe('backups (sqlite)', () => {
  let root: string
  let server: TestServer
  let ada: TestClient
  let sam: TestClient
  const ends: (() => Promise<void>)[] = []

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'proofdesk-backups-'))
    server = await startTestServer({ after: (end) => ends.push(async () => end()) }, 'sqlite')
    ada = await server.signIn('ada')
    sam = await server.signIn('sam', { is_staff: true })
    for (let n = 0; n < 2; n++) await approveOne()
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
    await rm(root, { recursive: true, force: true })
  })

  async function approveOne(): Promise<string> {
    return must(await sam.post(`/admin/${await sendCollection(ada)}/approve/`, { admin_desc: 'Fine' }), 200).proofid
  }

  const run = (args: string[], settings: Record<string, string> = {}) =>
    runCommand(args, { DATA_DIR: server.config.dataDir, KEYS_DIR: server.config.keysDir, ...settings })

  const folder = (name: string) => join(root, name)
  const fillIn = async (target: string, settings = {}) =>
    assert.deepEqual({ ...(await run(['backup', target], settings)), out: '' }, { status: 0, out: '', err: '' })

  /** The moment in nanoseconds at which each file of a snapshot was written. */
  async function writtenAt(target: string, snapshot: string) {
    const { files } = await readManifest(await openTarget(openFolderShelf(target, lockFolder), undefined), snapshot)
    const moments = files.map(async ({ key }) => {
      const { mtimeNs } = await stat(join(target, ...filePath(key).split('/')), { bigint: true })
      return [key, mtimeNs] as const
    })
    return new Map(await Promise.all(moments))
  }

  test('18.1 a backup made while the server runs is restored whole, and everything in it checks', async () => {
    const target = folder('plain')
    const approving = approveOne()
    await fillIn(target)
    await approving
    const place = { DATA_DIR: folder('restored') }
    const { status, out } = await run(['restore', target], place)
    assert.equal(status, 0)
    assert.match(out, /^Restored as of .*: the database and \d+ files\.\nEverybody signs in anew/)
    const checked = await run(['check'], place)
    assert.deepEqual({ status: checked.status, err: checked.err }, { status: 0, err: '' })
    assert.match(checked.out, /[23] certified PDFs were checked: all are what was approved\./)
    assert.deepEqual((await run(['check'])).status, 0)
  })

  test('18.2 a file that was saved before is not copied again, and each backup is restored as it was', async () => {
    const target = folder('twice')
    await fillIn(target)
    const [first] = await readdir(join(target, 'snapshots'))
    const proofid = await approveOne()
    const known = await writtenAt(target, first!)
    const { out } = await run(['backup', target])
    const second = (await readdir(join(target, 'snapshots'))).toSorted().at(-1)!
    // How many there are depends on which thumbnails are drawn by now.
    const there = await writtenAt(target, second)
    const kept = [...there].filter(([key]) => known.has(key))
    assert.match(out, new RegExp(`the database, ${there.size - kept.length} new files, ${kept.length} saved before\\.`))
    assert.ok(kept.length > 0 && there.size > kept.length, out)
    for (const [key, at] of kept) assert.equal(at, known.get(key), key)
    for (const [snapshot, isThere] of [
      [first!, false],
      [second, true],
    ] as const) {
      const place = { DATA_DIR: folder(`of-${snapshot}`) }
      assert.equal((await run(['restore', target, '--snapshot', snapshot], place)).status, 0)
      const database = new DatabaseSync(join(place.DATA_DIR, 'proofdesk.sqlite'))
      const found = database.prepare('select count(*) as count from proofs where proofid = ?').get(proofid)
      database.close()
      assert.equal(found?.['count'], isThere ? 1 : 0)
    }
  })

  test('18.3 with a passphrase a backup shows nothing, holds the keys, and opens by that one alone', async () => {
    const [target, secret] = [folder('sealed'), { BACKUP_PASSPHRASE: PASSPHRASE }]
    await fillIn(target, secret)
    for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = await readFile(join(entry.parentPath, entry.name), 'latin1')
      assert.doesNotMatch(bytes, /%PDF-|SQLite format|ada@|BEGIN|PRIVATE/, entry.name)
    }
    const place = { DATA_DIR: folder('opened'), KEYS_DIR: folder('opened-keys') }
    assert.match((await run(['restore', target], place)).err, /are encrypted: set BACKUP_PASSPHRASE/)
    const wrong = await run(['restore', target], { ...place, BACKUP_PASSPHRASE: 'another passphrase' })
    assert.equal(wrong.status, 1)
    assert.match(wrong.err, /BACKUP_PASSPHRASE is another than that of the backups in /)
    assert.equal((await run(['restore', target], { ...place, ...secret })).status, 0)
    assert.equal((await run(['check'], place)).status, 0)
    assert.deepEqual((await readdir(place.KEYS_DIR)).toSorted(), (await readdir(server.config.keysDir)).toSorted())
  })

  test('what lies beside the keys and is none is passed over and said, and spoils neither this backup nor a later one', async () => {
    const [target, keysDir] = [folder('beside-keys'), folder('keys-and-more')]
    const settings = { BACKUP_PASSPHRASE: PASSPHRASE, KEYS_DIR: keysDir }
    await cp(server.config.keysDir, keysDir, { recursive: true })
    const keys = (await readdir(keysDir)).toSorted()
    for (const under of ['.git', 'deep/deeper']) await mkdir(join(keysDir, under), { recursive: true })
    const others = ['.git', '.keep', '.nfs0000000000a1', 'deep/.DS_Store', 'deep/deeper/x.key', 'secrets.key~']
    for (const name of [...others.slice(1), '.git/HEAD', 'some.key.a1b2c3.part'])
      await writeFile(join(keysDir, name), 'no key')
    for (let n = 0; n < 2; n++) {
      const { status, err } = await run(['backup', target, '--keep', '1'], settings)
      const said = others.map((name) => `Not saved, since no key has such a name: ${join(keysDir, name)}`)
      assert.deepEqual({ status, err: err.split('\n') }, { status: 0, err: said })
    }
    assert.equal((await run(['drill', target], settings)).status, 0)
    const place = { ...settings, DATA_DIR: folder('beside-keys-restored'), KEYS_DIR: folder('keys-alone') }
    assert.equal((await run(['restore', target], place)).status, 0)
    assert.deepEqual((await readdir(place.KEYS_DIR)).toSorted(), keys)
  })

  test('18.4 a drill restores a backup elsewhere, and names what is missing, changed or swapped in it', async () => {
    const [target, secret] = [folder('drilled'), { BACKUP_PASSPHRASE: PASSPHRASE }]
    await fillIn(target, secret)
    const well = await run(['drill', target], secret)
    assert.deepEqual({ status: well.status, err: well.err }, { status: 0, err: '' })
    const certified = join(target, 'files/certified')
    const [one, other] = (await readdir(certified)).map((name) => join(certified, name))
    const faults: [string, (spoiled: string) => Promise<unknown>, RegExp][] = [
      ['missing', () => rm(one!), /certified\/\w+: missing in the backup/],
      ['changed', async () => writeFile(one!, flip(await readFile(one!))), /certified\/\w+: not what was saved/],
      [
        'cut',
        async () => writeFile(one!, (await readFile(one!)).subarray(0, 100)),
        /certified\/\w+: not what was saved/,
      ],
      [
        'swapped',
        () => rename(other!, one!),
        /certified\/\w+: not what was saved\ncertified\/\w+: missing|certified\/\w+: missing.*\ncertified\/\w+: not what/,
      ],
    ]
    await cp(target, folder('intact'), { recursive: true })
    for (const [name, plant, told] of faults) {
      await rm(target, { recursive: true })
      await cp(folder('intact'), target, { recursive: true })
      await plant(target)
      const { status, err } = await run(['drill', target], secret)
      assert.equal(status, 1, name)
      assert.match(err, told, name)
    }
  })

  test('18.10 of old backups those that are to be kept stay whole, and files that only others needed go', async () => {
    const target = folder('pruned')
    await fillIn(target)
    const id = await sendCollection(ada)
    const [content] = must(await ada.get(`/contents/?collection=${id}`), 200).results
    await fillIn(target)
    must(await sam.delete(`/contents/${content.id}`), 204)
    await server.settle()
    const count = async () => (await readdir(join(target, 'files/originals'))).length
    const earlier = await count()
    const { status, out } = await run(['backup', target, '--keep', '1'])
    assert.equal(status, 0)
    assert.match(out, /Older backups that were removed: 2\.$/)
    assert.equal(await count(), earlier - 1)
    assert.equal((await run(['drill', target])).status, 0)
  })

  test('18.11 of two backups into one folder at once one is refused, and the folder stays whole', async () => {
    const target = folder('at-once')
    await fillIn(target)
    const both = await Promise.all([run(['backup', target, '--keep', '1']), run(['backup', target, '--keep', '1'])])
    assert.equal(both.filter(({ status }) => status === 0).length, 1)
    assert.match(both.find(({ status }) => status === 75)!.err, /^The folder is in use: another backup is being added/)
    assert.equal((await run(['drill', target])).status, 0)
    assert.equal((await run(['backup', target])).status, 0)
  })

  test('18.12 what is deleted while a backup is made is missing in none, and what was lost before is', async () => {
    const id = await sendCollection(ada)
    const [content] = must(await ada.get(`/contents/?collection=${id}`), 200).results
    const row = await server.deps.db
      .selectFrom('contents')
      .select('blob_key')
      .where('id', '=', content.id)
      .executeTakeFirstOrThrow()
    const { dataDir, keysDir } = server.config
    const target = folder('overtaken')
    const databaseFile = join(dataDir, 'proofdesk.sqlite')
    const blobs = await openStore({ dataDir, storage: undefined })
    const source = {
      ...ofSqlite(databaseFile),
      keysDir,
      version: '0.0.0',
      blobs: {
        check: () => blobs.check(),
        // As a deletion does that comes after the database was copied, and before its files.
        read: async (key: string) => {
          if (key === row.blob_key) {
            rmSync(join(dataDir, 'blobs', key), { force: true })
            const database = new DatabaseSync(databaseFile)
            database.prepare('delete from contents where id = ?').run(content.id)
            database.close()
          }
          return blobs.read(key)
        },
      },
    }
    const shelf = openFolderShelf(target, lockFolder)
    const lock = await shelf.lock()
    const written = await writeBackup(await openOrMakeTarget(shelf, undefined), source, lock, Date.now())
    await lock.close()
    assert.deepEqual(written.spoiled, [])
    const manifest = await readManifest(await openTarget(shelf, undefined), written.snapshot)
    assert.ok(!manifest.files.some(({ key }) => key === row.blob_key))
    assert.equal((await run(['drill', target])).status, 0)

    const other = await openCollection(ada)
    await addFile(ada, other)
    const lost = await server.deps.db
      .selectFrom('contents')
      .select('blob_key')
      .where('collection_id', '=', other)
      .executeTakeFirstOrThrow()
    const kept = join(server.config.dataDir, 'blobs', lost.blob_key)
    await rename(kept, `${kept}.aside`)
    const { status, err } = await run(['backup', target])
    assert.deepEqual([status, err], [3, `${lost.blob_key}: missing`])
    await rename(`${kept}.aside`, kept)
    assert.equal((await run(['backup', target])).status, 0)
  })

  test('18.5 a backup whose database was changed is not restored at all', async () => {
    const target = folder('changed')
    await fillIn(target)
    const [snapshot] = await readdir(join(target, 'snapshots'))
    const path = join(target, 'snapshots', snapshot!, 'database')
    await writeFile(path, flip(await readFile(path)))
    const place = { DATA_DIR: folder('never') }
    const { status, err } = await run(['restore', target], place)
    assert.equal(status, 1)
    assert.match(err, /database is not what was saved/)
    assert.ok(!(await readdir(place.DATA_DIR)).includes('proofdesk.sqlite'))
  })

  test('18.6 a command about an installation or a backup that is not there says so, and makes none', async () => {
    const [place, target] = [folder('no-installation'), folder('no-backup')]
    await fillIn(folder('some'))
    for (const args of [
      ['check'],
      ['check-counts'],
      ['check-audit'],
      ['check-proofs'],
      ['mend', folder('some')],
      ['take-away', '--username', 'ada', '--right', 'active'],
    ]) {
      const { status, out, err } = await run(args, { DATA_DIR: place })
      assert.deepEqual([status, out, err], [1, '', `There is no database in ${place}`], args.join(' '))
    }
    for (const command of ['drill', 'restore', 'mend']) {
      const { status, err } = await run([command, target], { DATA_DIR: place })
      assert.deepEqual([status, err], [1, `${target} holds no backup of this program`], command)
    }
    assert.deepEqual([existsSync(place), existsSync(target)], [false, false])
  })

  test(
    '18.1 a folder that cannot be made is told, rather than tried for ever',
    { skip: process.platform !== 'linux' },
    async () => {
      const { status, err } = await run(['backup', '/proc/proofdesk'])
      assert.equal(status, 1)
      assert.match(err, /^Backups cannot be put into \/proc\/proofdesk: /)
    },
  )

  test('18.6 where there is a database, nothing is restored', async () => {
    const target = folder('refused')
    await fillIn(target)
    const { status, err } = await run(['restore', target])
    assert.equal(status, 1)
    assert.match(err, /^There is a database already/)
    assert.equal((await ada.get('/collections/')).status, 200)
  })

  test('18.6 beside what an older database left, or while a server or another restore is at work, nothing is restored', async () => {
    const target = folder('refused-beside')
    await fillIn(target)
    const dataDir = folder('left-over')
    await mkdir(dataDir, { recursive: true })
    await writeFile(join(dataDir, 'proofdesk.sqlite-wal'), 'pages of another database')
    const { status, err } = await run(['restore', target], { DATA_DIR: dataDir })
    assert.equal(status, 1)
    assert.match(err, /^There is a database already: .*proofdesk\.sqlite-wal: stop the server and move DATA_DIR away/)
    await rm(join(dataDir, 'proofdesk.sqlite-wal'))
    const lock = lockFolder(dataDir, 'DATA_DIR', 'a test works in it')
    const held = await run(['restore', target], { DATA_DIR: dataDir })
    lock.close()
    assert.notEqual(held.status, 0)
    assert.match(held.err, /^DATA_DIR is in use: a Proofdesk server runs on .*, or another restore/)
    assert.equal((await run(['restore', target], { DATA_DIR: dataDir })).status, 0)
  })

  test('18.7 after a restore nobody is signed in, and no mailed link works', async () => {
    const target = folder('ended')
    await server.stranger.post('/password/reset/', { email: 'ada@example.org' })
    await server.settle()
    await fillIn(target)
    const place = { DATA_DIR: folder('ended-place') }
    assert.equal((await run(['restore', target], place)).status, 0)
    const database = new DatabaseSync(join(place.DATA_DIR, 'proofdesk.sqlite'))
    for (const table of ['sessions', 'session_tokens', 'link_tokens', 'challenges'])
      assert.deepEqual({ ...database.prepare(`select count(*) as count from ${table}`).get() }, { count: 0 }, table)
    database.close()
  })

  test('18.8 check finds a stored file that is missing or changed, an edited row and an edited log', async () => {
    const target = folder('for-checks')
    await fillIn(target)
    const faults: [string, (dataDir: string) => Promise<unknown>, RegExp][] = [
      ['a missing file', async (dataDir) => rm(await firstOf(dataDir, 'originals')), /originals\/\w+: missing/],
      [
        'a flipped byte',
        async (dataDir) => {
          const path = await firstOf(dataDir, 'certified')
          await writeFile(path, flip(await readFile(path)))
        },
        /certified\/\w+: altered/,
      ],
      ['an edited count', edit('update collection_counts set amount = amount + 1'), /counts are wrong/],
      [
        'an edited entry',
        edit(
          'drop trigger log_entries_update',
          `update log_entries set entry = replace(entry, '"k":"approve"', '"k":"approvE"')`,
        ),
        /log of \d+ entries does not add up/,
      ],
      [
        'an edited trail',
        edit('drop trigger audit_entries_update', "update audit_entries set action = 'signed_out' where id = 1"),
        /audit trail is broken/,
      ],
      [
        'a trail that is not chained',
        edit(
          ...[0, 11 * 60_000].map(
            (at) =>
              `insert into audit_entries (at, action, object_kind, details) values (${Date.now() + at}, 'signed_out', 'user', '{}')`,
          ),
        ),
        /trail are not chained/,
      ],
      [
        'an edited proof',
        edit('update proofs set sealed_key = (select max(sealed_key) from proofs)'),
        /of another proof/,
      ],
    ]
    for (const [name, plant, told] of faults) {
      const place = { DATA_DIR: folder(`check-${name.replaceAll(' ', '-')}`) }
      assert.equal((await run(['restore', target], place)).status, 0)
      await plant(place.DATA_DIR)
      const { status, err } = await run(['check'], place)
      assert.equal(status, 1, name)
      assert.match(err, told, name)
    }
  })
})

function flip(bytes: Buffer): Buffer {
  bytes[Math.floor(bytes.length / 2)]! ^= 1
  return bytes
}

async function firstOf(dataDir: string, kind: string): Promise<string> {
  const blobs = join(dataDir, 'blobs', kind)
  const [name] = await readdir(blobs)
  return join(blobs, name!)
}

/** @returns what runs these statements on the restored database. */
function edit(...statements: string[]) {
  return async (dataDir: string) => {
    const database = new DatabaseSync(join(dataDir, 'proofdesk.sqlite'))
    try {
      for (const statement of statements) database.exec(statement)
    } finally {
      database.close()
    }
  }
}

test(
  '18.6 a command about an empty PostgreSQL makes nothing in it, so that a backup can still be restored there (postgres)',
  { skip: hasRealPostgres ? false : 'PostgreSQL is not installed' },
  async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'proofdesk-empty-'))
    t.after(() => rm(dataDir, { recursive: true }))
    const { url, drop } = await makeRealDatabase('empty')
    t.after(drop)
    // The second would find what the first has made.
    for (const command of ['check', 'check-counts', 'check']) {
      const { status, out, err } = await runCommand([command], { DATA_DIR: dataDir, DATABASE_URL: url })
      assert.deepEqual([status, out], [1, ''], command)
      assert.match(err, /^No server was started yet on the database of DATABASE_URL \([\w.:]*\)$/)
    }
  },
)
