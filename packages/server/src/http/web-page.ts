import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, crc32, gzipSync } from 'node:zlib'
import { TURN_COOKIE } from '@proofdesk/contract/turn-cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie } from './cookies.ts'

/** One address of the web app, as its build wrote it down: a pattern with `:name` for a part that varies. */
interface FirstLoads {
  path: string
  /** Scripts that somebody without a session loads first, relative to the build; the other: with one. */
  guest: string[]
  member: string[]
}

/** The page as it is sent for one list of scripts. */
interface Page {
  etag: string
  bodies: Record<'br' | 'gzip' | 'identity', Buffer>
}

/**
 * The one page of the web app. In it stand the scripts that its address loads first: a browser asks for all of them at
 * once, where otherwise each would only be found in the one before. They are hints: with wrong ones it takes longer.
 * @returns what answers a request with it
 */
export function openWebPage(webDir: string): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const html = readFileSync(join(webDir, 'index.html'), 'utf8')
  const addresses = readFirstLoads(webDir)
  const pages = new Map<string, Page>()

  function makePage(scripts: string[]): Page {
    const links = scripts.map((script) => `<link rel="modulepreload" crossorigin href="/${script}">`).join('')
    const known = pages.get(links)
    if (known) return known
    // Before the entry, so that the first of them are asked for first.
    const page = compressPage(html.replace('<script type="module"', () => `${links}<script type="module"`))
    pages.set(links, page)
    return page
  }

  return (request, reply) => {
    const page = makePage(chooseScripts(addresses, request))
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    reply
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding, cookie')
      .header('etag', page.etag)
      .type('text/html; charset=utf-8')
    if (request.headers['if-none-match'] === page.etag) return reply.code(304).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.code(200).send(page.bodies[encoding])
  }
}

/** A build without the list works too. */
function readFirstLoads(webDir: string): FirstLoads[] {
  const file = join(webDir, '.vite', 'first-loads.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FirstLoads[]) : []
}

function chooseScripts(addresses: FirstLoads[], request: FastifyRequest): string[] {
  const path = request.url.split('?', 1)[0] ?? ''
  const parts = path.replace(/(?<=.)\/$/, '').split('/')
  const address = addresses.find((one) => matches(one.path.split('/'), parts))
  if (!address) return []
  // The web writes it, so it has no prefix.
  return readCookie(request, { name: TURN_COOKIE, isSecure: false }) ? address.member : address.guest
}

function matches(pattern: string[], parts: string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, i) => part.startsWith(':') || part === parts[i])
}

function compressPage(html: string): Page {
  const bytes = Buffer.from(html)
  // Weak: it names the page, however it is compressed. A checksum will do among the few pages of one address.
  return {
    etag: `W/"${bytes.length}-${crc32(bytes).toString(36)}"`,
    bodies: { br: brotliCompressSync(bytes), gzip: gzipSync(bytes), identity: bytes },
  }
}

/** A coding counts as welcome when it is named without a quality of zero (RFC 9110, section 12.5.3). */
function chooseEncoding(accepted: string | string[] = ''): 'br' | 'gzip' | 'identity' {
  const welcome = new Set(
    String(accepted)
      .split(',')
      .map((one) =>
        one
          .trim()
          .toLowerCase()
          .split(/\s*;\s*/),
      )
      .filter(([, quality]) => !/^q=0(?:\.0*)?$/.test(quality ?? ''))
      .map(([name]) => name),
  )
  if (welcome.has('br')) return 'br'
  return welcome.has('gzip') ? 'gzip' : 'identity'
}
