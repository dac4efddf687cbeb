import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { copyDurably } from './copy-durably.ts'
import { limitBytes } from './limit-bytes.ts'
import { SpoiledBackup } from './cipher.ts'

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-durably-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a copy stands at its path whole, for its owner alone, and in the place of none that failed', async (t) => {
  const folder = await makeFolder(t)
  const path = join(folder, 'a/b/copy')
  await copyDurably([Readable.from([Buffer.from('one '), Buffer.from('two')]), new PassThrough()], path)
  assert.equal(await readFile(path, 'utf8'), 'one two')
  assert.deepEqual([(await stat(path)).mode & 0o777, (await stat(join(folder, 'a'))).mode & 0o777], [0o600, 0o700])
  const breakOff = Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('broken off')
    })(),
  )
  await assert.rejects(copyDurably([breakOff], path), /broken off/)
  const refuse = () => {
    throw new Error('not this one')
  }
  await assert.rejects(copyDurably([Readable.from([Buffer.from('other')])], path, refuse), /not this one/)
  assert.equal(await readFile(path, 'utf8'), 'one two')
  assert.deepEqual(await readdir(join(folder, 'a/b')), ['copy'])
  await writeFile(join(folder, 'file'), '')
  await assert.rejects(copyDurably([Readable.from([Buffer.from('other')])], join(folder, 'file/copy')))
})

test('so many bytes pass and no more', async (t) => {
  const folder = await makeFolder(t)
  const copy = (bytes: string, most: number) =>
    copyDurably(
      [Readable.from([Buffer.from(bytes.slice(0, 2)), Buffer.from(bytes.slice(2))]), limitBytes(most, 'it')],
      join(folder, 'copy'),
    )
  await copy('12345', 5)
  assert.equal(await readFile(join(folder, 'copy'), 'utf8'), '12345')
  await assert.rejects(copy('123456', 5), SpoiledBackup)
  assert.equal(await readFile(join(folder, 'copy'), 'utf8'), '12345')
})
