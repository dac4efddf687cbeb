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
}

/** Adds a cookie that scripts cannot read and that other sites' pages do not send along (RFC 6265bis). */
export function writeCookie(reply: FastifyReply, { name, value, path, maxAgeSeconds, isSecure }: Cookie): void {
  const parts = [`${name}=${value}`, `Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Strict']
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
