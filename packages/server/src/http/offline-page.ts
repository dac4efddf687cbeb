import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { compressPage, sendPage } from './compressed-page.ts'
import { DATA_POLICY, listPermissions } from './security-headers.ts'

/** What people save it as, so that `sha256sum -c` finds it. */
const FILE_NAME = 'verify.html'

/** It reads printed codes with the camera; what it sees stays on the device. */
const WITH_CAMERA = listPermissions('(self)')

/**
 * The page that checks certified PDFs by itself, as it was built: the same bytes for every instance of a release.
 * @param file Where it was built; without it the addresses do not exist.
 */
export function installOfflinePage(app: FastifyInstance, file: string | undefined): void {
  if (file === undefined || !existsSync(file)) return
  const bytes = readFileSync(file)
  const page = compressPage(bytes)
  const policy = writePolicy(bytes.toString('utf8'))
  const sum = `${hash('sha256', bytes)}  ${FILE_NAME}\n`

  /** The page. It may run its own script alone, and ask nobody but this instance. */
  app.get('/verify', async (request, reply) =>
    sendPage(
      request,
      reply.header('content-security-policy', policy).header('permissions-policy', WITH_CAMERA),
      page,
      'accept-encoding',
    ),
  )

  /** SHA-256 of those bytes, as `sha256sum` writes it. */
  app.get('/verify.sha256', async (_request, reply) =>
    reply
      .header('content-security-policy', DATA_POLICY)
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(sum),
  )
}

/** @throws Error for a page that has not exactly one script and one style. */
function writePolicy(html: string): string {
  return [
    "default-src 'none'",
    `script-src '${nameSource(html, 'script')}'`,
    `style-src '${nameSource(html, 'style')}'`,
    "connect-src 'self'",
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** @see CSP Level 3, section 2.3.1 (hash-source) */
function nameSource(html: string, tag: 'script' | 'style'): string {
  const [found, ...others] = html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))
  if (!found || others.length > 0) throw new Error(`the offline page has not exactly one <${tag}>`)
  return `sha256-${hash('sha256', found[1] ?? '', 'base64')}`
}
