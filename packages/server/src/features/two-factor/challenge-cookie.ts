import { CHALLENGE_SECONDS } from '@proofdesk/contract/limits'
import { API_BASE } from '@proofdesk/contract/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, writeCookie } from '../../http/cookies.ts'

/** Holds what binds a code to its password step, where no script and no other site can read or send it. */
const NAME = 'challenge'
const PATH = `${API_BASE}/g2fa`

/** @param challenge Null takes the cookie of an earlier step away. */
export function setChallengeCookie(reply: FastifyReply, publicUrl: string, challenge: string | null): void {
  writeCookie(reply, {
    name: NAME,
    value: challenge ?? '',
    path: PATH,
    maxAgeSeconds: challenge === null ? 0 : CHALLENGE_SECONDS,
    isSecure: publicUrl.startsWith('https:'),
  })
}

export function readChallengeCookie(request: FastifyRequest, publicUrl: string): string | undefined {
  return readCookie(request, { name: NAME, isSecure: publicUrl.startsWith('https:') })
}
