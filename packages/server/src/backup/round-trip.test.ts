import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { StartFailure } from '../config/start-failure.ts'
import { addErased, readErased } from '../secrets/erased-list.ts'
import { openBackups } from '../testing/backups.ts'
import { addFile } from '../testing/collections.ts'
import { nameSnapshot } from './layout.ts'
import { listSnapshots, openTarget } from './open-target.ts'
import { pruneBackups } from './prune-backups.ts'
import { findSaved, putBack } from './put-back.ts'
import { readManifest } from './read-manifest.ts'

const SECRET = 'correct horse battery staple'
const bytesOf = async (stream: Readable | Uint8Array) => (stream instanceof Readable ? buffer(stream) : stream)

test('what is saved comes back: database, keys and files, each as it was, and again after a restore that was broken off', async (t) => {
  const { open, write, restore, source, keysDir, folder, server } = await openBackups(t, SECRET)
  await mkdir(join(keysDir, 'lost+found'))
  await writeFile(join(keysDir, 'lost+found/x'), 'of the system')
  await writeFile(join(keysDir, 'half.part'), 'half a key')
  await writeFile(join(keysDir, 'a b'), 'no key')
  await addErased(keysDir, { user: { id: 7, mac: 'A'.repeat(43) } })
  const target = await open()
  const written = await write(target)
  assert.deepEqual([written.copied >= 2, written.kept, written.spoiled, written.passedOver], [true, 0, [], ['a b']])
  const { restored, place } = await restore(target, written.snapshot)
  assert.deepEqual([restored.files, restored.spoiled, restored.lost, restored.hasKeys], [written.copied, [], 0, true])
  const names = restored.manifest.keys.map(({ name }) => name)
  assert.ok(names.includes('secrets.key') && names.includes('log.key.pem'))
  assert.deepEqual(
    names.filter((name) => /erased|lost|part| /.test(name)),
    [],
  )
  for (const name of names)
    assert.deepEqual(await readFile(join(place.keysDir!, name)), await readFile(join(keysDir, name)))
  for (const { key } of restored.manifest.files)
    assert.deepEqual(await bytesOf(await place.blobs.read(key)), await bytesOf(await server.deps.blobs.read(key)))
  assert.deepEqual(await readdir(place.blobs.incomingDir), [])
  assert.equal((await stat(join(place.keysDir!, 'secrets.key'))).mode & 0o777, 0o600)
  // Nothing but sealed bytes lies there, and nothing of what it was made from.
  assert.deepEqual((await readdir(folder)).toSorted(), ['backup.json', 'files', 'snapshots'])
  assert.ok(!(await readFile(join(folder, 'snapshots', written.snapshot, 'database'))).includes('SQLite format'))

  // Of the keys one is still missing, and of the files one is spoiled.
  const [first] = restored.manifest.files
  await rm(join(place.keysDir!, 'log.key.pem'))
  await addErased(place.keysDir!, { user: { id: 8, mac: 'A'.repeat(43) } })
  await place.blobs.remove(first!.key)
  const spoiled = place.blobs.temporaryPath()
  await writeFile(spoiled, 'spoiled')
  await place.blobs.putFile(first!.key, spoiled)
  const again = await restore(target, written.snapshot, place)
  assert.deepEqual([again.restored.files, again.restored.spoiled], [restored.files, []])
  assert.ok(existsSync(join(place.keysDir!, 'log.key.pem')))
  assert.deepEqual((await readErased(place.keysDir!)).erased, [{ user: { id: 8, mac: 'A'.repeat(43) } }])
  assert.equal((await place.blobs.size(first!.key)) ?? 0, first!.size)
  assert.equal(source.log, restored.manifest.log)
})

