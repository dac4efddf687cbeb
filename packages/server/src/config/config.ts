import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import {
  DEFAULT_MAX_UPLOAD_MB,
  DEFAULT_MAX_USER_COLLECTIONS,
  DEFAULT_MAX_USER_MB,
  DEFAULT_MIN_FREE_MB,
  DEFAULT_REMINDER_DAYS,
} from '@proofdesk/contract/limits'
import type { ProviderId } from '@proofdesk/contract/provider-login'
import { isPlainName } from '@proofdesk/proof/instance-policy'
import { z } from 'zod'
import { LOG_LEVELS, type LogLevel } from '../logger.ts'
import { readBackups, type BackupSettings } from './backup-settings.ts'
import { ConfigError, type ReadOne } from './config-error.ts'
import { readDatabaseAddress } from './database-address.ts'
import { readStorage, STORAGE_SECRETS, type StorageSettings } from './storage-settings.ts'
import { ClamdAddressText, type ClamdAddress } from './clamd-address.ts'
import { isLoopback } from './is-loopback.ts'
import { hasClearTls } from './mail-server-address.ts'
import { readDkim, type DkimSigning } from './dkim-settings.ts'
import { readTracing, TRACING_SECRETS, type TracingSettings } from './tracing-settings.ts'
import { readWitnessedLogs, readWitnessPolicy, WitnessSettingError } from './witness-settings.ts'

/** Everything an operator may set, read once. */
export interface Config extends BackupSettings {
  port: number
  host: string
  /** How many processes serve the port; more than one on PostgreSQL only. */
  webConcurrency: number
  /** Where people reach this installation; without a closing slash. */
  publicUrl: string
  /** True when `publicUrl` is a loopback address: certificates then say so. */
  isTestInstance: boolean
  /** Nobody on another machine reaches it, as far as the settings tell: loopback addresses, and no proxy in front. */
  isLocalOnly: boolean
  /** Name on certificates and mails. */
  organisation: string
  /** Absolute path. */
  dataDir: string
  /** `postgres://…`, with the `sslmode` that holds; undefined: SQLite in `dataDir`. */
  databaseUrl: string | undefined
  /** Where files are kept in an S3-compatible store; undefined: in `dataDir`. */
  storage: StorageSettings | undefined
  /** `smtp://…` or `smtps://…`; undefined: mails are written into `dataDir`. */
  smtpUrl: string | undefined
  mailFrom: { name: string; address: string }
  /** By which mails are signed on their way to the mail server; undefined: they are not. */
  dkim: DkimSigning | undefined
  maxUploadMb: number
  /** How long a session lasts at most, however it is used. */
  sessionDays: number
  /** How many sessions one person may have at once. */
  maxSessions: number
  /** Staff, admins and superusers without two-factor may only set it up. */
  requireTwoFactor: boolean
  /** What the documents of one person may take up together. */
  maxUserMb: number
  maxUserCollections: number
  /** With less room than this on the disk no upload is taken; 0: the room is not looked at. */
  minFreeMb: number
  /** The virus scanner that looks at every upload; undefined: none does. */
  clamd: ClamdAddress | undefined
  /** How long entries of the audit trail are kept; undefined: for ever. */
  auditKeepDays: number | undefined
  /** How many days before its expiry the owner of a proof is reminded; empty: never. */
  reminderDays: readonly number[]
  /** Absolute path. */
  keysDir: string
  keyPassphrase: string | undefined
  /** Name of the transparency log; undefined: one is made from its key. Fixed once the log has begun. */
  logOrigin: string | undefined
  /** Who else is asked to sign the log's heads: the lines of a policy without its log (c2sp.org/tlog-policy); undefined: nobody. */
  witnessPolicy: string | undefined
  /** Verifier keys of the logs whose heads we sign as their witness; empty: we are nobody's. */
  witnessedLogs: readonly string[]
  /** Addresses or CIDRs of the proxies whose `X-Forwarded-*` are believed. */
  trustProxy: string[]
  logLevel: LogLevel
  /** Who has it reads `/metrics` from elsewhere; undefined: only programs on this machine do. */
  metricsToken: string | undefined
  /** The collector that traces go to; undefined: nothing is traced. */
  tracing: TracingSettings | undefined
  identityProviders: IdentityProvider[]
}

