import type { ProviderId } from '@proofdesk/contract/provider-login'
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import * as openid from 'openid-client'
import type { IdentityProvider } from '../../config/config.ts'
import { AppError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { nameFailure } from '../../logger.ts'

/** What is known of a provider once its configuration was read (OpenID Connect Discovery, section 4). */
export interface Connection {
  settings: IdentityProvider
  client: openid.Configuration
  /** Exactly as it stands in the provider's tokens. */
  issuer: string
  /** Fetched when needed, and anew for an unknown key. */
  keys: JWTVerifyGetKey
}

export interface Providers {
  /** @throws AppError `not_found` when it is not configured, `provider_unavailable` */
  connect(id: ProviderId): Promise<Connection>
  /** @returns undefined when no configured provider has that issuer. @throws AppError `provider_unavailable` */
  connectIssuer(issuer: string): Promise<Connection | undefined>
  /** Whether ID tokens of anybody are taken. */
  isConfigured: boolean
}

const TIMEOUT_SECONDS = 10
/** Providers move their endpoints rarely. */
const KEEP_MS = 60 * 60 * 1000

/** Reads each provider's configuration when it is needed for the first time, and again every hour. */
export function openProviders(all: readonly IdentityProvider[], logger: Logger): Providers {
  const known = new Map<ProviderId, { connection: Promise<Connection>; since: number }>()

  async function connect(settings: IdentityProvider): Promise<Connection> {
    const kept = known.get(settings.id)
    if (kept && performance.now() - kept.since < KEEP_MS) return kept.connection
    const connection = discover(settings)
    const entry = { connection, since: performance.now() }
    known.set(settings.id, entry)
    try {
      return await connection
    } catch (cause) {
      if (known.get(settings.id) === entry) known.delete(settings.id)
      logger.warn('identity provider unavailable', { provider: settings.id, reason: nameFailure(cause) })
      throw new AppError('provider_unavailable', { cause })
    }
  }

  return {
    isConfigured: all.length > 0,
    connect: async (id) => {
      const settings = all.find((one) => one.id === id && one.hasButton)
      if (!settings) throw new AppError('not_found')
      return connect(settings)
    },
    connectIssuer: async (issuer) => {
      const settings = all.find((one) => isIssuer(one, issuer))
      return settings && connect(settings)
    },
  }
}

const GOOGLE = 'https://accounts.google.com'

/** The provider that an account is linked with, as it is configured now; undefined where it is not any more. */
export function findProvider(
  all: readonly IdentityProvider[],
  { provider, issuer }: { provider: ProviderId; issuer: string },
): IdentityProvider | undefined {
  return all.find((one) => one.id === provider && isIssuer(one, issuer))
}

function isIssuer(settings: IdentityProvider, issuer: string): boolean {
  return listIssuers(trimSlash(settings.issuer)).includes(trimSlash(issuer))
}

/** Google's tokens may leave the scheme out: https://developers.google.com/identity/openid-connect/openid-connect */
export function listIssuers(issuer: string): string[] {
  return issuer === GOOGLE ? [GOOGLE, new URL(GOOGLE).hostname] : [issuer]
}

/** An operator writes an issuer with or without it; its own configuration says which is right. */
function trimSlash(text: string): string {
  return text.replace(/\/$/, '')
}

async function discover(settings: IdentityProvider): Promise<Connection> {
  const { issuer, clientId, clientSecret } = settings
  const isPlain = issuer.startsWith('http:')
  const found = await openid.discovery(new URL(issuer), clientId, undefined, openid.None(), {
    timeout: TIMEOUT_SECONDS,
    // Settings allow plain http for this machine only.
    // oxlint-disable-next-line typescript/no-deprecated -- marked so that nobody uses it elsewhere
    ...(isPlain && { execute: [openid.allowInsecureRequests] }),
  })
  const metadata = found.serverMetadata()
  const client = new openid.Configuration(metadata, clientId, clientSecret, chooseClientAuth(metadata, clientSecret))
  client.timeout = TIMEOUT_SECONDS
  // oxlint-disable-next-line typescript/no-deprecated -- as above
  if (isPlain) openid.allowInsecureRequests(client)
  if (metadata.jwks_uri === undefined) throw new Error('the provider names no keys')
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: TIMEOUT_SECONDS * 1000 })
  return { settings, client, issuer: metadata.issuer, keys }
}

/** Basic unless the provider takes the secret in the body only (OpenID Connect Core, section 9). */
function chooseClientAuth(metadata: openid.ServerMetadata, secret: string | undefined): openid.ClientAuth {
  if (secret === undefined) return openid.None()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') ? openid.ClientSecretBasic(secret) : openid.ClientSecretPost(secret)
}
