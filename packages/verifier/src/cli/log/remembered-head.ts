import { ProofError } from '@proofdesk/proof/errors'
import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import type { Checkpoint } from '@proofdesk/proof/log/checkpoint'
import { openCheckpoint } from '@proofdesk/proof/log/open-checkpoint'
import { rename, stat, writeFile } from 'node:fs/promises'
import { readNamedText, UnreadFile } from '../read-named.ts'

/**
 * The head that was remembered in a file, as the log signed it.
 * @returns null where there is no such file yet.
 * @throws UnreadFile, also for one that holds no head of a log of the policy.
 */
export async function readRememberedHead(file: string, { log }: InstancePolicy): Promise<Checkpoint | null> {
  if (await isMissing(file)) return null
  const note = await readNamedText(file)
  try {
    return (await openCheckpoint(note, log)).checkpoint
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    throw new UnreadFile(`${file}: it holds no head that a log of this policy signed (${error.code})`, { cause: error })
  }
}

/** Whoever reads it meanwhile has the old one or the new one. @throws what the system throws. */
export async function rememberHead(file: string, head: string): Promise<void> {
  await writeFile(`${file}.next`, head)
  await rename(`${file}.next`, file)
}

async function isMissing(file: string): Promise<boolean> {
  return stat(file).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )
}
