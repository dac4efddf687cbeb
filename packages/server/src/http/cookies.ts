import type { NamedCookie } from '@proofdesk/contract/cookies'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Cookie {
  /** Without a prefix. */
  name: NamedCookie
  /** Characters of base64url only. */
  value: string
  /** Where it is sent to over plain http; over https it must be everywhere, for its prefix. */
  path: string
  /** 0 takes the cookie away. */
  maxAgeSeconds: number
  /** Sent over https only. */
  isSecure: boolean
  /** Also sent when another site leads the browser here by a link or a redirect; not with what its pages load or post. */
  followsLinks?: true
}

/**
 * Over https the name begins with `__Host-`: browsers then take it from this very host alone, so that no neighbouring host
 * can plant one (RFC 6265bis, section 4.1.3.2).
 */
const HOST_PREFIX = '__Host-'

/** Adds a cookie that scripts cannot read and that other sites' pages do not send along (RFC 6265bis). */
export function writeCookie(reply: FastifyReply, cookie: Cookie): void {
  const { name, value, path, maxAgeSeconds, isSecure, followsLinks } = cookie
  const sameSite = `SameSite=${followsLinks ? 'Lax' : 'Strict'}`
  const [prefix, sentTo] = isSecure ? [HOST_PREFIX, '/'] : ['', path]
  const parts = [`${prefix}${name}=${value}`, `Path=${sentTo}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', sameSite]
  reply.header('set-cookie', (isSecure ? [...parts, 'Secure'] : parts).join('; '))
}

/** The first cookie of that name, as `writeCookie` wrote it; undefined when there is none or it is empty. */
export function readCookie(
  request: FastifyRequest,
  { name, isSecure }: Pick<Cookie, 'name' | 'isSecure'>,
): string | undefined {
  const wanted = isSecure ? `${HOST_PREFIX}${name}` : name
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === wanted) return value.join('=').trim() || undefined
  }
  return undefined
}
