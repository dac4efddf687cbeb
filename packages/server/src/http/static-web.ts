import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PUBLIC_SCREENS } from '@proofdesk/contract/public-screens'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { openWebPage } from './web-page.ts'

/** Files in here carry a hash of their content in their name. */
const HASHED_FOLDER = 'assets'

/** The build puts `.br` and `.gz` beside its text files. */
const FILES = { index: false, preCompressed: true, cacheControl: false } satisfies Partial<FastifyStaticOptions>

const PUBLIC_PATHS: ReadonlySet<string> = new Set(Object.values(PUBLIC_SCREENS))

/**
 * Serves the built web app, and its one page for every address that a person may open. The API has an answer of its own
 * for what does not exist there.
 * @param webDir Undefined or without a build: only the API is served.
 */
export function installWeb(app: FastifyInstance, webDir: string | undefined): void {
  const hasBuild = webDir !== undefined && existsSync(join(webDir, 'index.html'))
  const sendPage = hasBuild ? openWebPage(webDir) : undefined
  if (hasBuild && sendPage) {
    // An address for each file, as there are few: what else lies beside them is none.
    app.register(fastifyStatic, {
      ...FILES,
      root: webDir,
      wildcard: false,
      globIgnore: ['**/.*', '**/.*/**', `${HASHED_FOLDER}/**`, '**/*.br', '**/*.gz'],
      setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
    })
    // One address for all of some hundreds, for which each start would else wait.
    app.register(fastifyStatic, {
      ...FILES,
      root: join(webDir, HASHED_FOLDER),
      prefix: `/${HASHED_FOLDER}/`,
      decorateReply: false,
      dotfiles: 'ignore',
      setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
    })
    app.get('/', sendPage)
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (sendPage && wantsPage(request)) return sendPage(request, reply)
    throw new AppError('not_found')
  })
}

/** A browser that goes to an address; a missing file is none. What previews or watches public pages asks for anything. */
function wantsPage(request: FastifyRequest): boolean {
  const path = request.url.split('?', 1)[0] ?? ''
  if (!['GET', 'HEAD'].includes(request.method) || path.startsWith(`/${HASHED_FOLDER}/`)) return false
  const accepted = request.headers.accept ?? '*/*'
  return accepted.includes('text/html') || (PUBLIC_PATHS.has(path) && accepted.includes('*/*'))
}
