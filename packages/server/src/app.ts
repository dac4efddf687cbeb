import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import multipart from '@fastify/multipart'
import { API_BASE } from '@proofdesk/contract/route'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Deps } from './deps.ts'
import { AppError } from './errors.ts'
import { listAccountHandlers } from './features/account/outbox-handlers.ts'
import { accountRoutes } from './features/account/routes.ts'
import { sweepEmailChanges } from './features/account/undo-email.ts'
import { authRoutes } from './features/auth/routes.ts'
import { sweepLinks } from './features/auth/service.ts'
import { sendVerificationMail } from './features/auth/verification-mail.ts'
import { certificateRoutes } from './features/certificates/routes.ts'
import { collectionRoutes } from './features/collections/routes.ts'
import { commentRoutes } from './features/comments/routes.ts'
import { contentRoutes } from './features/contents/routes.ts'
import { makeThumbnail } from './features/contents/thumbnails.ts'
import { directoryRoutes } from './features/directory/routes.ts'
import { eventRoutes } from './features/events/routes.ts'
import { mailDeliveryRoutes } from './features/mail-delivery/routes.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { providerLoginRoutes } from './features/provider-login/routes.ts'
import { sendJoinMail } from './features/provider-login/join.ts'
import { sweepProviderLogin } from './features/provider-login/service.ts'
import { listReviewHandlers } from './features/reviews/outbox-handlers.ts'
import { reviewRoutes } from './features/reviews/routes.ts'
import { sessionRoutes } from './features/sessions/routes.ts'
import { findCaller, sweepSessions } from './features/sessions/service.ts'
import { listTicketHandlers } from './features/tickets/outbox-handlers.ts'
import { ticketRoutes } from './features/tickets/routes.ts'
import { sweepTickets } from './features/tickets/service.ts'
import { twoFactorRoutes } from './features/two-factor/routes.ts'
import { sweepTwoFactor } from './features/two-factor/set-up.ts'
import { apiDocumentRoutes } from './http/api-document.ts'
import { installErrorHandler, sendError } from './http/error-handler.ts'
import { installForwardedAddresses } from './http/forwarded.ts'
import { healthRoutes } from './http/health.ts'
import { answerBrokenRequest } from './http/broken-request.ts'
import { installJsonBodies, JSON_BODY_LIMIT } from './http/json-body.ts'
import { installRequestLog } from './http/request-log.ts'
import {
  API_FOLDER,
  DATA_HEADERS,
  installDataHeaders,
  installSecurityHeaders,
  listSecurityHeaders,
} from './http/security-headers.ts'
import { installWeb } from './http/static-web.ts'
import { installViewer } from './http/viewer.ts'
import { installAskingWindow } from './live/asking-window.ts'
import type { OutboxHandlers } from './outbox/outbox.ts'

/** A connection on which nothing moves is closed; longer than the longest wait for an approval. */
const SILENCE_TIMEOUT_MS = 120_000
/** A whole request, a large upload over a slow line included. */
const REQUEST_TIMEOUT_MS = 15 * 60 * 1000
const HEADERS_TIMEOUT_MS = 20_000
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const CLOSE_IDLE_EVERY_MS = 50
const MAX_FORM_FIELDS = 10
const MAX_FIELD_BYTES = 10_000

/** Builds the whole HTTP side from its dependencies; it listens to nothing yet. */
export async function buildApp(deps: Deps, webDir: string | undefined): Promise<FastifyInstance> {
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
  installForwardedAddresses(app)
  installSecurityHeaders(app, config.publicUrl)
  installRequestLog(app, logger)
  installErrorHandler(app, logger)
  installJsonBodies(app)
  healthRoutes(app, deps)
  installWeb(app, webDir)

  await app.register(
    async (api) => {
      installDataHeaders(api)
      installAskingWindow(api)
      installViewer(api, (token) => findCaller(deps, token))
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
      // The table of contents of the product.
      sessionRoutes(api, deps)
      twoFactorRoutes(api, deps)
      authRoutes(api, deps)
      providerLoginRoutes(api, deps)
      accountRoutes(api, deps)
      directoryRoutes(api, deps)
      eventRoutes(api, deps)
      notificationRoutes(api, deps)
      collectionRoutes(api, deps)
      contentRoutes(api, deps)
      commentRoutes(api, deps)
      certificateRoutes(api, deps)
      reviewRoutes(api, deps)
      ticketRoutes(api, deps)
      mailDeliveryRoutes(api, deps)
      apiDocumentRoutes(api)
    },
    { prefix: API_BASE },
  )
  // What does not exist there.
  await app.register(
    async (folder) => {
      installDataHeaders(folder)
      folder.setNotFoundHandler(async () => {
        throw new AppError('not_found')
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

/** What each kind of outbox row sets in motion. */
export function listOutboxHandlers(deps: Deps): OutboxHandlers {
  return {
    verification_mail: ({ user_id }) => sendVerificationMail(deps, user_id),
    provider_join_mail: ({ pending_identity_id }) => sendJoinMail(deps, pending_identity_id),
    ...listAccountHandlers(deps),
    ...listReviewHandlers(deps),
    ...listTicketHandlers(deps),
    remove_blob: ({ key }) => deps.blobs.remove(key),
    draw_thumbnail: ({ content_id }, failures) => makeThumbnail(deps, content_id, failures),
  }
}

/** What the features clear away every hour. */
export async function sweepFeatures(deps: Deps): Promise<void> {
  await sweepSessions(deps)
  await sweepLinks(deps)
  await sweepTickets(deps)
  await sweepTwoFactor(deps)
  await sweepProviderLogin(deps)
  await sweepEmailChanges(deps)
}
