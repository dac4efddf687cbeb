import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { forEachAtOnce } from '../blobs/for-each-at-once.ts'
import { explainUnread, readApart, ReadFailure } from '../blobs/read-apart.ts'
import { explainStorage, StartFailure } from '../config/start-failure.ts'
import { ERASED_LIST } from '../secrets/erased-list.ts'
import { findLeft } from './find-left.ts'
import {
  DATABASE,
  filePath,
  FOUND_AGAIN,
  KEY_NAME,
  KEYS,
  MANIFEST,
  MARK,
  Manifest,
  nameSnapshot,
  snapshotPath,
  type Saved,
} from './layout.ts'
import { openMeasuring } from './measuring.ts'
import { listSnapshots, writeMark, type Target } from './open-target.ts'
import type { ReferencedFile } from './queries.ts'
import { readManifests } from './read-manifest.ts'
import type { ShelfLock } from './shelf.ts'
import { listFilesOf, type Source } from './source.ts'

export interface WrittenBackup {
  snapshot: string
  /** Files that were copied now, and those that an earlier snapshot had. */
  copied: number
  kept: number
  spoiled: Manifest['spoiled']
  /** What lies in KEYS_DIR and is not saved, since no key has such a name. */
  passedOver: string[]
  /** Earlier backups whose manifests cannot be read, with why. */
  damaged: string[]
}

/** What a deletion overtakes is begun anew, as long as it makes sense. */
const TRIES = 5
/** Of a store elsewhere each takes mostly waiting. */
const FILES_AT_ONCE = 8

/**
 * Adds a snapshot, also while the server runs: the keys first, since the signed heads beside them must not be of a larger tree
 * than the database has; then the database, as it is at one moment, then the files that it points at, which nobody changes. A
 * file that is missing, altered or unreadable is named, and keeps nothing else from being saved. Where one was deleted with its row
 * meanwhile, nothing is wrong, and a younger moment is taken.
 * @param now Milliseconds since 1970 UTC.
 */
export async function writeBackup(
  target: Target,
  source: Source,
  lock: Pick<ShelfLock, 'mustHold'>,
  now: number,
): Promise<WrittenBackup> {
  const snapshots = await listSnapshots(target)
  const damaged: string[] = []
  const known = await listKnownFiles(target, snapshots, source.log, damaged)
  const snapshot = nameSnapshot(now, snapshots.at(-1))
  const { keys, passedOver } = target.isEncrypted
    ? await saveKeys(target, source.keysDir, snapshot)
    : { keys: [], passedOver: [] }
  const scratch = await target.shelf.makeScratch(target.isEncrypted)
  const saved = new Set<string>()
  const stand = { known, saved }
  try {
    let moment = await saveMoment(target, source, snapshot, scratch.path, stand)
    for (let tries = 1; tries < TRIES && (await isOvertaken(source, moment.spoiled)); tries++)
      moment = await saveMoment(target, source, snapshot, scratch.path, stand)
    const { database, files, spoiled } = moment
    // What could not be read again would spoil every later backup there as well.
    const manifest = Manifest.parse({
      v: 1,
      made_at: new Date(now).toISOString(),
      version: source.version,
      log: source.log,
      database,
      files,
      spoiled,
      keys,
    } satisfies Manifest)
    await writeMark(target.shelf, snapshotPath(snapshot, MARK), target.mark)
    await lock.mustHold()
    const name = `${snapshot}/${MANIFEST}`
    await save(target, Readable.from([Buffer.from(JSON.stringify(manifest))]), name, snapshotPath(snapshot, MANIFEST))
    const copied = files.filter(({ key }) => saved.has(key)).length
    return { snapshot, copied, kept: files.length - copied, spoiled, passedOver, damaged }
  } finally {
    await scratch.remove()
  }
}

/** Is told of every file that is copied. */
interface Stand {
  /** What stands there, by key. */
  known: Map<string, Saved>
  /** Keys of what was copied now. */
  saved: Set<string>
}

async function saveMoment(target: Target, source: Source, snapshot: string, scratch: string, stand: Stand) {
  const plain = join(scratch, 'plain.sqlite')
  for (const name of await readdir(scratch)) await rm(join(scratch, name))
  await source.saveDatabase(plain)
  const path = snapshotPath(snapshot, DATABASE)
  const database = await save(target, createReadStream(plain), `${snapshot}/${DATABASE}`, path)
  return { database, ...(await saveFiles(target, source, await listFilesOf(plain), stand)) }
}

/** Whether a file is missing that the database, as it is now, does not need any more. */
async function isOvertaken(source: Source, spoiled: Manifest['spoiled']): Promise<boolean> {
  const missing = spoiled.filter(({ why }) => why === 'missing')
  if (missing.length === 0) return false
  const needed = new Set((await source.listFiles()).map(({ key }) => key))
  return missing.some(({ key }) => !needed.has(key))
}

/**
 * Files of earlier snapshots: they never change, so none is copied twice.
 * @param log Of the installation.
 * @throws StartFailure among backups of another one: each would prune the other's, and the newest be of either.
 */