test('keys that are others than those of the backup are never written over, and a database that must not be keeps all else away', async (t) => {
  const { open, write, restore, root } = await openBackups(t, SECRET)
  const target = await open()
  const { snapshot } = await write(target)
  for (const [name, bytes] of [
    ['secrets.key', 'another key'],
    ['stranger.key', 'what the backup has not'],
  ] as const) {
    const keysDir = join(root, `keys-with-${name}`)
    await mkdir(keysDir)
    await writeFile(join(keysDir, name), bytes)
    await assert.rejects(restore(target, snapshot, { keysDir }), /KEYS_DIR holds what the backup does not/)
    assert.deepEqual(await readdir(keysDir), [name])
    assert.equal(await readFile(join(keysDir, name), 'utf8'), bytes)
  }
  const keysDir = join(root, 'keys-of-nobody')
  const refused = { keysDir, accept: () => Promise.reject(new StartFailure('not this one')) }
  await assert.rejects(restore(target, snapshot, refused), /not this one/)
  assert.equal(existsSync(keysDir), false)
  const { restored } = await restore(target, snapshot, { keysDir: undefined })
  assert.equal(restored.hasKeys, false)
})

test('a file that was changed, cut, or put in place of another in the backup is named, and keeps no other away', async (t) => {
  for (const passphrase of [undefined, SECRET]) {
    const { open, write, restore, folder, ada, collection } = await openBackups(t, passphrase)
    await addFile(ada, collection)
    const target = await open()
    const { snapshot } = await write(target)
    const manifest = await readManifest(target, snapshot)
    const [a, b, c, ...others] = manifest.files.map(({ key }) => join(folder, 'files', key))
    const [ofA, ofB, ofC] = await Promise.all([a, b, c].map((path) => readFile(path!)))
    await rename(b!, `${b}-aside`)
    await rename(a!, b!)
    await rename(`${b}-aside`, a!)
    await writeFile(c!, ofC!.subarray(0, -1))
    const { restored, place } = await restore(target, snapshot)
    const isSwapHarmless = passphrase === undefined && ofA!.equals(ofB!)
    assert.equal(restored.lost, isSwapHarmless ? 1 : 3)
    assert.equal(restored.files, others.length + (isSwapHarmless ? 2 : 0))
    assert.ok(restored.spoiled.every((line) => line.endsWith(': not what was saved')))
    assert.equal(await place.blobs.size(manifest.files[2]!.key), undefined)
    // One bit, and one byte more.
    const altered = Buffer.from(ofC!)
    altered[20] = altered[20]! ^ 1
    for (const bytes of [altered, Buffer.concat([ofC!, Buffer.from('x')])]) {
      await writeFile(c!, bytes)
      assert.ok(
        (await restore(target, snapshot)).restored.spoiled.some((line) => line.startsWith(manifest.files[2]!.key)),
      )
    }
    // And the database, without which there is nothing.
    const database = join(folder, 'snapshots', snapshot, 'database')
    const bytes = await readFile(database)
    bytes[bytes.length - 100] = bytes[bytes.length - 100]! ^ 1
    await writeFile(database, bytes)
    await assert.rejects(restore(target, snapshot), /database is not what was (saved|written)/)
  }
})

test('each file is saved once, and anew where it is gone from the backups or is another', async (t) => {
  const { open, write, folder, ada, collection, server } = await openBackups(t)
  const target = await open()
  const first = await write(target)
  assert.deepEqual([(await write(target)).copied, (await listSnapshots(target)).length], [0, 2])
  const { files } = await readManifest(target, first.snapshot)
  await rm(join(folder, 'files', files[0]!.key))
  await addFile(ada, collection)
  const third = await write(target)
  assert.ok(third.copied >= 2 && third.kept >= 1)
  assert.equal((await stat(join(folder, 'files', files[0]!.key))).size, files[0]!.size)

  // What was altered in the store stands as such in the manifest, also where the row changes its mind later.
  const aside = server.deps.blobs.temporaryPath()
  await writeFile(aside, 'altered')
  await server.deps.blobs.replaceFile(files[1]!.key, aside)
  await rm(join(folder, 'files', files[1]!.key))
  const fourth = await write(target)
  assert.deepEqual(fourth.spoiled, [{ key: files[1]!.key, why: 'altered' }])
  await server.deps.blobs.remove(files[0]!.key)
  await rm(join(folder, 'files', files[0]!.key))
  const fifth = await write(target)
  assert.ok(fifth.spoiled.some(({ key, why }) => key === files[0]!.key && why === 'missing'))
  // Where its row is gone by then, nothing was wrong: a younger moment is taken, and each time it is looked at anew.
  let moments = 0
  const overtaken = {
    listFiles: async () => {
      moments += 1
      return []
    },
  }
  await write(target, overtaken)
  assert.equal(moments, 4)
})