/** An OpenID Connect issuer that people may sign in with. */
export interface IdentityProvider {
  id: ProviderId
  /** On the button. */
  name: string
  /** Exactly as the provider names itself. */
  issuer: string
  clientId: string
  /** Undefined for a public client, which PKCE alone protects. */
  clientSecret: string | undefined
  /** False: only ID tokens are taken, there is no redirect to the provider. */
  hasButton: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Settings whose value may also stand in a file, named by `NAME_FILE`. */
const SECRETS = [
  'DATABASE_URL',
  'SMTP_URL',
  'DKIM_KEY',
  'KEY_PASSPHRASE',
  'OIDC_CLIENT_SECRET',
  'GOOGLE_CLIENT_SECRET',
  'METRICS_TOKEN',
  'BACKUP_PASSPHRASE',
  ...STORAGE_SECRETS,
  ...TRACING_SECRETS,
]

/** Known names that this version cannot honour: refused rather than ignored. */
const NOT_YET = ['TSA_URL', 'SIGNER_COMMAND']

const Port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((port) => port >= 1 && port <= 65_535)

const HostName = z
  .string()
  .refine((host) => isIP(host) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host))
  // What looks like an address and is none, such as 1.2.3.256, and one with the name of an interface fit in no address of a page.
  .refine((host) => URL.canParse(toOrigin(host, 80)))

const PublicUrl = z
  .string()
  .refine((text) => URL.canParse(text))
  .transform((text) => new URL(text))
  .refine((url) => ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && !url.search && !url.hash)
  .refine((url) => !url.username && !url.password)
  .transform((url) => url.origin)

const urlOf = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol))

/** As large as whole numbers get here, for settings that have no other end. */
const LARGEST = 99_999_999

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,8}$/)
    .transform(Number)
    .refine((number) => number >= min && number <= max)

function toOrigin(host: string, port: number): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** OpenID Connect Core, section 2 (`iss`); plain http only where nobody stands between. */
const Issuer = z.string().refine((text) => {
  const url = URL.parse(text)
  if (!url || url.search || url.hash || url.username || url.password) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
})

// oxlint-disable-next-line no-control-regex
const OneLine = z.string().refine((text) => text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text))

const MailFrom = OneLine.transform((text, context) => {
  const parts = /^(?:"?([^"<>]*?)"?\s*<([^\s@<>,]+@[^\s@<>,]+)>|([^\s@<>,]+@[^\s@<>,]+))$/.exec(text.trim())
  if (parts) return { name: parts[1] ?? '', address: parts[2] ?? parts[3] ?? '' }
  context.addIssue({ code: 'custom' })
  return z.NEVER
})

/** A name that heads and keys can carry, with a domain of whoever runs it. c2sp.org/tlog-checkpoint, "Note text". */
const LogOrigin = z.string().regex(/^[a-z0-9.-]{1,200}(?:\/[A-Za-z0-9._~-]{1,100}){0,5}$/)

const YesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true')

/** More marks than anybody wants to be reminded at. */
const MOST_REMINDERS = 10

/** Each day once; 0 alone for none. */
const ReminderDays = z
  .string()
  .regex(/^\s*\d{1,4}\s*(,\s*\d{1,4}\s*)*$/)
  .transform((text) => text.split(',').map(Number))
  .transform((days) => (days.length === 1 && days[0] === 0 ? [] : days))
  .refine((days) => days.every((day) => day >= 1 && day <= 3650))
  .refine((days) => new Set(days).size === days.length && days.length <= MOST_REMINDERS)

const Proxies = z
  .string()
  .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
  .refine((all) => all.every(isAddressOrNetwork))

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/**
 * Reads and checks the settings. The only place that looks at the environment.
 * @param cwd Where a relative `DATA_DIR` or `KEYS_DIR` starts.
 * @throws ConfigError
 */
