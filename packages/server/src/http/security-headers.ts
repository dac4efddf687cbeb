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
].join('; ')

/** Answers of the API are data; a browser that opens one as a page may do nothing with it. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** @param publicUrl Under https browsers are told to stay there. */
export function installSecurityHeaders(app: FastifyInstance, publicUrl: string): void {
  const always: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
  if (publicUrl.startsWith('https:')) always['strict-transport-security'] = 'max-age=31536000'
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(always)
    reply.header('content-security-policy', isApi(request.url) ? DATA_POLICY : PAGE_POLICY)
    if (isApi(request.url)) reply.header('cache-control', 'no-store')
  })
}

/** Everything under the first folder of the API is the API, also what does not exist there. */
export function isApi(url: string): boolean {
  const [, folder = ''] = API_BASE.split('/')
  const path = url.split('?', 1)[0] ?? ''
  return path === `/${folder}` || path.startsWith(`/${folder}/`)
}
