import { checkChain } from '../audit/check-chain.ts'
import { LONGEST_WAIT_MS } from './check-audit.ts'
import { listReferencedFiles } from '../backup/queries.ts'
import { openStore } from '../blobs/open-store.ts'
import type { Config } from '../config/config.ts'
import { checkCounts } from '../counts/check-counts.ts'
import type { OpenDatabase } from '../db/open.ts'
import { checkTree } from '../log/check-tree.ts'
import { keepSecretKey } from '../secrets/keep-secret-key.ts'
import { findLogKeys, judgeEveryProof } from './check-proofs.ts'
import { findSpoiled } from './find-spoiled.ts'
import { UsageError, type Terminal } from './terminal.ts'
import { withPresentData } from './with-present-data.ts'

/** Checks all there is to check, also while the server runs. @returns whether all of it is right. */
export async function checkFromShell(args: string[], terminal: Terminal): Promise<boolean> {
  if (args.length > 0) throw new UsageError('check takes nothing.')
  return withPresentData(terminal, (database, config) => checkEverything(config, database, terminal))
}

/** Counts, stored files, the log, the audit trail and every certified PDF; what is wrong is told line by line. */
export async function checkEverything(config: Config, database: OpenDatabase, terminal: Terminal): Promise<boolean> {
  const told = [
    await tellCounts(database, terminal),
    await tellFiles(config, database, terminal),
    await tellTree(database, terminal),
    await tellTrail(config, database, terminal),
    await judgeEveryProof(config, database, terminal),
  ]
  return told.every(Boolean)
}

export async function tellCounts(database: OpenDatabase, terminal: Terminal): Promise<boolean> {
  const { wrong } = await checkCounts(database)
  if (wrong.length > 0) terminal.err(`${wrong.length} counts are wrong: npm run admin -- check-counts names them.`)
  else terminal.out('All counts are right.')
  return wrong.length === 0
}

/** Whether each file that a row points at is there, byte by byte. What was deleted with its row meanwhile is not missing. */
export async function tellFiles(config: Config, { reads }: OpenDatabase, terminal: Terminal): Promise<boolean> {
  const blobs = await openStore(config, { readsAnew: true })
  const files = await listReferencedFiles(reads)
  const wrong = await findSpoiled(blobs, files)
  const needed = wrong.size > 0 ? await listReferencedFiles(reads) : []
  const spoiled = needed.filter(({ key }) => wrong.has(key))
  for (const { key } of spoiled) terminal.err(`${key}: ${wrong.get(key)}`)
  if (spoiled.length > 0)
    terminal.err(
      `${spoiled.length} of ${files.length} stored files are not as they were stored: npm run admin -- mend puts them back from a backup.`,
    )
  else terminal.out(`${files.length} stored files are as they were stored.`)
  return spoiled.length === 0
}

export async function tellTree({ reads }: OpenDatabase, terminal: Terminal): Promise<boolean> {
  const { verifierKey } = await findLogKeys(reads)
  const { size, problem } = await checkTree(reads, verifierKey)
  if (problem === undefined) terminal.out(`The log of ${size} entries gives its tree, and the newest signed head.`)
  else terminal.err(`The log of ${size} entries does not add up: ${problem}.`)
  return problem === undefined
}

export async function tellTrail(config: Config, { db, reads }: OpenDatabase, terminal: Terminal): Promise<boolean> {
  const { links, broken, waitedMs } = await checkChain(reads, await keepSecretKey(db, config))
  const isWaiting = waitedMs > LONGEST_WAIT_MS
  if (broken) terminal.err(`The audit trail is broken at link ${broken.link}: npm run admin -- check-audit says how.`)
  else if (isWaiting)
    terminal.err('Entries of the audit trail are not chained: npm run admin -- check-audit says more.')
  else terminal.out(`The audit trail holds: ${links} links.`)
  return broken === null && !isWaiting
}
