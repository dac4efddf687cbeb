import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressPage, sendPage, type CompressedPage } from './compressed-page.ts'
import { readCookie } from './cookies.ts'

/** One address of the web app, as its build wrote it down: a pattern with `:name` for a part that varies. */
interface FirstLoads {
  path: string
  /** Scripts that somebody without a session loads first, relative to the build; the other: with one. */
  guest: string[]
  member: string[]
}

/**
 * The one page of the web app. In it stand the scripts that its address loads first: a browser asks for all of them at
 * once, where otherwise each would only be found in the one before. They are hints: with wrong ones it takes longer.
 * @returns what answers a request with it
 */
export function openWebPage(webDir: string): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const html = readFileSync(join(webDir, 'index.html'), 'utf8')
  const addresses = readFirstLoads(webDir)
  const pages = new Map<string, CompressedPage>()

  function makePage(scripts: string[]): CompressedPage {
    const links = scripts.map((script) => `<link rel="modulepreload" crossorigin href="/${script}">`).join('')
    const known = pages.get(links)
    if (known) return known
    // Before the entry, so that the first of them are asked for first.
    const page = compressPage(Buffer.from(html.replace('<script type="module"', () => `${links}<script type="module"`)))
    pages.set(links, page)
    return page
  }

  return (request, reply) =>
    sendPage(request, reply, makePage(chooseScripts(addresses, request)), 'accept-encoding, cookie')
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
  return readCookie(request, { name: 'refresh_turn', isSecure: false }) ? address.member : address.guest
}

function matches(pattern: string[], parts: string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, i) => part.startsWith(':') || part === parts[i])
}