async function listKnownFiles(
  target: Target,
  snapshots: string[],
  log: string | undefined,
  damaged: string[],
): Promise<Map<string, Saved>> {
  const known = new Map<string, Saved>()
  for await (const { files, log: of } of readManifests(target, snapshots, damaged)) {
    if (of !== undefined && log !== undefined && of !== log)
      throw new StartFailure(
        `The backups in ${target.shelf.name} are of another installation, whose log is ${of}: take another place`,
      )
    for (const { key, ...saved } of files) known.set(key, saved)
  }
  return known
}

async function saveFiles(target: Target, { blobs }: Source, wanted: ReferencedFile[], stand: Stand) {
  const found = new Map<string, Saved>()
  const spoiled: Manifest['spoiled'] = []
  await forEachAtOnce(wanted, FILES_AT_ONCE, async ({ key, sha256 }) => {
    const earlier = stand.known.get(key)
    const isKnown = earlier && (sha256 === null || earlier.sha256 === sha256)
    if (isKnown && (await target.shelf.isThere(filePath(key)))) return void found.set(key, earlier)
    const left = sha256 !== null && (await findLeft(target, key, sha256))
    if (left) {
      found.set(key, left)
      stand.known.set(key, left)
      return
    }
    const saved = await saveFile(target, blobs, key)
    if (typeof saved === 'string') return void spoiled.push({ key, why: saved })
    found.set(key, saved)
    stand.known.set(key, saved)
    stand.saved.add(key)
    if (sha256 !== null && saved.sha256 !== sha256) spoiled.push({ key, why: 'altered' })
  })
  const files = wanted.flatMap(({ key }) => {
    const saved = found.get(key)
    return saved ? [{ key, ...saved }] : []
  })
  return { files, spoiled }
}

/** @returns what was saved, or why it could not be read. */
async function saveFile(
  target: Target,
  blobs: Source['blobs'],
  key: string,
): Promise<Saved | 'missing' | 'unreadable'> {
  try {
    return await save(target, await readApart(() => blobs.read(key)), key, filePath(key))
  } catch (error) {
    return explainUnread(blobs, error)
  }
}

/** A head that is signed meanwhile takes the place of the one before: then those that are new are saved. */
async function saveKeys(
  target: Target,
  keysDir: string,
  snapshot: string,
): Promise<Pick<Manifest, 'keys'> & Pick<WrittenBackup, 'passedOver'>> {
  const keys = new Map<string, Saved>()
  const passedOver = new Set<string>()
  for (let tries = 1, isGone = true; isGone && tries <= TRIES; tries++) {
    isGone = false
    for (const name of await listKeyFiles(keysDir, passedOver)) {
      if (keys.has(name)) continue
      const path = snapshotPath(snapshot, KEYS, ...name.split('/'))
      const saved = await saveKey(target, join(keysDir, name), `${snapshot}/${KEYS}/${name}`, path)
      if (saved) keys.set(name, saved)
      else isGone = true
    }
  }
  return { keys: [...keys].map(([name, saved]) => ({ name, ...saved })), passedOver: [...passedOver].toSorted() }
}

/** @returns undefined where it has gone. @throws StartFailure */
async function saveKey(target: Target, file: string, name: string, to: string): Promise<Saved | undefined> {
  try {
    return await save(target, await readApart(async () => createReadStream(file)), name, to)
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error
    const cause = error.cause as NodeJS.ErrnoException
    if (cause.code === 'ENOENT') return undefined
    throw new StartFailure(`${file} cannot be read: ${explainStorage(cause)}`, { cause })
  }
}

/** @throws ReadFailure as `from` does; StartFailure where it cannot be written */
async function save({ shelf, cipher }: Target, from: Readable, name: string, to: string): Promise<Saved> {
  const { streams, measured } = openMeasuring()
  try {
    await shelf.write(to, [from, ...streams, cipher.seal(name)])
  } catch (cause) {
    // Where nothing was begun nobody has closed it.
    from.destroy()
    if (cause instanceof ReadFailure || cause instanceof StartFailure) throw cause
    throw new StartFailure(`${to} cannot be saved in ${shelf.name}: ${explainStorage(cause)}`, { cause })
  }
  return measured()
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Also those of a folder that is linked into it. @param passedOver Is told of each file and folder that no key can be in. */
async function listKeyFiles(dir: string, passedOver: Set<string>, under = ''): Promise<string[]> {
  const found = await Promise.all(
    (await readdir(join(dir, under))).toSorted().map(async (name) => {
      const path = under === '' ? name : `${under}/${name}`
      if (path === FOUND_AGAIN || path === ERASED_LIST) return []
      const there = await stat(join(dir, path)).catch(unlessMissing)
      if (there === undefined || (!there.isDirectory() && name.endsWith('.part'))) return []
      if (KEY_NAME.test(path)) return there.isDirectory() ? listKeyFiles(dir, passedOver, path) : [path]
      passedOver.add(path)
      return []
    }),
  )
  return found.flat()
}