export function readConfig(environment: Environment = process.env, cwd = process.cwd()): Config {
  refuseUnsupported(environment)
  const read = <T>(name: string, schema: z.ZodType<T>, expected: string, fallback: T): T => {
    const text = readSetting(environment, name)
    if (text === undefined) return fallback
    const result = schema.safeParse(text)
    if (!result.success) throw new ConfigError(`${name} is wrong: ${expected}`)
    return result.data
  }

  const readWhole = <T>(name: string, min: number, max: number, fallback: T) => {
    const range = max === LARGEST ? `from ${min}` : `from ${min} to ${max}`
    return read<number | T>(name, wholeNumber(min, max), `a whole number ${range} is expected`, fallback)
  }

  const port = read('PORT', Port, 'a port number from 1 to 65535 is expected', 8000)
  const host = read('HOST', HostName, 'an address or a host name is expected', '127.0.0.1')
  const publicUrl = read(
    'PUBLIC_URL',
    PublicUrl,
    'an address such as https://proof.example, without path, is expected',
    toOrigin(host, port),
  )
  const { hostname } = new URL(publicUrl)
  const trustProxy = read(
    'TRUST_PROXY',
    Proxies,
    'addresses or networks such as 10.0.0.0/8, separated by commas, are expected',
    [],
  )
  const organisation = read(
    'ORGANISATION',
    OneLine.min(1).max(200).refine(isPlainName),
    'one line of at most 200 characters is expected, none of them invisible or a mark of direction',
    'Proofdesk',
  )
  const dataDir = resolve(cwd, read('DATA_DIR', OneLine, 'a folder is expected', 'data'))
  const keysDir = resolve(cwd, read('KEYS_DIR', OneLine, 'a folder is expected', resolve(dataDir, 'keys')))
  const anyText = z.string()
  const databaseUrl = readDatabaseAddress(read, environment['PGHOST'])
  const webConcurrency = readWhole('WEB_CONCURRENCY', 1, 64, 1)
  if (webConcurrency > 1 && databaseUrl === undefined)
    throw new ConfigError('WEB_CONCURRENCY is more than 1, which needs PostgreSQL: set DATABASE_URL, or leave it at 1')
  const storage = readStorage(read)
  return {
    port,
    host,
    webConcurrency,
    publicUrl,
    isTestInstance: isLoopback(hostname),
    isLocalOnly: [hostname, host].every((name) => isLoopback(name) && !isUnspecified(name)) && trustProxy.length === 0,
    organisation,
    dataDir,
    databaseUrl,
    storage,
    smtpUrl: read(
      'SMTP_URL',
      urlOf('smtp:', 'smtps:').refine(hasClearTls),
      'smtp://… or smtps://… is expected; about encryption it may say ?tls=required or ?tls=optional',
      undefined,
    ),
    mailFrom: read('MAIL_FROM', MailFrom, 'an address such as Proofdesk <proofs@example.org> is expected', {
      name: organisation,
      address: `no-reply@${hostname.includes(':') ? 'localhost' : hostname}`,
    }),
    dkim: readDkim(read, (message) => new ConfigError(message)),
    maxUploadMb: readWhole('MAX_UPLOAD_MB', 1, 200, DEFAULT_MAX_UPLOAD_MB),
    sessionDays: readWhole('SESSION_DAYS', 1, 3650, 90),
    maxSessions: readWhole('MAX_SESSIONS', 1, 1000, 20),
    requireTwoFactor: read('REQUIRE_TWO_FACTOR', YesOrNo, 'true or false is expected', false),
    maxUserMb: readWhole('MAX_USER_MB', 1, LARGEST, DEFAULT_MAX_USER_MB),
    maxUserCollections: readWhole('MAX_USER_COLLECTIONS', 1, LARGEST, DEFAULT_MAX_USER_COLLECTIONS),
    minFreeMb: readWhole('MIN_FREE_MB', 0, LARGEST, DEFAULT_MIN_FREE_MB),
    clamd: read('CLAMD', ClamdAddressText, 'host:port or unix:/path is expected', undefined),
    auditKeepDays: readWhole('AUDIT_KEEP_DAYS', 30, 36_500, undefined),
    reminderDays: read<readonly number[]>(
      'REMINDER_DAYS',
      ReminderDays,
      'different whole numbers of days from 1 to 3650, separated by commas, are expected, at most 10, or 0 for none',
      DEFAULT_REMINDER_DAYS,
    ),
    keysDir,
    keyPassphrase: read('KEY_PASSPHRASE', anyText, 'text is expected', undefined),
    logOrigin: read('LOG_ORIGIN', LogOrigin, 'a name such as proof.example/log is expected', undefined),
    witnessPolicy: readNamedFile(environment, 'WITNESS_POLICY', readWitnessPolicy),
    witnessedLogs: readNamedFile(environment, 'WITNESS_LOGS', readWitnessedLogs) ?? [],
    trustProxy,
    logLevel: read('LOG_LEVEL', z.enum(LOG_LEVELS), `one of ${LOG_LEVELS.join(', ')} is expected`, 'info'),
    metricsToken: read(
      'METRICS_TOKEN',
      z.string().regex(/^[\x21-\x7e]{16,200}$/),
      '16 to 200 letters, digits and signs without blanks are expected',
      undefined,
    ),
    tracing: readTracing(environment, read),
    ...readBackups(read, cwd, { dataDir, keysDir, storage }),
    identityProviders: readProviders(read),
  }
}

