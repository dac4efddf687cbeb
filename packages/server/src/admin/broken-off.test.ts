import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { DATABASE_FILE } from '../start/open-data.ts'
import { startTestServer } from '../testing.ts'
import { addFile, openCollection } from '../testing/collections.ts'
import { ADMIN, root, run } from '../testing/server-process.ts'
import { copyStopped, runCommand, type StoppedInstallation } from '../testing/stopped-installation.ts'
import { waitUntil } from '../testing/wait-until.ts'

const KINDS = [
  ['drill', 'proofdesk-drill-'],
  ['backup', 'scratch-'],
  ['restore', 'restoring-'],
] as const

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

describe('commands that are broken off (sqlite)', () => {
  let installation: StoppedInstallation
  let backup: string
  const ends: (() => Promise<void>)[] = []

  before(async () => {
    const server = await startTestServer({ after: (end) => ends.push(async () => end()) }, 'sqlite')
    const ada = await server.signIn('ada')
    await addFile(ada, await openCollection(ada))
    await server.settle()
    installation = await copyStopped(server, join(root, 'installation'))
    backup = join(root, 'backup')
    assert.equal((await runCommand(['backup', backup], installation)).status, 0)
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })

  /** Where each makes its copy, with settings of its own. */
  async function prepare(command: (typeof KINDS)[number][0]) {
    const TMPDIR = await mkdtemp(join(root, 'tmp-'))
    const DATA_DIR = command === 'restore' ? await mkdtemp(join(root, 'data-')) : installation.DATA_DIR
    const target = command === 'backup' ? await mkdtemp(join(root, 'target-')) : backup
    const place = { drill: TMPDIR, backup: target, restore: DATA_DIR }[command]
    return { place, begin: () => run(ADMIN, [command, target], { ...installation, TMPDIR, DATA_DIR }) }
  }

  for (const [command, prefix] of KINDS) {
    const listCopies = async (place: string) => (await readdir(place)).filter((name) => name.includes(prefix))
    const isAtIt = async (place: string) => (await listCopies(place)).some((name) => name.startsWith(prefix))

    for (const signal of command === 'backup' ? SIGNALS : SIGNALS.slice(0, 2))
      test(`a ${command} that ${signal} ends leaves no copy of the database`, async () => {
        const { place, begin } = await prepare(command)
        const killed = begin()
        await waitUntil(() => isAtIt(place))
        killed.child.kill(signal)
        assert.notEqual(await killed.ended, 0)
        assert.deepEqual(await listCopies(place), [])
        // A signal that comes late finds all of it restored, over which nothing is restored again.
        const isRestored = command === 'restore' && existsSync(join(place, DATABASE_FILE))
        assert.equal(await begin().ended, isRestored ? 1 : 0)
      })

    test(`what a ${command} left that was killed by force goes with the next one, and nothing else does`, async () => {
      const { place, begin } = await prepare(command)
      const killed = begin()
      await waitUntil(() => isAtIt(place))
      killed.child.kill('SIGKILL')
      await killed.ended
      assert.equal((await listCopies(place)).length, 1)
      const elsewhere = await mkdtemp(join(root, 'elsewhere-'))
      await writeFile(join(elsewhere, 'kept'), '')
      await symlink(elsewhere, join(place, `${prefix}link`))
      assert.equal(await begin().ended, 0)
      assert.deepEqual(await listCopies(place), [`${prefix}link`])
      assert.deepEqual(await readdir(elsewhere), ['kept'])
    })
  }

  test('a drill leaves the copy of another one that is at work', async () => {
    const { place, begin } = await prepare('drill')
    const slow = begin()
    const [copy] = await waitUntil(async () => {
      const names = (await readdir(place)).filter((name) => name.startsWith('proofdesk-drill-'))
      return names.length > 0 && names
    })
    slow.child.kill('SIGSTOP')
    assert.equal(await begin().ended, 0)
    assert.deepEqual(await readdir(place), [copy])
    slow.child.kill('SIGCONT')
    assert.equal(await slow.ended, 0)
    assert.deepEqual(await readdir(place), [])
  })

  test('18.3 an encrypted backup whose restore was broken off is restored by the same command, and other keys stay as they are', async () => {
    const [target, secret] = [join(root, 'sealed'), { BACKUP_PASSPHRASE: 'correct horse battery staple' }]
    assert.equal((await runCommand(['backup', target], { ...installation, ...secret })).status, 0)
    const place = { ...secret, DATA_DIR: join(root, 'again'), KEYS_DIR: join(root, 'again-keys') }
    // The keys come, and then a file has no place.
    const inTheWay = join(place.DATA_DIR, 'blobs/originals')
    await mkdir(join(place.DATA_DIR, 'blobs'), { recursive: true })
    await writeFile(inTheWay, '')
    assert.equal((await runCommand(['restore', target], place)).status, 1)
    await rm(inTheWay)
    const [kept, keysDir] = [join(root, 'keys-so-far'), place.KEYS_DIR]
    await cp(keysDir, kept, { recursive: true })
    const entries = await readdir(kept, { recursive: true, withFileTypes: true })
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(kept, join(entry.parentPath, entry.name)))
      .toSorted()
    // One of them lies in a folder.
    const [first, second] = [names.find((name) => name.includes('/')), names.at(-1)].map((name) => join(keysDir, name!))
    const whole = await readFile(first!)
    const beginAnew = async (path: string, bytes: Buffer | string, DATA_DIR = place.DATA_DIR) => {
      await rm(keysDir, { recursive: true })
      await cp(kept, keysDir, { recursive: true })
      await rm(second!)
      await writeFile(path, bytes)
      return runCommand(['restore', target], { ...place, DATA_DIR })
    }
    const again = await beginAnew(`${second}.a1b2c3.part`, 'cut')
    assert.deepEqual([again.status, again.err], [0, ''])
    assert.equal((await runCommand(['check'], place)).status, 0)
    for (const name of names)
      assert.deepEqual(await readFile(join(keysDir, name)), await readFile(join(kept, name)), name)

    const altered = Buffer.from(whole)
    altered[0]! ^= 1
    for (const [path, bytes] of [
      [first!, altered],
      [first!, whole.subarray(1)],
      [join(keysDir, 'other.key'), whole],
    ] as const) {
      const { status, err } = await beginAnew(path, bytes, join(root, 'refused'))
      const refused = `KEYS_DIR holds what the backup does not: ${path}: move all but erased.list away from KEYS_DIR, or restore with --without-keys`
      assert.deepEqual([status, err], [1, refused])
      assert.deepEqual([await readFile(path), existsSync(second!)], [bytes, false])
    }
  })
})
