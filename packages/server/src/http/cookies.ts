import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Cookie {
  name: string
  /** Characters of base64url only. */
  value: string
  path: string
  /** 0 takes the cookie away. */
  maxAgeSeconds: number
  /** Sent over https only. */
  isSecure: boolean
  /** Also sent when another site leads the browser here by a link or a redirect; not with what its pages load or post. */
  followsLinks?: true
}

/** Adds a cookie that scripts cannot read and that other sites' pages do not send along (RFC 6265bis). */
export function writeCookie(reply: FastifyReply, cookie: Cookie): void {
  const { name, value, path, maxAgeSeconds, isSecure, followsLinks } = cookie
  const sameSite = `SameSite=${followsLinks ? 'Lax' : 'Strict'}`
  const parts = [`${name}=${value}`, `Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', sameSite]
  reply.header('set-cookie', (isSecure ? [...parts, 'Secure'] : parts).join('; '))
}

/** The first cookie of that name; undefined when there is none or it is empty. */
export function readCookie(request: FastifyRequest, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) return value.join('=').trim() || undefined
  }
  return undefined
}
