import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * A cookie that only this server reads: no script, no other site. Under https its name begins with `__Host-`, so that
 * no neighbouring host can plant one (RFC 6265bis, section 4.1.3.2).
 */
export interface PrivateCookie {
  name: string
  isSecure: boolean
}

/** @param publicUrl Decides whether people come by https. */
export function definePrivateCookie(name: string, publicUrl: string): PrivateCookie {
  const isSecure = publicUrl.startsWith('https:')
  return { name: isSecure ? `__Host-${name}` : name, isSecure }
}

/** The first value under that name; undefined when there is none. */
export function readCookie(request: FastifyRequest, { name }: PrivateCookie): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) return value.join('=').trim()
  }
  return undefined
}

/** @param value An opaque token: nothing in it needs escaping. */
export function setCookie(reply: FastifyReply, cookie: PrivateCookie, value: string, maxAgeSeconds: number): void {
  const attributes = [`${cookie.name}=${value}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Strict']
  if (cookie.isSecure) attributes.push('Secure')
  reply.header('set-cookie', attributes.join('; '))
}
