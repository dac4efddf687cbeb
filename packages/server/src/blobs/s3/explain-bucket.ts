import { StartFailure } from '../../config/start-failure.ts'
import type { StorageSettings } from '../../config/storage-settings.ts'
import { S3Failure } from './bucket.ts'

const WORDS_OF_CONNECTION: Record<string, string> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host name cannot be looked up',
  TimeoutError: 'it does not answer',
  ETIMEDOUT: 'it does not answer',
}

/** The one line for whoever starts a server whose bucket cannot be used. */
export function explainBucket(
  { bucket, endpoint, region }: StorageSettings,
  cause: unknown,
  whose = 'STORAGE_URL',
): StartFailure {
  const where = endpoint ?? `Amazon S3 in ${region}`
  return new StartFailure(`The bucket of ${whose} (${bucket} at ${where}) cannot be used: ${sayWhy(cause)}`, { cause })
}

function sayWhy(cause: unknown): string {
  if (!(cause instanceof S3Failure)) return String(cause)
  const { status, code } = cause
  if (status === 404) return 'there is no such bucket'
  if (status === 401 || status === 403)
    return 'the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are refused'
  if (status === 301 || status === 400) return 'it is in another region, or the address is not one of S3'
  if (status === undefined && /CERT|SIGNATURE|ALTNAME/.test(code)) return `its certificate does not hold (${code})`
  return WORDS_OF_CONNECTION[code] ?? cause.message
}
