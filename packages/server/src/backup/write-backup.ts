import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSqliteSnapshot } from '../db/write-sqlite-snapshot.ts'
import { openSqlite } from '../db/open.ts'
import { copyDurably } from './copy-durably.ts'
import { DATABASE, filePath, KEYS, MANIFEST, nameSnapshot, snapshotPath, type Manifest, type Saved } from './layout.ts'
import { listSnapshots, type Target } from './open-target.ts'
import { listReferencedFiles, type ReferencedFile } from './queries.ts'
import { readManifest } from './read-manifest.ts'

/** What is backed up: a running installation on SQLite. */
export interface Source {
  databaseFile: string
  /** Local path of a stored file. */
  pathOf: (key: string) => string
  keysDir: string
  version: string
}

export interface WrittenBackup {
  snapshot: string
  /** Files that were copied now, and those that an earlier snapshot had. */
  copied: number
  kept: number
  spoiled: Manifest['spoiled']
}

/** What a deletion overtakes is begun anew, as long as it makes sense. */
const TRIES = 5

/**
 * Adds a snapshot, also while the server runs: the database first, as it is at one moment, then the files that it points at,
 * which nobody changes. A file that is missing or altered is named, and does not keep the rest from being saved. Where one
 * was deleted with its row meanwhile, nothing is wrong, and a younger moment is taken.
 * @param now Milliseconds since 1970 UTC.
 */
export async function writeBackup(target: Target, source: Source, now: number): Promise<WrittenBackup> {
  const known = await listKnownFiles(target)
  const before = known.size
  const snapshot = nameSnapshot(now)
  const folder = snapshotPath(target.path, snapshot)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const plain = join(folder, 'plain.sqlite')
  try {
    let moment = await saveMoment(target, source, snapshot, plain, known)
    for (let tries = 1; tries < TRIES && (await isOvertaken(source, moment.spoiled)); tries++)
      moment = await saveMoment(target, source, snapshot, plain, known)
    const { database, files, spoiled } = moment
    const keys = target.isEncrypted ? await saveKeys(target, source.keysDir, snapshot) : []
    const manifest: Manifest = {
      v: 1,
      made_at: new Date(now).toISOString(),
      version: source.version,
      database,
      files,
      spoiled,
      keys,
    }
    await copyDurably(Buffer.from(JSON.stringify(manifest)), snapshotPath(target.path, snapshot, MANIFEST), {
      after: target.cipher.seal(`${snapshot}/${MANIFEST}`),
    })
    const copied = known.size - before
    return { snapshot, copied, kept: files.length - copied, spoiled }
  } finally {
    await removeDatabase(plain)
  }
}

/** @param known Is told of every file that was copied. */
async function saveMoment(target: Target, source: Source, snapshot: string, plain: string, known: Map<string, Saved>) {
  await removeDatabase(plain)
  writeSqliteSnapshot(source.databaseFile, plain)
  const database = await save(target, plain, `${snapshot}/${DATABASE}`, snapshotPath(target.path, snapshot, DATABASE))
  return { database, ...(await saveFiles(target, source, await listFiles(plain), known)) }
}

/** Whether a file is missing that the database, as it is now, does not need any more. */
async function isOvertaken({ databaseFile }: Source, spoiled: Manifest['spoiled']): Promise<boolean> {
  const missing = spoiled.filter(({ why }) => why === 'missing')
  if (missing.length === 0) return false
  const needed = new Set((await listFiles(databaseFile)).map(({ key }) => key))
  return missing.some(({ key }) => !needed.has(key))
}

async function removeDatabase(path: string): Promise<void> {
  for (const beside of ['', '-wal', '-shm', '-journal']) await rm(`${path}${beside}`, { force: true })
}

/** Files of earlier snapshots: they never change, so none is copied twice. */
async function listKnownFiles(target: Target): Promise<Map<string, Saved>> {
  const known = new Map<string, Saved>()
  for (const snapshot of await listSnapshots(target))
    for (const { key, ...saved } of (await readManifest(target, snapshot)).files) known.set(key, saved)
  return known
}

async function listFiles(databaseFile: string): Promise<ReferencedFile[]> {
  const database = openSqlite(databaseFile)
  try {
    return await listReferencedFiles(database.db)
  } finally {
    await database.close()
  }
}

async function saveFiles(target: Target, { pathOf }: Source, wanted: ReferencedFile[], known: Map<string, Saved>) {
  const files: Manifest['files'] = []
  const spoiled: Manifest['spoiled'] = []
  for (const { key, sha256 } of wanted) {
    const earlier = known.get(key)
    if (earlier && (sha256 === null || earlier.sha256 === sha256) && (await isThere(filePath(target.path, key)))) {
      files.push({ key, ...earlier })
      continue
    }
    const saved = await save(target, pathOf(key), key, filePath(target.path, key)).catch(unlessMissing)
    if (!saved) {
      spoiled.push({ key, why: 'missing' })
      continue
    }
    known.set(key, saved)
    files.push({ key, ...saved })
    if (sha256 !== null && saved.sha256 !== sha256) spoiled.push({ key, why: 'altered' })
  }
  return { files, spoiled }
}

async function saveKeys(target: Target, keysDir: string, snapshot: string): Promise<Manifest['keys']> {
  const names = await listKeyFiles(keysDir)
  const keys: Manifest['keys'] = []
  for (const name of names) {
    const to = snapshotPath(target.path, snapshot, KEYS, ...name.split('/'))
    keys.push({ name, ...(await save(target, join(keysDir, name), `${snapshot}/${KEYS}/${name}`, to)) })
  }
  return keys
}

function save({ cipher }: Target, from: string, name: string, to: string): Promise<Saved> {
  return copyDurably(from, to, { after: cipher.seal(name) })
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(unlessMissing))?.isFile() ?? false
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Also those of a folder that is linked into it. */
async function listKeyFiles(dir: string, under = ''): Promise<string[]> {
  const found = await Promise.all(
    (await readdir(join(dir, under))).toSorted().map(async (name) => {
      const path = join(under, name)
      if ((await stat(join(dir, path))).isDirectory()) return listKeyFiles(dir, path)
      return name.endsWith('.part') ? [] : [path]
    }),
  )
  return found.flat()
}