test('a backup of which another took the place over, or of another installation, does not count', async (t) => {
  const { open, write, folder } = await openBackups(t)
  const target = await open()
  const lost = () => Promise.reject(new StartFailure('taken over'))
  await assert.rejects(write(target, {}, lost), /taken over/)
  assert.deepEqual(await listSnapshots(target), [])
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('scratch')),
    [],
  )
  await write(target)
  await assert.rejects(write(target, { log: 'theirs' }), /of another installation, whose log is ours/)
  await write(target, { log: undefined })
})

test('old backups go with what only they need, but none that is spared, and none where one that stays is damaged', async (t) => {
  const { open, write, folder, server, ada, collection } = await openBackups(t)
  const target = await open()
  await mkdir(join(folder, 'files/left'), { recursive: true })
  await writeFile(join(folder, 'files/left/over'), 'of a first one that was broken off')
  assert.equal(await pruneBackups(target, 1), 0)
  assert.ok(existsSync(join(folder, 'files/left/over')))

  const names: string[] = []
  for (let n = 0; n < 3; n += 1) names.push((await write(target)).snapshot)
  const { files } = await readManifest(target, names[0]!)
  const gone = files[0]!.key
  const { id } = await server.deps.db
    .selectFrom('contents')
    .select('id')
    .where('blob_key', '=', gone)
    .executeTakeFirstOrThrow()
  assert.equal((await ada.delete(`/contents/${id}/`)).status, 204)
  await addFile(ada, collection)
  names.push((await write(target)).snapshot)
  // Broken off: it has no manifest.
  await mkdir(join(folder, 'snapshots/2026-01-01T00-00-00-000Z'))
  await writeFile(join(folder, 'snapshots/2026-01-01T00-00-00-000Z/database'), 'half')

  const damaged = join(folder, 'snapshots', names[3]!, 'manifest')
  const bytes = await readFile(damaged)
  await writeFile(damaged, 'damaged')
  await assert.rejects(pruneBackups(target, 1), /No older backup was removed/)
  assert.deepEqual(await listSnapshots(target), names)
  await writeFile(damaged, bytes)

  assert.equal(await pruneBackups(target, 9), 0)
  assert.equal(await pruneBackups(target, 1, [names[1]!]), 2)
  assert.deepEqual(await listSnapshots(target), [names[1], names[3]])
  assert.deepEqual((await readdir(join(folder, 'snapshots'))).toSorted(), [names[1], names[3]])
  assert.ok(existsSync(join(folder, 'files', gone)), 'the spared one needs it')
  assert.ok(!existsSync(join(folder, 'files/left/over')))
  assert.equal(await pruneBackups(target, 1), 1)
  assert.ok(!existsSync(join(folder, 'files', gone)))
  for (const { key } of (await readManifest(target, names[3]!)).files) assert.ok(existsSync(join(folder, 'files', key)))
})

