import assert from 'node:assert/strict'
import { mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
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

    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      test(`a ${command} that ${signal} ends leaves no copy of the database`, async () => {
        const { place, begin } = await prepare(command)
        const killed = begin()
        await waitUntil(() => isAtIt(place))
        killed.child.kill(signal)
        assert.notEqual(await killed.ended, 0)
        assert.deepEqual(await listCopies(place), [])
        assert.equal(await begin().ended, 0)
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
})
