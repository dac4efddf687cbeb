import { ID_TOKEN_MAX_AGE_SECONDS } from '@proofdesk/contract/limits'
import { decodeJwt, jwtVerify, type JWTPayload } from 'jose'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { hashToken } from '../../secrets/tokens.ts'
import { listIssuers, type Connection } from './connection.ts'
import { takeOnce } from './queries.ts'

/** Clocks of servers differ by some seconds. */
const CLOCK_TOLERANCE_SECONDS = 10

/** No `none`, and no MAC: the client secret would be the key. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA']

/** @returns whose token it claims to be, unchecked. @throws AppError `provider_login_failed` */
export function readClaimedIssuer(token: string): string {
  try {
    const iss: unknown = decodeJwt(token).iss
    if (typeof iss === 'string') return iss
  } catch {
    // As if it named nobody.
  }
  throw new AppError('provider_login_failed')
}

/**
 * Checks an ID token (OpenID Connect Core, section 3.1.3.7) and uses it up: signature, issuer, audience, expiry, age and,
 * where we asked for one, the nonce.
 * @throws AppError `provider_login_failed` also for one that was taken before; what jose throws for the rest
 */
export async function takeIdToken(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { settings, issuer, keys }: Connection,
  token: string,
  nonce?: string,
): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, keys, {
    issuer: listIssuers(issuer),
    audience: settings.clientId,
    algorithms: ALGORITHMS,
    requiredClaims: ['sub', 'exp', 'iat'],
    maxTokenAge: ID_TOKEN_MAX_AGE_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: new Date(now()),
  })
  if (!isForUsAlone(payload, settings.clientId)) throw new AppError('provider_login_failed')
  if (nonce !== undefined && payload['nonce'] !== nonce) throw new AppError('provider_login_failed')
  const goodUntil = now() + (ID_TOKEN_MAX_AGE_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS) * 1000
  if (!(await takeOnce(db, hashSignedPart(token), goodUntil))) throw new AppError('provider_login_failed')
  return payload
}

/** A token for several audiences, or that another client got, says with `azp` who may use it. */
function isForUsAlone({ aud, azp }: JWTPayload, clientId: string): boolean {
  const isOne = !Array.isArray(aud) || aud.length === 1
  return azp === undefined ? isOne : azp === clientId
}

/** Without the signature: one that is valid too may be computed from a valid one (ECDSA). */
function hashSignedPart(token: string): string {
  return hashToken(`id_token ${token.slice(0, token.lastIndexOf('.'))}`)
}
