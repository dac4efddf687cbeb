import { ProofError } from '@proofdesk/proof/errors'
import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import type { Checkpoint } from '@proofdesk/proof/log/checkpoint'
import { openCheckpoint } from '@proofdesk/proof/log/open-checkpoint'
import { ANSWER_MAX_BYTES } from '@proofdesk/proof/read-answer'
import { randomUUID } from 'node:crypto'
import { constants, open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { readNamedText, UnreadFile } from '../read-named.ts'

/** A head that was seen at another time. */
export interface RememberedHead {
  checkpoint: Checkpoint
  /** As the log signed it. */
  note: string
}

/** The head could not be put into the file; `message` names it and says why. */
export class UnwrittenFile extends Error {
  override readonly name = 'UnwrittenFile'
}

/**
 * The head that was remembered in a file.
 * @returns null where there is no such file yet.
 * @throws UnreadFile, also for one that holds no head of a log of the policy.
 */
export async function readRememberedHead(file: string, { log }: InstancePolicy): Promise<RememberedHead | null> {
  const note = await readNote(file)
  if (note === null) return null
  try {
    const { checkpoint } = await openCheckpoint(note, log)
    return { checkpoint, note }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    throw new UnreadFile(`${file}: it holds no head that a log of this policy signed (${error.code})`, { cause: error })
  }
}

/**
 * Whoever reads it meanwhile, also after a power cut, has the old one or the new one.
 * @param before What was in the file when the log was begun to be read: what another run put there meanwhile stays, since nobody
 *   compared it with this one.
 * @throws UnwrittenFile
 */
export async function rememberHead(file: string, before: string | null, note: string): Promise<void> {
  // A name that nobody can have put something under, and no other run has.
  const next = `${file}.${randomUUID()}.next`
  try {
    await writeFile(next, note, { flag: 'wx', flush: true })
    const current = await readNote(file)
    if (current === note) return
    if (current !== before)
      throw new UnwrittenFile(`${file}: it was changed while the log was read, and was left alone`)
    await rename(next, file)
  } catch (error) {
    if (error instanceof UnwrittenFile) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new UnwrittenFile(`${file}: the head could not be remembered: ${why}`, { cause: error })
  } finally {
    await rm(next, { force: true }).catch(() => undefined)
  }
}

/** @returns null where there is no such file. @throws UnreadFile */
async function readNote(file: string): Promise<string | null> {
  let handle: FileHandle
  try {
    // A pipe would be waited for until somebody writes to it.
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    // With the words that it is said in for any file.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : readNamedText(file)
  }
  try {
    const status = await handle.stat()
    if (status.isDirectory()) throw new UnreadFile(`${file}: this is a folder, not a file`)
    if (!status.isFile()) throw new UnreadFile(`${file}: this is no file that holds something`)
    // A head may have come with a page.
    if (status.size > ANSWER_MAX_BYTES) throw new UnreadFile(`${file}: it is too large to hold a head`)
    return (await handle.readFile()).toString()
  } finally {
    await handle.close()
  }
}
