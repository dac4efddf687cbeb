import { API_BASE } from '@proofdesk/contract/route'
import type { FastifyInstance } from 'fastify'

/**
 * What pages may load and do: only what this server sends. `blob:` is for files that were fetched with the access token
 * and are then shown; styles, scripts and workers are files of the build, never inline.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The one that lets the worker of the PDF reader through; no other can be made, nor this one twice.
  'trusted-types proofdesk-pdf-worker',
].join('; ')

/** Answers of the API are data; a browser that opens one as a page may do nothing with it. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

export const DATA_HEADERS = { 'content-security-policy': DATA_POLICY, 'cache-control': 'no-store' }

export const API_FOLDER = `/${API_BASE.split('/')[1]}`

/** @param camera Who may ask for it: nobody, `()`, or this server's own page, `(self)`. */
export const listPermissions = (camera: '()' | '(self)'): string =>
  `camera=${camera}, geolocation=(), microphone=(), payment=(), usb=()`

/** @param publicUrl Under https browsers are told to stay there, on hosts below this one as well. */
export function listSecurityHeaders(publicUrl: string): Record<string, string> {
  const always: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': listPermissions('()'),
    'content-security-policy': PAGE_POLICY,
  }
  if (publicUrl.startsWith('https:')) always['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
  return always
}

export function installSecurityHeaders(app: FastifyInstance, publicUrl: string): void {
  const always = listSecurityHeaders(publicUrl)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(always)
    done()
  })
}

/** For every answer below `app`, however its address was written: data, which nobody keeps and no browser runs. */
export function installDataHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(DATA_HEADERS)
    done()
  })
}

/** Everything under the first folder of the API is the API, also what does not exist there. @param route Its pattern. */
export function isApi(route: string): boolean {
  return route === API_FOLDER || route.startsWith(`${API_FOLDER}/`)
}
