import { checkChain, type BrokenPlace } from '../audit/check-chain.ts'
import { keepSecretKey } from '../secrets/keep-secret-key.ts'
import { UsageError, type Terminal } from './terminal.ts'
import { withPresentData } from './with-present-data.ts'

const WHY: Record<BrokenPlace['why'], string> = {
  entry_differs: 'the entry is not as it was chained, or was put in',
  entry_missing: 'an entry beside it is missing',
  entries_left: 'the link was emptied, but has an entry',
  link_differs: 'its entries fit each other, but not the link',
  link_missing: 'the link before it is missing or another',
  link_forged: 'the link was not made with the key of this installation',
}

const MINUTE_MS = 60 * 1000
/** A running server chains within seconds. */
export const LONGEST_WAIT_MS = 10 * MINUTE_MS

/** Checks the chain of the audit trail from its first link, also while the server runs. @returns whether it holds */
export async function checkAudit(args: string[], terminal: Terminal): Promise<boolean> {
  if (args.length > 0) throw new UsageError('check-audit takes nothing else.')
  return withPresentData(terminal, async (database, config) => {
    const state = await checkChain(database.reads, await keepSecretKey(database.db, config))
    const { links, emptied, entries, waiting, waitedMs, hash, broken } = state
    if (broken) {
      const place = broken.entry === null ? `link ${broken.link}` : `entry ${broken.entry} (link ${broken.link})`
      terminal.err(`The audit trail is broken at ${place}: ${WHY[broken.why]}. The ${links} links before hold.`)
      return false
    }
    if (waitedMs > LONGEST_WAIT_MS) {
      terminal.err(
        `The ${links} links of the audit trail hold, but ${waiting} entries of ${Math.round(waitedMs / MINUTE_MS)} minutes are in none: the server's log says why.`,
      )
      return false
    }
    terminal.out(
      `The audit trail holds: ${links} links with ${entries} entries; ${emptied} emptied; ${waiting} to be chained.`,
    )
    terminal.out(`Note this elsewhere, to see later that nothing was cut off: link ${links}, ${hash}`)
    return true
  })
}