test('a passphrase is demanded where there is one, and what says how backups are encrypted is mended from a copy', async (t) => {
  const { open, write, shelf, folder, restore } = await openBackups(t, SECRET)
  const target = await open()
  const { snapshot } = await write(target)
  await assert.rejects(openTarget(shelf, undefined), /set BACKUP_PASSPHRASE/)
  await assert.rejects(openTarget(shelf, 'another'), /BACKUP_PASSPHRASE is another than that/)
  const mark = await readFile(join(folder, 'backup.json'), 'utf8')
  const salt = (JSON.parse(mark) as { salt: string }).salt
  for (const broken of [undefined, 'no JSON', mark.replace(salt, '0'.repeat(32))]) {
    if (broken === undefined) await rm(join(folder, 'backup.json'))
    else await writeFile(join(folder, 'backup.json'), broken)
    // Who only reads mends nothing.
    assert.equal((await readManifest(await openTarget(shelf, SECRET), snapshot)).v, 1)
    assert.notEqual(await readFile(join(folder, 'backup.json'), 'utf8').catch(() => undefined), mark)
    await restore(await open(), snapshot)
    assert.equal(await readFile(join(folder, 'backup.json'), 'utf8'), mark)
  }
  await writeFile(join(folder, 'backup.json'), JSON.stringify({ type: 'proofdesk-backup', v: 1, salt: null }))
  await assert.rejects(openTarget(shelf, SECRET), /are not encrypted, and BACKUP_PASSPHRASE is set/)
})

test('a file is looked for in the newest backup first, with the bytes that are wanted, and put back whole', async (t) => {
  const { open, write, server, folder } = await openBackups(t)
  const { blobs } = server.deps
  const target = await open()
  const first = await write(target)
  const { files } = await readManifest(target, first.snapshot)
  const [{ key, ...saved }] = files as [(typeof files)[number]]
  const aside = blobs.temporaryPath()
  await writeFile(aside, 'altered')
  await blobs.replaceFile(key, aside)
  const damaged: string[] = []
  const find = (sha256: string | null) => findSaved(target, [{ key, sha256 }], damaged)
  assert.deepEqual([...(await find(saved.sha256))], [[key, saved]])
  assert.deepEqual([...(await find('0'.repeat(64)))], [])
  assert.deepEqual([...(await find(null))], [[key, saved]])
  assert.equal(await putBack(target, blobs, key, saved), undefined)
  assert.equal(await blobs.size(key), saved.size)
  assert.equal(await putBack(target, blobs, key, { ...saved, size: saved.size - 1 }), 'not what was saved')
  assert.equal(await blobs.size(key), saved.size)
  await rm(join(folder, 'files', key))
  assert.equal(await putBack(target, blobs, key, saved), 'missing in the backup')
  assert.deepEqual(await readdir(join(server.config.dataDir, 'incoming')), [])

  // A newer one has other bytes under the key: they are what is meant where the row does not say.
  await blobs.replaceFile(key, await writeAside(blobs.temporaryPath(), 'newer'))
  await write(target)
  assert.equal([...(await find(null)).values()][0]?.size, 5)
  assert.equal([...(await find(saved.sha256)).values()][0]?.size, saved.size)
  assert.deepEqual(damaged, [])
})

async function writeAside(path: string, bytes: string): Promise<string> {
  await writeFile(path, bytes)
  return path
}

test('nothing is written or removed behind a link, and nothing waits for a pipe', async (t) => {
  const { open, shelf, root, folder } = await openBackups(t)
  await open()
  const outside = join(root, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'precious'), 'precious')
  await mkdir(`${folder}-beside`)
  await writeFile(join(`${folder}-beside`, 'precious'), 'precious')
  for (const [n, linked] of [outside, `${folder}-beside`].entries()) {
    await symlink(linked, join(folder, `linked${n}`))
    const put = () => shelf.write(`linked${n}/precious`, [Readable.from([Buffer.from('other')])])
    await assert.rejects(put(), /Nothing is written to/)
    await assert.rejects(shelf.remove(`linked${n}/precious`), /Nothing is removed in/)
    assert.equal(await readFile(join(linked, 'precious'), 'utf8'), 'precious')
  }
  execFileSync('mkfifo', [join(folder, 'pipe')])
  await assert.rejects(shelf.read('pipe'), /no file stands there/)
  assert.equal(await shelf.isThere('pipe'), false)
  // Empty folders go with what was in them, and the place itself stays.
  await shelf.write('a/b/c', [Readable.from([Buffer.from('one')])])
  await shelf.write('a/d', [Readable.from([Buffer.from('two')])])
  await shelf.remove('a/b/c')
  assert.deepEqual(await readdir(join(folder, 'a')), ['d'])
  await shelf.remove('a/d')
  assert.equal(existsSync(join(folder, 'a')), false)
})

