import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ReadFailure } from '../blobs/read-apart.ts'
import { StartFailure } from '../config/start-failure.ts'
import { lockFolder } from '../start/data-lock.ts'
import { SpoiledBackup } from './cipher.ts'
import { explainSpoiled } from './explain-spoiled.ts'
import { openFolderShelf } from './folder-shelf.ts'
import { NotOnShelf } from './shelf.ts'

test('a file of a backup is spoiled, missing or unreadable, and none of these where the whole place cannot be read', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-explain-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const shelf = openFolderShelf(root, lockFolder)
  const failure = (cause: Error) => new ReadFailure('it cannot be read', { cause })
  const missing = failure(new NotOnShelf('files/a'))
  await writeFile(join(root, 'backup.json'), '{}')
  assert.equal(await explainSpoiled(shelf, new SpoiledBackup('a')), 'not what was saved')
  assert.equal(await explainSpoiled(shelf, missing), 'missing in the backup')
  assert.equal(await explainSpoiled(shelf, failure(new Error('EIO'))), 'cannot be read in the backup')
  const full = new Error('the disk it goes to is full')
  await assert.rejects(explainSpoiled(shelf, full), full)
  await rm(join(root, 'backup.json'))
  for (const error of [missing, failure(new Error('EIO'))])
    await assert.rejects(
      explainSpoiled(shelf, error),
      (told) => told instanceof StartFailure && told.message.startsWith(`${root} cannot be read`),
    )
})
