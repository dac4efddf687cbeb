import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openNowhere } from '../blobs/open-nowhere.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { forEachAtOnce } from '../blobs/for-each-at-once.ts'
import { holdsBytes } from '../blobs/holds-bytes.ts'
import { readApart } from '../blobs/read-apart.ts'
import { makeFolder } from '@proofdesk/certify/make-folder'
import { explainStorage, StartFailure } from '../config/start-failure.ts'
import { ERASED_LIST } from '../secrets/erased-list.ts'
import { SpoiledBackup } from './cipher.ts'
import { copyDurably } from './copy-durably.ts'
import { explainSpoiled } from './explain-spoiled.ts'
import { DATABASE, filePath, FOUND_AGAIN, KEYS, snapshotPath, type Manifest, type Saved } from './layout.ts'
import { limitBytes } from './limit-bytes.ts'
import { openMeasuring } from './measuring.ts'
import type { Target } from './open-target.ts'
import { readManifest } from './read-manifest.ts'
import type { Streams } from './shelf.ts'

const FILES_AT_ONCE = 8

/** Where a backup is restored to. */
export interface Place {
  /** A new SQLite file, whichever database it goes to in the end. */
  databaseFile: string
  blobs: BlobStore
  /** Undefined: keys are not restored. */
  keysDir: string | undefined
  /** Looks at the database once it is there, before keys and files are written. @throws StartFailure where they must not be */
  accept?: () => Promise<void>
}

export interface Restored {
  manifest: Manifest
  /** How many files came back, those among them that were saved altered. */
  files: number
  /** Files that the backup has no longer as they were written, and those that it never had. */
  spoiled: string[]
  /** How many of them it has no longer as they were written. */
  lost: number
  hasKeys: boolean
}

/**
 * Restores a snapshot: the database to a file that nobody serves yet, the keys where nobody has any others there, and every file.
 * Every byte is compared with the manifest. A file that is spoiled does not keep the others away.
 * @throws SpoiledBackup for the database or a key; StartFailure for keys that are others than those of the place, and for what
 * cannot be written.
 */
export async function restoreBackup(target: Target, snapshot: string, place: Place): Promise<Restored> {
  const manifest = await readManifest(target, snapshot)
  const from = snapshotPath(snapshot, DATABASE)
  await load(target, from, `${snapshot}/${DATABASE}`, place.databaseFile, manifest.database)
  await place.accept?.()
  const hasKeys = place.keysDir !== undefined && (await restoreKeys(target, snapshot, manifest, place.keysDir))
  const spoiled = manifest.spoiled.map(({ key, why }) => `${key}: ${why} when it was saved`)
  let files = 0
  await forEachAtOnce(manifest.files, FILES_AT_ONCE, async (file) => {
    const problem = await restoreFile(target, place.blobs, file)
    if (problem === undefined) files += 1
    else spoiled.push(`${file.key}: ${problem}`)
  })
  return { manifest, files, spoiled, lost: spoiled.length - manifest.spoiled.length, hasKeys }
}

async function restoreKeys(target: Target, snapshot: string, { keys }: Manifest, keysDir: string): Promise<boolean> {
  if (keys.length === 0) return false
  await makeFolder(keysDir)
  const restored = await listRestoredKeys(keys, keysDir)
  for (const { name, ...saved } of keys) {
    // No backup has a list, and whatever says it has must not take the place of the one that is there.
    if (restored.has(name) || name === ERASED_LIST) continue
    const from = snapshotPath(snapshot, KEYS, ...name.split('/'))
    await load(target, from, `${snapshot}/${KEYS}/${name}`, join(keysDir, ...name.split('/')), saved)
  }
  return true
}

/**
 * Reads the keys of a backup, and writes them nowhere.
 * @returns those that could not be restored, each with why
 */
export async function listSpoiledKeys(target: Target, snapshot: string, { keys }: Manifest): Promise<string[]> {
  const spoiled: string[] = []
  for (const { name, ...saved } of keys) {
    const path = `${snapshot}/${KEYS}/${name}`
    try {
      const { streams, check } = await read(target, snapshotPath(snapshot, KEYS, ...name.split('/')), path, saved)
      await pipeline([...streams, openNowhere()])
      check()
    } catch (error) {
      spoiled.push(`${path}: ${await explainSpoiled(target.shelf, error)}`)
    }
  }
  return spoiled
}

