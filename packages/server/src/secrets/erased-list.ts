import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@proofdesk/certify/make-folder'
import { z } from 'zod'
import { explainDisk, StartFailure } from '../config/start-failure.ts'
import { readKeyFile } from './key-file.ts'
import { hashToken } from './tokens.ts'

/** In KEYS_DIR, and in no backup: what is restored from one must not take erasures back. It only grows. */
export const ERASED_LIST = 'erased.list'

const Mac = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** A row by its id, and by a keyed hash of what tells it from another one that gets the same id after a restore. */
const KnownRow = z.strictObject({ id: z.int().min(1), mac: Mac })
export type KnownRow = z.infer<typeof KnownRow>

/** Nothing in it says whose it was. */
const Erased = z.union([
  z.strictObject({
    /** SHA-256 (hex) of the Proof ID, which is drawn at random. */
    proof: z.string().regex(/^[0-9a-f]{64}$/),
    /** What it came of, for backups from before it was approved; missing where that was deleted. */
    collection: KnownRow.optional(),
  }),
  z.strictObject({ user: KnownRow }),
])
export type Erased = z.infer<typeof Erased>

export interface ErasedList {
  erased: Erased[]
  /** Of the whole list; undefined where there is none. */
  digest: string | undefined
}

/** @throws StartFailure */
export async function readErased(keysDir: string): Promise<ErasedList> {
  const text = await readKeyFile(keysDir, ERASED_LIST)
  if (text === undefined) return { erased: [], digest: undefined }
  return { erased: text.split('\n').flatMap(readLine), digest: hashToken(text) }
}

/** A line that a crash cut off stands for an erasure that had not begun. */
function readLine(line: string): Erased[] {
  try {
    return [Erased.parse(JSON.parse(line))]
  } catch {
    return []
  }
}

/**
 * Adds a line, unless it is there. Returns when it survives a power cut.
 * @throws StartFailure
 */
export async function addErased(keysDir: string, erased: Erased): Promise<void> {
  const line = JSON.stringify(Erased.parse(erased))
  try {
    await makeFolder(keysDir)
    const file = await open(join(keysDir, ERASED_LIST), 'a+', 0o600)
    try {
      const known = await file.readFile('utf8')
      // What was cut off before must not spoil this line. Appended in one piece, so that of two at once both stay.
      const start = known === '' || known.endsWith('\n') ? '' : '\n'
      if (!known.split('\n').includes(line)) await file.appendFile(`${start}${line}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    const folder = await open(keysDir)
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (cause) {
    throw new StartFailure(
      `The list of what is erased cannot be written: ${join(keysDir, ERASED_LIST)}: ${explainDisk(cause)}`,
      { cause },
    )
  }
}