test('what is not sealed yet lies beside the backups only where it is not to be sealed, and nothing stays of it', async (t) => {
  for (const passphrase of [undefined, SECRET]) {
    const { open, write, source, folder } = await openBackups(t, passphrase)
    const target = await open()
    await mkdir(join(folder, 'scratch-left-by-a-crash/inside'), { recursive: true })
    await writeFile(join(folder, 'scratch-left-by-a-crash/inside/plain.sqlite'), 'secret')
    const places: string[] = []
    const saveDatabase = async (path: string) => {
      places.push(path)
      await source.saveDatabase(path)
    }
    await write(target, { saveDatabase })
    assert.deepEqual(
      places.map((path) => path.startsWith(folder)),
      [passphrase === undefined],
    )
    assert.equal(existsSync(places[0]!), false)
    assert.deepEqual((await readdir(folder)).toSorted(), ['backup.json', 'files', 'snapshots'])
  }
})

test('a place counts as empty for all that a disk and a first backup that was broken off leave, and for nothing else', async (t) => {
  const { shelf, folder } = await openBackups(t)
  for (const name of ['lost+found', 'scratch-abc', '.scratch-abc']) await mkdir(join(folder, name))
  for (const name of ['proofdesk.lock', 'proofdesk.lock-journal', 'backup.json.0123456789ab.part'])
    await writeFile(join(folder, name), '')
  assert.equal(await shelf.isEmpty(), true)
  for (const name of ['holiday.jpg', 'backup.json.part', 'unscratch-abc', 'my lost+found']) {
    await writeFile(join(folder, name), '')
    assert.equal(await shelf.isEmpty(), false, name)
    await rm(join(folder, name))
  }
})

test('backups of a version that kept no check of its key open with their passphrase', async (t) => {
  const { open, write, shelf, folder } = await openBackups(t, SECRET)
  const { snapshot } = await write(await open())
  for (const path of [join(folder, 'backup.json'), join(folder, 'snapshots', snapshot, 'backup.json')]) {
    const { check: _check, ...mark } = JSON.parse(await readFile(path, 'utf8')) as { check: string }
    await writeFile(path, JSON.stringify(mark))
  }
  assert.equal((await readManifest(await openTarget(shelf, SECRET), snapshot)).version, '1.0.0')
  await assert.rejects(readManifest(await openTarget(shelf, 'another'), snapshot), /or the passphrase is another/)
})

test('a backup is named after the newest there is, also by a clock that is behind', () => {
  const now = Date.parse('2026-11-23T09:30:00.000Z')
  assert.equal(nameSnapshot(now), '2026-11-23T09-30-00-000Z')
  assert.equal(nameSnapshot(now, '2025-01-01T00-00-00-000Z'), '2026-11-23T09-30-00-000Z')
  assert.equal(nameSnapshot(now, '2026-11-23T09-30-00-000Z'), '2026-11-23T09-30-00-001Z')
  assert.equal(nameSnapshot(now, '2031-01-01T00-00-00-999Z'), '2031-01-01T00-00-01-000Z')
  assert.throws(() => nameSnapshot(now, '2031-13-41T00-00-00-000Z'), /No backup can be named/)
})
