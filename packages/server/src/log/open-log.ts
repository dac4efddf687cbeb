import { ProofError } from '@proofdesk/proof/errors'
import type { Config } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import { AppError } from '../errors.ts'
import { beginLog, findBeginning } from './begin-log.ts'
import { formatPolicy } from './describe-instance.ts'
import { givePlaces } from './give-places.ts'
import { openHeadGuard } from './head-guard.ts'
import type { LogKey } from './keep-log-key.ts'
import type { Log, LogParts } from './log.ts'
import { checkGuard, isPassed, isUnsigned, signHead } from './sign-head.ts'
import { shareTurns } from './share-turns.ts'
import { openLoggedEnds } from './status/logged-ends.ts'
import { makeStatusPages } from './status/make-status-pages.ts'
import { openGathering } from './witnesses/gather-cosignatures.ts'
import { isOfferDue } from './witnesses/is-offer-due.ts'
import { readWitnesses, type Witnesses } from './witnesses/witnesses.ts'

/**
 * Begins the log where there is none. Where a larger tree was signed than the database has, as after the restore of an old
 * backup, the log is only read: signing on would give two histories.
 * @param signerFingerprint SHA-256 of the certificate that seals, hex: the first key that the log names.
 * @throws StartFailure where a witness has the key of the log itself.
 */
export async function openLog(deps: LogParts, key: LogKey, signerFingerprint: string): Promise<Log> {
  const guard = openHeadGuard(deps.config.keysDir, deps.blobs)
  let isBehind = false
  // While servers run; it may come forward again, as when an address led to another database for a moment.
  let isPutBack = false
  const settle = shareTurns(() => givePlaces(deps))
  const sign = shareTurns(async () => {
    if (isBehind) throw new AppError('log_behind')
    try {
      const signed = await signHead(deps, key, guard)
      isPutBack = false
      return signed
    } catch (error) {
      if (saysBehind(error)) {
        if (!isPutBack) deps.logger.fail('the log cannot go on: its database was put back', error)
        isPutBack = true
      }
      throw error
    }
  })
  /** Whether the database has by now what was signed. */
  const reachesAgain = async (): Promise<boolean> => {
    try {
      await sign()
      return true
    } catch (error) {
      if (saysBehind(error)) return false
      throw error
    }
  }
  const problem = await checkGuard(deps.db, key, guard)
  if (problem === undefined) await beginLog(deps, key.name, signerFingerprint)
  else {
    isBehind = true
    deps.logger.fail('the log cannot go on', new Error(problem))
  }
  const witnesses = openWitnesses(deps.config, key)
  const gathering = openGathering(deps, witnesses)
  const gather = shareTurns(gathering.gather)
  const ends = openLoggedEnds(deps.reads)
  const begunAt = (await findBeginning(deps.db)) ?? 0
  return {
    begunAt,
    origin: key.name,
    verifierKey: key.verifierKey,
    signerFingerprint,
    witnesses,
    gather,
    findRefusal: gathering.findRefusal,
    settle,
    sign: async () => {
      await settle()
      return sign()
    },
    async tend() {
      // Nothing is added to a log that cannot go on.
      if (isBehind) return
      const isDoubtful = isPutBack || (await isPassed(deps.db, key, guard))
      if (isDoubtful && !(await reachesAgain())) return
      await settle()
      if (await makeStatusPages(deps, ends)) await settle()
      if (await isUnsigned(deps.reads)) await sign()
      if (await isOfferDue(deps, witnesses)) await gather()
    },
    mustBeWhole() {
      if (isBehind || isPutBack) throw new AppError('log_behind')
    },
  }
}

const saysBehind = (error: unknown): boolean => error instanceof AppError && error.code === 'log_behind'

function openWitnesses({ witnessPolicy }: Pick<Config, 'witnessPolicy'>, log: LogKey): Witnesses {
  try {
    return readWitnesses(formatPolicy({ log, config: { witnessPolicy } }))
  } catch (cause) {
    if (!(cause instanceof ProofError)) throw cause
    throw new StartFailure("WITNESS_POLICY names the log's own key, which witnesses nothing", { cause })
  }
}
