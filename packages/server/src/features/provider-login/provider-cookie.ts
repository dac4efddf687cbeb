import { API_BASE } from '@proofdesk/contract/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, writeCookie } from '../../http/cookies.ts'

/**
 * The browser's half of the one-time codes that follow a provider's answer, where no script and no other site reads it.
 * One that links waits in a cookie of its own while the person confirms by a provider who they are.
 */
export type ProviderCookie = 'provider-entry' | 'provider-link'

const PATH = `${API_BASE}/auth`

/** @param value Null takes it away. */
export function setProviderCookie(
  reply: FastifyReply,
  publicUrl: string,
  { name, value, maxAgeSeconds }: { name: ProviderCookie; value: string | null; maxAgeSeconds: number },
): void {
  writeCookie(reply, {
    name,
    value: value ?? '',
    path: PATH,
    maxAgeSeconds: value === null ? 0 : maxAgeSeconds,
    isSecure: publicUrl.startsWith('https:'),
  })
}

export function readProviderCookie(
  request: FastifyRequest,
  publicUrl: string,
  name: ProviderCookie,
): string | undefined {
  return readCookie(request, { name, isSecure: publicUrl.startsWith('https:') })
}
