import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { areEqual } from '@proofdesk/proof/bytes'
import { parseCheckpoint, type Checkpoint } from '@proofdesk/proof/log/checkpoint'
import { parseNote } from '@proofdesk/proof/log/note'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { makeKeyFile, readKeyFile } from '../secrets/key-file.ts'
import { hashToken } from '../secrets/tokens.ts'

/** A head of another log, as it is kept where a database that is restored does not take it back. */
export interface WitnessedHead {
  /** With the signatures of the log. */
  note: string
  cosigned_at: number
}

const Kept = z.object({ note: z.string(), cosigned_at: z.int() })

/** The head of the largest tree that was signed for this log, by whichever process on the folder. */
export async function findWitnessedHead(
  keysDir: string,
  origin: string,
): Promise<(WitnessedHead & Checkpoint) | undefined> {
  const [largest] = await listSizes(keysDir, origin)
  if (largest === undefined) return undefined
  const kept = await readKeyFile(keysDir, nameFile(origin, largest))
  // One that has gone meanwhile gave way to one of a larger tree.
  return kept === undefined ? findWitnessedHead(keysDir, origin) : readHead(kept)
}

/**
 * Returns when the head survives a power cut. It never takes the place of one of a larger tree, whichever of several
 * processes on the folder comes last.
 * @returns false where one of a larger tree was signed, or another of this size.
 * @throws AppError `storage_unavailable`
 */
export async function keepWitnessedHead(keysDir: string, { note, cosigned_at }: WitnessedHead): Promise<boolean> {
  const { origin, size, root } = parseCheckpoint(parseNote(note).text)
  const name = nameFile(origin, size)
  const kept = await makeKeyFile(keysDir, name, JSON.stringify({ note, cosigned_at })).catch((cause: unknown) => {
    throw new AppError('storage_unavailable', { cause })
  })
  if (kept === undefined || !areEqual(readHead(kept).root, root)) return false
  const sizes = await listSizes(keysDir, origin)
  if (sizes.some((other) => other > size)) return false
  for (const other of sizes) if (other < size) await rm(join(keysDir, nameFile(origin, other)), { force: true })
  return true
}

function readHead(kept: string): WitnessedHead & Checkpoint {
  const head = Kept.parse(JSON.parse(kept))
  return { ...head, ...parseCheckpoint(parseNote(head.note).text) }
}

/** The largest first. */
async function listSizes(keysDir: string, origin: string): Promise<number[]> {
  const start = nameFile(origin, '')
  return (await readdir(keysDir))
    .filter((name) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
    .map((name) => Number(name.slice(start.length)))
    .toSorted((a, b) => b - a)
}

/** Names of logs hold what names of files cannot. */
const nameFile = (origin: string, size: number | '') => `witness.head.${hashToken(origin).slice(0, 16)}.${size}`
