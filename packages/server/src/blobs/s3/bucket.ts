import { S3Client } from '@aws-sdk/client-s3'
import type { StorageSettings } from '../../config/storage-settings.ts'
import { nameFailure } from '../../logger.ts'
import { inStep } from '../../span.ts'
import { splitKey } from '../split-key.ts'
import { insist } from './insist.ts'

/** For one request with all its repetitions, in milliseconds. */
const PATIENCE_MS = 20_000
const CONNECT_MS = 3000
/** Nothing is heard for so long: the connection counts as lost. */
const SILENCE_MS = 5000
/** What goes out slower is given up, in bytes a second; several share a line. */
const SLOWEST_RATE = 16 * 1024
const CONNECTIONS = 50

/** Where an object is. */
export interface Place {
  Bucket: string
  Key: string
}

/** One bucket of a store. */
export interface Bucket {
  /** @throws TypeError for what is no key. */
  place(key: string): Place
  name: string
  /**
   * Sends a request, again where that makes sense.
   * @param what For the log.
   * @throws S3Failure
   */
  ask<T>(what: string, send: (client: S3Client, signal: AbortSignal) => Promise<T>, limits?: AskLimits): Promise<T>
}

interface AskLimits {
  /** That of all requests when absent. */
  patienceMs?: number | undefined
  /** Bytes that go out with it: a try that has begun may take as long as a slow line needs for them. */
  bytes?: number
}

/** What a store answered, or why it did not: never with an address, a header or a credential. */
export class S3Failure extends Error {
  override readonly name = 'S3Failure'
  readonly code: string
  /** Undefined when there was no answer. */
  readonly status: number | undefined

  constructor(what: string, code: string, status?: number) {
    super(`${what}: ${code}${status === undefined ? '' : ` (HTTP ${status})`}`)
    this.code = code
    this.status = status
  }
}

interface BucketOptions {
  /** For tests of what is not answered. */
  patienceMs?: number | undefined
  /** Says what a key is. @throws TypeError for what is none. */
  checkKey?: (key: string) => string
}

export function openBucket(
  settings: StorageSettings,
  { patienceMs = PATIENCE_MS, checkKey = (key) => splitKey(key).join('/') }: BucketOptions = {},
): Bucket {
  const { bucket: name, prefix, endpoint, region, credentials } = settings
  const client = new S3Client({
    region,
    credentials,
    // Names as hosts need a wildcard in DNS, which few stores of one's own have.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // `insist` does it, which knows how long it may take in all.
    maxAttempts: 1,
    // What we send is signed with its SHA-256, which every store checks; trailers with CRC32 some refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  })
  return {
    name,
    place: (key) => ({ Bucket: name, Key: prefix + checkKey(key) }),
    ask: async (what, send, { patienceMs: patience = patienceMs, bytes = 0 } = {}) => {
      try {
        return await inStep(`S3 ${what}`, { 'rpc.system': 'aws-api', 'rpc.method': what }, () =>
          insist(patience, (signal) => send(client, signal), (bytes / SLOWEST_RATE) * 1000),
        )
      } catch (error) {
        throw toFailure(what, error)
      }
    },
  }
}

export function toFailure(what: string, error: unknown): S3Failure {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }
  const { name, code } = error as { name?: unknown; code?: unknown }
  // Our own end of a request that took too long.
  if (name === 'AbortError') return new S3Failure(what, 'TimeoutError')
  // Errors of the store say by their name what they are, those of the connection by their code.
  const word = code === undefined && typeof name === 'string' && /^\w{1,60}$/.test(name) ? name : nameFailure(error)
  return new S3Failure(what, word, $metadata?.httpStatusCode)
}

export function isMissing(error: unknown): boolean {
  return error instanceof S3Failure && error.status === 404
}

/** A condition of the request did not hold. */
export function isRefusedByCondition(error: unknown): boolean {
  return error instanceof S3Failure && error.status === 412
}
