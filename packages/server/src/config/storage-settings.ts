import { z } from 'zod'
import { ConfigError, type ReadOne } from './config-error.ts'

/** An S3-compatible store, and who we are to it. */
export interface StorageSettings extends Omit<StorageAddress, 'region'> {
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
}

/** What `STORAGE_URL` says. */
interface StorageAddress {
  bucket: string
  /** In front of every key: empty, or with a closing slash. */
  prefix: string
  /** Undefined: Amazon's own of the region. */
  endpoint: string | undefined
  region: string | undefined
}

const [KEY_ID, KEY, TOKEN] = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const
export const STORAGE_SECRETS: readonly string[] = [KEY_ID, KEY, TOKEN]

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Letters that need no escaping in any store. */
const PREFIX = /^(?:\/[A-Za-z0-9][A-Za-z0-9._-]{0,60}){0,5}$/
const REGION = /^[a-z0-9-]{1,40}$/
const WORDS = ['endpoint', 'region']

/** What stands in headers, without blanks. */
const Word = z.string().regex(/^[\x21-\x7e]{1,4096}$/)

/**
 * The variables of Amazon's own programs are looked at only where an address needs them.
 * @param name Of the setting with the address.
 * @returns undefined when files are kept in `DATA_DIR`. @throws ConfigError
 */
export function readStorage(read: ReadOne, name = 'STORAGE_URL'): StorageSettings | undefined {
  const address = read<StorageAddress | undefined>(
    name,
    StorageUrl,
    `s3://bucket?endpoint=https://…&region=… is expected, and credentials in ${KEY_ID} and ${KEY}`,
    undefined,
  )
  if (!address) return undefined
  const readWord = (word: string) => read<string | undefined>(word, Word, 'text without blanks is expected', undefined)
  const mustRead = (variable: string) => {
    const word = readWord(variable)
    if (word === undefined) throw new ConfigError(`${variable} is missing: ${name} needs it`)
    return word
  }
  // Stores with an address of their own seldom have regions, but a signature needs the name of one.
  const region = address.region ?? readWord('AWS_REGION') ?? (address.endpoint === undefined ? undefined : 'us-east-1')
  if (region === undefined) throw new ConfigError(`${name} is wrong: without an endpoint it needs a region`)
  const sessionToken = readWord(TOKEN)
  const credentials = { accessKeyId: mustRead(KEY_ID), secretAccessKey: mustRead(KEY) }
  return { ...address, region, credentials: { ...credentials, ...(sessionToken && { sessionToken }) } }
}

/** `s3://bucket/prefix?endpoint=https://…&region=…`; all but the bucket may be missing. Credentials never stand in it. */
const StorageUrl = z.string().transform((text, context): StorageAddress => {
  const address = parseAddress(text)
  if (address) return address
  context.addIssue({ code: 'custom' })
  return z.NEVER
})

function parseAddress(text: string): StorageAddress | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) return undefined
  const names = [...url.searchParams.keys()]
  if (names.some((name) => !WORDS.includes(name)) || new Set(names).size < names.length) return undefined
  const path = url.pathname.replace(/\/$/, '')
  const region = url.searchParams.get('region') ?? undefined
  const asked = url.searchParams.get('endpoint')
  const endpoint = asked === null ? undefined : parseEndpoint(asked)
  if (!BUCKET.test(url.hostname) || !PREFIX.test(path)) return undefined
  if ((asked !== null && endpoint === undefined) || (region !== undefined && !REGION.test(region))) return undefined
  return { bucket: url.hostname, prefix: path === '' ? '' : `${path.slice(1)}/`, endpoint, region }
}

function parseEndpoint(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return undefined
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : undefined
}
