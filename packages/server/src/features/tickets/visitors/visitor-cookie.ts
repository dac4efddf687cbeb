import { VISITOR_COOKIE_SECONDS } from '@proofdesk/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../../db/open.ts'
import type { Deps } from '../../../deps.ts'
import { readCookie, writeCookie } from '../../../http/cookies.ts'
import { refuseForeignOrigin } from '../../../http/origin.ts'
import { hashToken, looksLikeToken, makeToken } from '../../../secrets/tokens.ts'
import type { Asker, Visitor } from '../asker.ts'
import { deleteVisitor, findVisitor, insertVisitor, renewVisitor } from './queries.ts'

/** A browser and the token its cookie is to hold from now on. */
export interface KnownVisitor {
  visitorId: number
  token: string
}

/**
 * Names who calls: the signed-in person, else a visitor by cookie and by the address they give.
 * @throws AppError `foreign_origin` when a visitor's change comes from another site.
 */
export async function findAsker(deps: Deps, request: FastifyRequest, email: string | undefined): Promise<Asker> {
  if (request.signedIn) return { kind: 'person', viewer: request.signedIn.viewer }
  return findCookieVisitor(deps, request, email ?? null)
}

/** The visitor of a browser, whoever may be signed in there. @throws AppError `foreign_origin` as `findAsker`. */
export async function findCookieVisitor(
  { config, reads, now }: Deps,
  request: FastifyRequest,
  email: string | null,
): Promise<Visitor> {
  if (request.method !== 'GET') refuseForeignOrigin(request, config.publicUrl)
  const token = readCookie(request, defineCookie(config))
  const visitorId = token && looksLikeToken(token) ? await findVisitor(reads, hashToken(token), now()) : undefined
  if (token === undefined || visitorId === undefined) return { kind: 'visitor', visitorId: null, token: null, email }
  return { kind: 'visitor', visitorId, token, email }
}

export function giveCookie({ config }: Pick<Deps, 'config'>, reply: FastifyReply, token: string): void {
  writeCookie(reply, { ...defineCookie(config), value: token, path: '/', maxAgeSeconds: VISITOR_COOKIE_SECONDS })
}

/** Leaves a browser that others use too: neither its cookie nor a copy of it opens anything from now on. */
export async function leaveBrowser(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  { visitorId, token }: Visitor,
  reply: FastifyReply,
): Promise<void> {
  if (visitorId !== null && token !== null) await deleteVisitor(db, visitorId, hashToken(token))
  writeCookie(reply, { ...defineCookie(config), value: '', path: '/', maxAgeSeconds: 0 })
}

/** Makes sure that the browser is known for the next 90 days. */
export async function keepVisitor(transaction: Db, now: number, visitor: Visitor): Promise<KnownVisitor> {
  return renewOrInsert(transaction, now, visitor, visitor.token ?? makeToken())
}

/**
 * The same with another token: whoever else may hold the browser's present one is not let in to what it opens from now on.
 */
export async function changeVisitorToken(transaction: Db, now: number, visitor: Visitor): Promise<KnownVisitor> {
  return renewOrInsert(transaction, now, visitor, makeToken())
}

async function renewOrInsert(
  transaction: Db,
  now: number,
  { visitorId, token: present }: Pick<Visitor, 'visitorId' | 'token'>,
  token: string,
): Promise<KnownVisitor> {
  const hash = hashToken(token)
  const expiresAt = now + VISITOR_COOKIE_SECONDS * 1000
  const isKnown = visitorId !== null && present !== null
  const known = isKnown ? { id: visitorId, known: hashToken(present) } : undefined
  if (known && (await renewVisitor(transaction, known, { hash, expiresAt, now }))) return { visitorId: known.id, token }
  // The cookie ran out or was replaced in this very moment: its token is spent.
  const fresh = visitorId === null ? token : makeToken()
  return { visitorId: await insertVisitor(transaction, hashToken(fresh), expiresAt), token: fresh }
}

function defineCookie({ publicUrl }: Pick<Deps['config'], 'publicUrl'>): { name: 'visitor'; isSecure: boolean } {
  return { name: 'visitor', isSecure: publicUrl.startsWith('https:') }
}
