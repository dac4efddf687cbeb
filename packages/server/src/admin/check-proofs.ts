import { CertifyError, openCertifyPool, type CertifyErrorCode } from '@proofdesk/certify/pool'
import { incomingFolder } from '../blobs/incoming.ts'
import { openStore } from '../blobs/open-store.ts'
import type { Config } from '../config/config.ts'
import { findFact } from '../db/instance.ts'
import type { Db, OpenDatabase } from '../db/open.ts'
import { listSealed } from '../features/certificates/queries.ts'
import { explainRow, explainStored } from '../features/certificates/service.ts'
import { findFirstSigner } from '../log/begin-log.ts'
import { findPaperKey } from '../secrets/keep-paper-key.ts'
import { keepSecretKey } from '../secrets/keep-secret-key.ts'
import { UsageError, type Terminal } from './terminal.ts'
import { withPresentData } from './with-present-data.ts'

const AT_ONCE = 100
const PASSING = new Set<CertifyErrorCode>(['crowded', 'no_process', 'worker_lost'])
const MOST_TRIES = 10

/**
 * Judges every stored certified PDF by the verifier that strangers have, and its row by the MACs, also while the server runs.
 * What is wrong is named.
 * @returns whether all are what was approved.
 */
export async function checkProofs(args: string[], terminal: Terminal): Promise<boolean> {
  if (args.length > 0) throw new UsageError('check-proofs takes nothing.')
  return withPresentData(terminal, (database, config) => judgeEveryProof(config, database, terminal))
}

/** The same of an open database and the files that `config` names. */
export async function judgeEveryProof(config: Config, database: OpenDatabase, terminal: Terminal): Promise<boolean> {
  const blobs = await openStore(config)
  const certify = openCertifyPool({ keysDir: config.keysDir, workDir: incomingFolder(config.dataDir) })
  try {
    const secrets = await keepSecretKey(database.db, config)
    const log = await findLogKeys(database.db)
    const paperKey = { publicKey: await findPaperKey(database.db) }
    const deps = { db: database.reads, blobs, certify, config, log, paperKey, now: Date.now }
    let [checked, wrong, last] = [0, 0, 0]
    for (;;) {
      const proofs = await listSealed(database.reads, last, AT_ONCE)
      if (proofs.length === 0) break
      for (const proof of proofs) {
        last = proof.id
        checked += 1
        const told =
          (await judgePatiently(() => explainStored(deps, proof))) ??
          (await explainRow(database.reads, secrets, proof.proofid))
        if (told === undefined) continue
        wrong += 1
        terminal.err(`${proof.proofid}: ${told}`)
      }
    }
    if (wrong > 0)
      terminal.err(
        `${wrong} of ${checked} certified PDFs are not what was approved: npm run admin -- mend puts files back, a row needs a restore.`,
      )
    else terminal.out(`${checked} certified PDFs were checked: all are what was approved.`)
    return wrong === 0
  } finally {
    await certify.close()
  }
}

/** On a busy machine a process may be long in coming, which says nothing about the file. */
async function judgePatiently(judge: () => Promise<string | undefined>): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    try {
      return await judge()
    } catch (error) {
      const isPassing = error instanceof CertifyError && PASSING.has(error.code)
      if (!isPassing || tries === MOST_TRIES) return String(error)
    }
  }
}

/** What the log and the seals are checked by. */
export async function findLogKeys(db: Db): Promise<{ verifierKey: string; signerFingerprint: string }> {
  const [verifierKey, signerFingerprint] = await Promise.all([findFact(db, 'log_key'), findFirstSigner(db)])
  if (verifierKey === undefined || signerFingerprint === undefined)
    throw new UsageError('There is nothing to check: no server was started on this database yet.')
  return { verifierKey, signerFingerprint }
}
