import { parseArgs } from 'node:util'
import { AppError } from '../errors.ts'
import { eraseProof, type ErasureDeps } from '../erasure/erase-proof.ts'
import { eraseUser } from '../erasure/erase-user.ts'
import { makeShellDeps } from '../events/shell-deps.ts'
import { keepSecretKey } from '../secrets/keep-secret-key.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { sayErased } from './say-erased.ts'
import { UsageError, type Terminal } from './terminal.ts'
import { withPresentData } from './with-present-data.ts'

const BACKUPS = 'Backups from before hold it until they are pruned; what is restored from them is erased again.'

/** Erases one proof from the shell. @returns false after it told why it did not. */
export async function eraseProofFromShell(args: string[], terminal: Terminal): Promise<boolean> {
  const proofid = readOne(args, 'erase-proof takes a Proof ID.')
  return eraseFromShell(terminal, async (deps, secrets) => {
    terminal.out(`Erased: ${sayErased(await eraseProof(deps, secrets, proofid))}. Its leaf stays in the log.`)
  })
}

/** Erases one person from the shell. @returns false after it told why it did not. */
export async function eraseUserFromShell(args: string[], terminal: Terminal): Promise<boolean> {
  const username = readOne(args, 'erase-user takes a username.')
  return eraseFromShell(terminal, async (deps, secrets) => {
    const { id, keepsName, ...counts } = await eraseUser(deps, secrets, username)
    terminal.out(`Erased: the account (id ${id}), ${sayErased(counts)}.`)
    if (keepsName)
      terminal.out('The name stands on proofs of others that this person approved: it stays there, and nobody gets it.')
  })
}

async function eraseFromShell(
  terminal: Terminal,
  erase: (deps: ErasureDeps, secrets: SecretBox) => Promise<void>,
): Promise<boolean> {
  try {
    await withPresentData(terminal, async ({ db }, config) =>
      erase({ ...makeShellDeps(db), keysDir: config.keysDir }, await keepSecretKey(db, config)),
    )
    terminal.out(BACKUPS)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // The words of that code are for strangers, who say a username too.
    terminal.err(error.code === 'proof_not_found' ? 'There is no proof with this Proof ID.' : error.message)
    return false
  }
}

function readOne(args: string[], usage: string): string {
  try {
    const [one, ...more] = parseArgs({ args, allowPositionals: true }).positionals
    if (one && more.length === 0) return one
  } catch {
    // An option: there are none.
  }
  throw new UsageError(usage)
}
