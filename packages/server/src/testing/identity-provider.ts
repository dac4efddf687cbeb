import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_BASE } from '@proofdesk/contract/route'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { Provider, type Configuration } from 'oidc-provider'
import * as openid from 'openid-client'

export const CLIENT_ID = 'proofdesk'
export const CLIENT_SECRET = 'a-secret-for-tests-only-a-secret-for-tests-only'
/** Another site that people sign in to by the same provider. */
export const OTHER_CLIENT_ID = 'another-site'

const KEY_ID = 'first'

/** Any port of it will do (RFC 8252 section 7.3). */
const CALLBACK_URL = `http://127.0.0.1${API_BASE}/auth/oidc/callback`

export interface TestPerson {
  sub: string
  email?: string
  email_verified?: boolean | string
  given_name?: string
  family_name?: string
}

export interface IdentityProviderOptions {
  /** One hour when absent. */
  idTokenSeconds?: number
  /** Keeps e-mail and names for the userinfo endpoint, as the standard has it; Google puts them into the ID token. */
  onlyUserinfo?: boolean
  /** How it signs; RS256 when absent. */
  algorithm?: 'RS256' | 'ES256'
  /** A free one when absent. */
  port?: number
}

/** A real OpenID Connect provider that asks nobody anything: whoever comes is `person`. */
export interface TestIdentityProvider {
  issuer: string
  person: TestPerson
  /** Shows a page in place of signing the person in at once. */
  asksFirst: boolean
  /** Goes there as a browser of its own and follows until it is sent away. @returns the address it is sent to */
  visit(url: string): Promise<string>
  /** Signs the person in as a client with its own web page would, and gives the ID token. */
  makeIdToken(clientId?: string): Promise<string>
  /** A token with its signature that says whatever a test wants. */
  signClaims(claims: JWTPayload): Promise<string>
  close(): Promise<void>
}

export async function startIdentityProvider(options: IdentityProviderOptions = {}): Promise<TestIdentityProvider> {
  const { algorithm = 'RS256', port = 0 } = options
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people: Record<string, TestPerson> = {}
  const self: TestIdentityProvider = {
    issuer,
    person: { sub: 'nobody' },
    asksFirst: false,
    visit: (url) => follow(url, issuer),
    makeIdToken: (clientId = CLIENT_ID) => makeIdToken(self, clientId),
    signClaims: (claims) => new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: KEY_ID }).sign(privateKey),
    close: () => closeServer(server),
  }
  const provider = new Provider(issuer, {
    ...(await configure(options, algorithm, privateKey)),
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...people[sub], sub }) }),
  })
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next()
    if (self.asksFirst) {
      context.type = 'html'
      context.body = '<!doctype html><title>Identity provider</title>Sign in here'
      return undefined
    }
    people[self.person.sub] = self.person
    const { prompt, session, params } = await provider.interactionDetails(context.req, context.res)
    let result
    if (prompt.name === 'login') result = { login: { accountId: self.person.sub } }
    else {
      const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) })
      grant.addOIDCScope('openid email profile')
      result = { consent: { grantId: await grant.save() } }
    }
    const redirect = await provider.interactionResult(context.req, context.res, result, {
      mergeWithLastSubmission: true,
    })
    return context.redirect(redirect)
  })
  const answer = provider.callback()
  server.on('request', (request, response) => void answer(request, response))
  return self
}

async function configure(
  { idTokenSeconds, onlyUserinfo }: IdentityProviderOptions,
  algorithm: NonNullable<IdentityProviderOptions['algorithm']>,
  privateKey: CryptoKey,
) {
  const key = { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: KEY_ID }
  const client = {
    client_secret: CLIENT_SECRET,
    redirect_uris: [CALLBACK_URL],
    application_type: 'native' as const,
    id_token_signed_response_alg: algorithm,
  }
  return {
    jwks: { keys: [key] },
    clients: [
      { ...client, client_id: CLIENT_ID },
      { ...client, client_id: OTHER_CLIENT_ID },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    conformIdTokenClaims: onlyUserinfo ?? false,
    cookies: { keys: ['for-tests-only'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: idTokenSeconds ?? 3600,
      Interaction: 600,
      Session: 600,
    },
  } satisfies Configuration
}

const MOST_REDIRECTS = 10

async function follow(start: string, issuer: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  for (let hops = 0; hops < MOST_REDIRECTS && url.startsWith(`${issuer}/`); hops += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url).href
  }
  return url
}

async function makeIdToken(provider: TestIdentityProvider, clientId: string): Promise<string> {
  const auth = openid.ClientSecretBasic(CLIENT_SECRET)
  const execute = [openid.allowInsecureRequests]
  const client = await openid.discovery(new URL(provider.issuer), clientId, CLIENT_SECRET, auth, { execute })
  const verifier = openid.randomPKCECodeVerifier()
  // Two tokens of one second would be the same one without it.
  const nonce = openid.randomNonce()
  const url = openid.buildAuthorizationUrl(client, {
    redirect_uri: CALLBACK_URL,
    scope: 'openid email profile',
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const answer = new URL(await provider.visit(url.href))
  const { id_token } = await openid.authorizationCodeGrant(client, answer, {
    pkceCodeVerifier: verifier,
    expectedNonce: nonce,
  })
  if (id_token === undefined) throw new Error('the provider gave no ID token')
  return id_token
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
