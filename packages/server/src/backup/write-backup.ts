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

/**
 * Adds a snapshot, also while the server runs: the database first, as it is at one moment, then the files that it points at,
 * which nobody changes. A file that is missing or altered is named, and does not keep the rest from being saved.
 * @param now Milliseconds since 1970 UTC.
 */
export async function writeBackup(target: Target, source: Source, now: number): Promise<WrittenBackup> {
  const known = await listKnownFiles(target)
  const snapshot = nameSnapshot(now)
  const folder = snapshotPath(target.path, snapshot)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const plain = join(folder, 'plain.sqlite')
  try {
    writeSqliteSnapshot(source.databaseFile, plain)
    const database = await save(target, plain, `${snapshot}/${DATABASE}`, snapshotPath(target.path, snapshot, DATABASE))
    const { files, spoiled, copied } = await saveFiles(target, source, await listFiles(plain), known)
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
    return { snapshot, copied, kept: files.length - copied, spoiled }
  } finally {
    for (const beside of ['', '-wal', '-shm', '-journal']) await rm(`${plain}${beside}`, { force: true })
  }
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
  let copied = 0
  for (const { key, sha256 } of wanted) {
    const earlier = known.get(key)
    if (earlier && (sha256 === null || earlier.sha256 === sha256) && (await isThere(filePath(target.path, key)))) {
      files.push({ key, ...earlier })
      continue
    }
    const path = pathOf(key)
    if (!(await isThere(path))) {
      spoiled.push({ key, why: 'missing' })
      continue
    }
    const saved = await save(target, path, key, filePath(target.path, key))
    copied += 1
    files.push({ key, ...saved })
    if (sha256 !== null && saved.sha256 !== sha256) spoiled.push({ key, why: 'altered' })
  }
  return { files, spoiled, copied }
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
  return stat(path).then(
    (found) => found.isFile(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
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