/**
 * Names of the keys that a restore that was broken off has brought already.
 * @throws StartFailure where anything else lies there.
 */
async function listRestoredKeys(keys: Manifest['keys'], keysDir: string): Promise<Set<string>> {
  const wanted = new Map(keys.map(({ name, ...saved }) => [name, saved]))
  const restored = new Set<string>()
  for (const path of await listFilesUnder(keysDir)) {
    // Of `copyDurably`, which got no further.
    if (path.endsWith('.part')) continue
    const name = relative(keysDir, path).replaceAll(sep, '/')
    if (name === ERASED_LIST) continue
    const saved = wanted.get(name)
    if (!saved || !(await isSaved(path, saved)))
      throw new StartFailure(
        `KEYS_DIR holds what the backup does not: ${path}: move all but ${ERASED_LIST} away from KEYS_DIR, or restore with --without-keys`,
      )
    restored.add(name)
  }
  return restored
}

async function listFilesUnder(keysDir: string): Promise<string[]> {
  const paths: string[] = []
  for (const first of await readdir(keysDir, { withFileTypes: true })) {
    // The system's own, which nobody else may read.
    if (first.name === FOUND_AGAIN) continue
    const path = join(keysDir, first.name)
    if (!first.isDirectory()) paths.push(path)
    else
      for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
        if (!entry.isDirectory()) paths.push(join(entry.parentPath, entry.name))
  }
  return paths
}

async function isSaved(path: string, saved: Saved): Promise<boolean> {
  const found = await lstat(path)
  if (!found.isFile() || found.size !== saved.size) return false
  const { streams, measured } = openMeasuring()
  await pipeline([createReadStream(path), ...streams, openNowhere()])
  return measured().sha256 === saved.sha256
}

/** @returns what is wrong with it in the backup. @throws StartFailure that names it, where it cannot be put where it goes */
async function restoreFile(
  target: Target,
  blobs: BlobStore,
  { key, ...saved }: Saved & { key: string },
): Promise<string | undefined> {
  const aside = blobs.temporaryPath()
  try {
    await fetchFile(target, key, saved, aside)
    if ((await blobs.size(key)) !== undefined) {
      // As after a restore that was broken off.
      if (await holdsBytes(blobs, key, saved)) return undefined
      await blobs.remove(key)
    }
    await blobs.putFile(key, aside)
    return undefined
  } catch (error) {
    return await explainSpoiled(target.shelf, error).catch(refuse(key))
  } finally {
    await rm(aside, { force: true })
  }
}

/** Writes a stored file of a backup to a new local one. @throws SpoiledBackup, ReadFailure */
export async function fetchFile(target: Target, key: string, saved: Saved, to: string): Promise<void> {
  const { streams, check } = await read(target, filePath(key), key, saved)
  await pipeline([...streams, createWriteStream(to, { flags: 'wx', mode: 0o600 })])
  check()
}

/** Of the database and the keys, without which there is nothing. @throws SpoiledBackup, StartFailure */
async function load(target: Target, from: string, name: string, to: string, saved: Saved): Promise<void> {
  try {
    const { streams, check } = await read(target, from, name, saved)
    await copyDurably(streams, to, check)
  } catch (cause) {
    if (cause instanceof SpoiledBackup) throw cause
    throw new SpoiledBackup(`${name}: ${await explainSpoiled(target.shelf, cause).catch(refuse(name))}`, { cause })
  }
}

const refuse = (name: string) => (cause: unknown) => {
  throw new StartFailure(`${name} cannot be restored: ${explainStorage(cause)}`, { cause })
}

/** @returns streams, and what is called after the last byte of them. */
async function read(
  { shelf, cipher }: Target,
  from: string,
  name: string,
  saved: Saved,
): Promise<{ streams: Streams; check: () => void }> {
  const { streams, measured } = openMeasuring()
  return {
    streams: [await readApart(() => shelf.read(from)), cipher.open(name), limitBytes(saved.size, name), ...streams],
    check: () => {
      const { size, sha256 } = measured()
      if (size !== saved.size || sha256 !== saved.sha256) throw new SpoiledBackup(`${name} is not what was saved`)
    },
  }
}
