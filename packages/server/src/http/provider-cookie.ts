import { API_BASE } from '@proofdesk/contract/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, writeCookie } from './cookies.ts'

/** The browser's half of the one-time codes that follow a provider's answer, where no script and no other site reads it. */
const NAME = 'provider-entry'
const PATH = `${API_BASE}/auth`

/** @param value Null takes it away. */
export function setProviderCookie(
  reply: FastifyReply,
  publicUrl: string,
  value: string | null,
  maxAgeSeconds: number,
): void {
  writeCookie(reply, {
    name: NAME,
    value: value ?? '',
    path: PATH,
    maxAgeSeconds: value === null ? 0 : maxAgeSeconds,
    isSecure: publicUrl.startsWith('https:'),
  })
}

export function readProviderCookie(request: FastifyRequest, publicUrl: string): string | undefined {
  return readCookie(request, { name: NAME, isSecure: publicUrl.startsWith('https:') })
}
