import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import { openFolderShelf } from '../backup/folder-shelf.ts'
import { openTarget } from '../backup/open-target.ts'
import { readManifest } from '../backup/read-manifest.ts'
import { ERASED_LIST } from '../secrets/erased-list.ts'
import { lockFolder } from '../start/data-lock.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import type { TestClient } from '../testing/client.ts'
import { addFile, must, openCollection, sendCollection } from '../testing/collections.ts'
import { approveOne, issueRich, judge, PLANTED } from '../testing/erasure.ts'
import { start } from '../testing/server-process.ts'
import { runCommand } from '../testing/stopped-installation.ts'
import { waitUntil } from '../testing/wait-until.ts'

const SECRET = { BACKUP_PASSPHRASE: 'correct horse battery staple' }

describe('erasing by command (sqlite)', () => {
  let root: string
  let server: TestServer
  let ada: TestClient
  let sam: TestClient
  const ends: (() => Promise<void>)[] = []
  const folder = (name: string) => join(root, name)

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'proofdesk-erasing-'))
    server = await startTestServer({ after: (end) => ends.push(async () => end()) }, 'sqlite')
    ada = await server.signIn('ada')
    sam = await server.signIn('sam', { is_staff: true })
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
    await rm(root, { recursive: true, force: true })
  })

  const run = (args: string[], settings: Record<string, string> = {}) =>
    runCommand(args, { DATA_DIR: server.config.dataDir, KEYS_DIR: server.config.keysDir, ...settings })

  async function mustRun(args: string[], settings: Record<string, string> = {}): Promise<string> {
    const { status, out, err } = await run(args, settings)
    assert.deepEqual({ status, err }, { status: 0, err: '' }, out)
    return out
  }

  /** Those of the words that stand in a table of text. */
  function searchRows(dataDir: string, words: readonly string[]): string[] {
    const database = new DatabaseSync(join(dataDir, 'proofdesk.sqlite'), { readOnly: true })
    try {
      const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
      const texts = tables
        .map(({ name }) => String(name))
        .filter((name) => !/_grams(_|$)/.test(name))
        .map((name) => {
          const all = database.prepare(`select * from "${name}"`)
          all.setReadBigInts(true)
          return JSON.stringify(all.all(), (_, value) => (typeof value === 'bigint' ? String(value) : value))
        })
      return words.filter((word) => texts.some((text) => text.includes(word)))
    } finally {
      database.close()
    }
  }

  const countSessions = (dataDir: string) => {
    const database = new DatabaseSync(join(dataDir, 'proofdesk.sqlite'), { readOnly: true })
    const found = database.prepare('select count(*) as count from sessions').get()
    database.close()
    return found?.['count']
  }

  test('23.12 what was erased after a backup is erased again when it is restored, whether it was approved by then or not', async () => {
    const kept = await approveOne(ada, sam)
    const waiting = await openCollection(ada, 'Distelfink')
    await addFile(ada, waiting)
    must(await ada.post(`/collections/${waiting}/save/`), 200)
    const { proofid } = await issueRich(ada, sam)
    await server.settle()
    const target = folder('backups')
    await mustRun(['backup', target])
    const later = must(await sam.post(`/admin/${waiting}/approve/`, { admin_desc: 'Fine' }), 200).proofid
    await server.settle()
    assert.match(
      await mustRun(['erase-proof', proofid]),
      /^Erased: 1 proof, 1 collection, \d+ stored files\. Its leaf stays in the log\.\nBackups from before/,
    )
    assert.match(await mustRun(['erase-proof', later]), /^Erased: 1 proof, 1 collection/)
    assert.deepEqual(searchRows(server.config.dataDir, [...PLANTED, 'Distelfink']), [])
    assert.equal(await judge(server, proofid), '404 proof_not_found')
    assert.equal(await judge(server, kept), 'valid')
    server.deps.outbox.ring()
    await server.settle()
    await mustRun(['check'])

    const place = { DATA_DIR: folder('restored') }
    const out = await mustRun(['restore', target], place)
    assert.match(out, /\nErased again, as it was since: 0 accounts, 1 proof, 2 collections, \d+ stored files\./)
    assert.deepEqual(searchRows(place.DATA_DIR, [...PLANTED, 'Distelfink']), [])
    assert.equal(countSessions(place.DATA_DIR), 0)
    await mustRun(['check'], place)
    const files = async () => (await readdir(join(place.DATA_DIR, 'blobs'), { recursive: true })).length
    const filesAtFirst = await files()
    const keys = { KEYS_DIR: folder('keys') }
    await cp(server.config.keysDir, keys.KEYS_DIR, { recursive: true, dereference: true })
    const served = await start({ ...place, ...keys, ORGANISATION: 'Test Registry' })
    await waitUntil(async () => (await files()) < filesAtFirst)
    served.child.kill('SIGTERM')
    await served.ended
  })

  test('23.13 the list is in no backup, also none with keys, and no restore takes a line from it', async () => {
    const { proofid } = await issueRich(ada, sam)
    await server.settle()
    const target = folder('sealed')
    await mustRun(['backup', target], SECRET)
    await mustRun(['erase-proof', proofid])
    await mustRun(['backup', target], SECRET)
    const opened = await openTarget(openFolderShelf(target, lockFolder), SECRET.BACKUP_PASSPHRASE)
    const snapshots = (await readdir(join(target, 'snapshots'))).toSorted()
    for (const snapshot of snapshots) {
      const { keys } = await readManifest(opened, snapshot)
      assert.ok(keys.length > 3 && keys.every(({ name }) => name !== ERASED_LIST))
    }
    const place = { DATA_DIR: folder('opened'), KEYS_DIR: folder('opened-keys'), ...SECRET }
    await mkdir(place.KEYS_DIR)
    await cp(join(server.config.keysDir, ERASED_LIST), join(place.KEYS_DIR, ERASED_LIST))
    const list = await readFile(join(place.KEYS_DIR, ERASED_LIST), 'utf8')
    const out = await mustRun(['restore', target, '--snapshot', snapshots[0]!], place)
    assert.match(out, /Erased again, as it was since: 0 accounts, 1 proof, 1 collection/)
    assert.deepEqual(searchRows(place.DATA_DIR, PLANTED), [])
    assert.equal(await readFile(join(place.KEYS_DIR, ERASED_LIST), 'utf8'), list)
    await mustRun(['check'], place)
  })

  test('23.12 … and so are people, once the keys are there', async () => {
    const eve = await server.signIn('eve')
    await sendCollection(eve)
    const target = folder('people')
    await mustRun(['backup', target])
    assert.match(await mustRun(['erase-user', 'EVE']), /^Erased: the account \(id \d+\), 0 proofs, 1 collection/)
    const place = { DATA_DIR: folder('restored-people'), KEYS_DIR: folder('people-keys') }
    await mkdir(place.KEYS_DIR)
    await cp(join(server.config.keysDir, ERASED_LIST), join(place.KEYS_DIR, ERASED_LIST))
    const { status, err } = await run(['restore', target], place)
    assert.equal(status, 0)
    assert.match(err, /of what is to be erased again is left: the server does it when it starts with the keys\.$/)
    assert.deepEqual(searchRows(place.DATA_DIR, ['eve@example.org']), ['eve@example.org'])
    const whole = { DATA_DIR: folder('restored-whole') }
    assert.match(
      await mustRun(['restore', target], whole),
      /Erased again, as it was since: 1 account, 0 proofs, 1 collection/,
    )
    assert.deepEqual(searchRows(whole.DATA_DIR, ['eve@example.org']), [])
  })

  test('23.14 the commands say whom and what they do not know, and what they were not told', async () => {
    const refused = async (args: string[]) => {
      const { status, out, err } = await run(args)
      return [status, out, err]
    }
    assert.deepEqual(await refused(['erase-proof', 'AAAA']), [1, '', 'There is no proof with this Proof ID.'])
    assert.deepEqual(await refused(['erase-user', 'nobody']), [1, '', 'User not found.'])
    for (const command of ['erase-proof', 'erase-user'])
      for (const args of [[], ['one', 'more'], ['--force', 'one']]) {
        const [status, , err] = await refused([command, ...args])
        assert.equal(status, 2)
        assert.match(String(err), new RegExp(`^${command} takes a`))
      }
  })
})