const GOOGLE = 'https://accounts.google.com'

/** The settings of one provider stand together or not at all. @throws ConfigError */
function readProviders(read: ReadOne): IdentityProvider[] {
  const readText = (name: string) =>
    read<string | undefined>(name, OneLine.min(1).max(500), 'one line of text is expected', undefined)
  const readIssuer = (name: string) =>
    read<string | undefined>(name, Issuer, 'an https address (http for this machine itself) is expected', undefined)
  const providers: IdentityProvider[] = []

  const google = { clientId: readText('GOOGLE_CLIENT_ID'), clientSecret: readText('GOOGLE_CLIENT_SECRET') }
  const googleIssuer = readIssuer('GOOGLE_ISSUER')
  if (google.clientId !== undefined) {
    const { clientId, clientSecret } = google
    const issuer = googleIssuer ?? GOOGLE
    // Google's token endpoint wants the secret of a web client beside PKCE.
    const hasButton = clientSecret !== undefined
    providers.push({ id: 'google', name: 'Google', issuer, clientId, clientSecret, hasButton })
  } else if (google.clientSecret !== undefined || googleIssuer !== undefined)
    throw new ConfigError('GOOGLE_CLIENT_ID is missing: the other settings for Google need it')

  const oidc = { issuer: readIssuer('OIDC_ISSUER'), clientId: readText('OIDC_CLIENT_ID') }
  const clientSecret = readText('OIDC_CLIENT_SECRET')
  const name = read<string | undefined>('OIDC_NAME', OneLine.min(1).max(60), 'one short line is expected', undefined)
  if (oidc.issuer !== undefined && oidc.clientId !== undefined) {
    const { issuer, clientId } = oidc
    const shown = name ?? new URL(issuer).hostname
    providers.push({ id: 'oidc', name: shown, issuer, clientId, clientSecret, hasButton: true })
  } else if (
    oidc.issuer !== undefined ||
    oidc.clientId !== undefined ||
    clientSecret !== undefined ||
    name !== undefined
  )
    throw new ConfigError(`${oidc.issuer === undefined ? 'OIDC_ISSUER' : 'OIDC_CLIENT_ID'} is missing: both are needed`)

  if (new Set(providers.map(({ issuer }) => issuer)).size < providers.length)
    throw new ConfigError('OIDC_ISSUER is wrong: it is the issuer of GOOGLE_CLIENT_ID already')
  return providers
}

function refuseUnsupported(environment: Environment): void {
  for (const name of NOT_YET) {
    if (environment[name]) throw new ConfigError(`${name} is set, but this version does not support it yet`)
  }
  const locale = environment['DEFAULT_LOCALE']
  if (locale && locale !== 'en')
    throw new ConfigError('DEFAULT_LOCALE is set to another language than en, but this version does not support it yet')
}

/** A setting whose value names a file with what is meant. @throws ConfigError */
function readNamedFile<T>(environment: Environment, name: string, parse: (text: string) => T): T | undefined {
  const path = readSetting(environment, name)
  if (path === undefined) return undefined
  let text
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ConfigError(`${name} is wrong: the file it names cannot be read`, { cause })
  }
  try {
    return parse(text)
  } catch (cause) {
    if (!(cause instanceof WitnessSettingError)) throw cause
    throw new ConfigError(`${name} is wrong: ${cause.message}`, { cause })
  }
}

/** An empty setting counts as none. */
function readSetting(environment: Environment, name: string): string | undefined {
  const value = environment[name] || undefined
  const file = SECRETS.includes(name) ? environment[`${name}_FILE`] || undefined : undefined
  if (file === undefined) return value
  if (value !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set: keep one`)
  let text
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new ConfigError(`${name}_FILE is wrong: the file it names cannot be read`, { cause })
  }
  if (text === '') throw new ConfigError(`${name}_FILE is wrong: the file it names is empty`)
  return text
}

/** A server that listens at one of these listens at every address of the machine. */
function isUnspecified(hostname: string): boolean {
  return /^(0\.0\.0\.0|\[?::\]?)$/.test(hostname)
}
