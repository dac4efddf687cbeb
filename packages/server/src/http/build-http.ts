import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import multipart from '@fastify/multipart'
import { API_BASE } from '@proofdesk/contract/route'
import Fastify, { type FastifyInstance } from 'fastify'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/open.ts'
import type { Logger } from '../logger.ts'
import type { Tracing } from '../span.ts'
import { installAskingWindow } from '../live/asking-window.ts'
import { refuseAddress } from './allowed-methods.ts'
import { apiDocumentRoutes } from './api-document.ts'
import type { SignedIn } from './bind.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { installErrorHandler, sendError } from './error-handler.ts'
import { installForwardedAddresses } from './forwarded.ts'
import { healthRoutes } from './health.ts'
import { installJsonBodies, JSON_BODY_LIMIT } from './json-body.ts'
import { installOfflinePage } from './offline-page.ts'
import { installRequestSpans } from './request-spans.ts'
import { installRequestLog } from './request-log.ts'
import { installRequestTimes } from './request-times.ts'
import {
  API_FOLDER,
  DATA_HEADERS,
  installDataHeaders,
  installSecurityHeaders,
  listSecurityHeaders,
} from './security-headers.ts'
import { installWeb } from './static-web.ts'
import { installViewer } from './viewer.ts'

/** A connection on which nothing moves is closed; longer than the longest wait for an approval. */
const SILENCE_TIMEOUT_MS = 120_000
/** A whole request, a large upload over a slow line included. */
const REQUEST_TIMEOUT_MS = 15 * 60 * 1000
const HEADERS_TIMEOUT_MS = 20_000
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const CLOSE_IDLE_EVERY_MS = 50
const MAX_FORM_FIELDS = 10
const MAX_FIELD_BYTES = 10_000

/** What the features give to the HTTP side. */
export interface HttpParts {
  /** Whose access token this is. */
  findCaller: (token: string) => Promise<SignedIn | undefined>
  bindRoutes: (api: FastifyInstance) => void
  /** Beside the API. */
  bindAddresses: (site: FastifyInstance) => void
  built: BuiltPages
}

/** What was built before the start. Without it only the API is served. */
export interface BuiltPages {
  /** Folder of the web app. */
  webDir?: string | undefined
  /** File of the page that checks by itself. */
  offlinePage?: string | undefined
}

/** Builds the whole HTTP side; it listens to nothing yet. */
export async function buildHttp(
  deps: { config: Config; logger: Logger; db: Db; blobs: BlobStore; tracing: Tracing | undefined },
  { findCaller, bindRoutes, bindAddresses, built }: HttpParts,
): Promise<FastifyInstance> {
  const { logger, config } = deps
  const app = Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: JSON_BODY_LIMIT,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Fastify's own refusal knows neither our codes nor our headers; all that answers need is open until the last is out.
    return503OnClosing: false,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    routerOptions: { ignoreTrailingSlash: true },
    // Before any hook has run, such as for an address that cannot be decoded.
    frameworkErrors: (error, request, reply) =>
      void sendError(
        logger,
        error,
        request,
        reply.headers({ ...listSecurityHeaders(config.publicUrl), ...DATA_HEADERS }),
      ),
    clientErrorHandler: answerBrokenRequest,
  })
  closeIdleConnectionsAtEnd(app)
  installRequestSpans(app, deps.tracing, config.trustProxy)
  installForwardedAddresses(app)
  installSecurityHeaders(app, config.publicUrl)
  installRequestLog(app, logger)
  installRequestTimes(app)
  installErrorHandler(app, logger)
  installJsonBodies(app)
  healthRoutes(app, deps)
  installWeb(app, built.webDir)
  installOfflinePage(app, built.offlinePage)

  await app.register(
    async (api) => {
      installDataHeaders(api)
      installAskingWindow(api)
      installViewer(api, findCaller)
      await api.register(multipart, {
        throwFileSizeLimit: true,
        limits: {
          files: 1,
          fileSize: config.maxUploadMb * 1024 * 1024,
          fields: MAX_FORM_FIELDS,
          fieldSize: MAX_FIELD_BYTES,
          parts: MAX_FORM_FIELDS + 1,
        },
      })
      bindRoutes(api)
      apiDocumentRoutes(api)
    },
    { prefix: API_BASE },
  )
  await app.register(async (site) => bindAddresses(site))
  // What does not exist there.
  await app.register(
    async (folder) => {
      installDataHeaders(folder)
      folder.setNotFoundHandler(async ({ method, url }) => {
        throw refuseAddress(method, url)
      })
    },
    { prefix: API_FOLDER },
  )
  await app.ready()
  return app
}

/**
 * A connection whose last answer went out while the server closes is kept open by its client: closed as soon as idle.
 * So are those that browsers open in advance and never use, which Node does not count as idle.
 */
function closeIdleConnectionsAtEnd(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, CLOSE_IDLE_EVERY_MS)
  })
  app.addHook('onClose', async () => clearInterval(timer))
}
