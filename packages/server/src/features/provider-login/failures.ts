import { AppError } from '../../errors.ts'
import { nameFailure, type Logger } from '../../logger.ts'

const OUT_OF_REACH_CODES = ['ERR_JWKS_TIMEOUT', 'OAUTH_TIMEOUT']

/**
 * What a person is told of a failed sign-in. The reasons of the libraries go into the log by name only: their words may
 * quote tokens.
 */
export function translateFailure(logger: Logger, error: unknown): AppError {
  if (error instanceof AppError) return error
  if (!isOfLibraries(error)) return new AppError('internal', { cause: error })
  const code = isOutOfReach(error) ? 'provider_unavailable' : 'provider_login_failed'
  logger.warn('sign-in by an identity provider failed', { code, reason: nameFailure(error) })
  return new AppError(code, { cause: error })
}

/** Those of jose and openid-client carry a code of theirs; a failed `fetch` is a TypeError. */
function isOfLibraries(error: unknown): boolean {
  const code = readCode(error)
  return isOutOfReach(error) || (code !== undefined && /^(ERR_J|OAUTH_)/.test(code))
}

function isOutOfReach(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TypeError && cause.message === 'fetch failed') return true
    if (['TimeoutError', 'AbortError'].includes(cause.name)) return true
    if (OUT_OF_REACH_CODES.includes(readCode(cause) ?? '')) return true
  }
  return false
}

function readCode(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
