import { AppError } from '../errors.ts'
import { beginLog, findBeginning } from './begin-log.ts'
import { givePlaces } from './give-places.ts'
import { openHeadGuard } from './head-guard.ts'
import type { LogKey } from './keep-log-key.ts'
import type { Log, LogParts } from './log.ts'
import { checkGuard, isUnsigned, signHead } from './sign-head.ts'
import { shareTurns } from './share-turns.ts'

/**
 * Begins the log where there is none. Where a larger tree was signed than the database has, as after the restore of an old
 * backup, the log is only read: signing on would give two histories.
 * @param signerFingerprint SHA-256 of the certificate that seals, hex: the first key that the log names.
 */
export async function openLog(deps: LogParts, key: LogKey, signerFingerprint: string): Promise<Log> {
  const guard = openHeadGuard(deps.config.keysDir, deps.blobs)
  let isBehind = false
  const settle = shareTurns(() => givePlaces(deps))
  const sign = shareTurns(async () => {
    if (isBehind) throw new AppError('log_behind')
    return signHead(deps, key, guard)
  })
  const problem = await checkGuard(deps.db, key, guard)
  if (problem === undefined) await beginLog(deps, key.name, signerFingerprint)
  else {
    isBehind = true
    deps.logger.fail('the log cannot go on', new Error(problem))
  }
  const begunAt = (await findBeginning(deps.db)) ?? 0
  return {
    begunAt,
    origin: key.name,
    verifierKey: key.verifierKey,
    signerFingerprint,
    settle,
    sign: async () => {
      await settle()
      return sign()
    },
    async tend() {
      if (isBehind) return
      await settle()
      if (await isUnsigned(deps.reads)) await sign()
    },
    mustBeWhole() {
      if (isBehind) throw new AppError('log_behind')
    },
  }
}
