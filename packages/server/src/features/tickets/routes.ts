import * as api from '@proofdesk/contract/tickets'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { bind } from '../../http/bind.ts'
import { refuseForeignOrigin } from '../../http/origin.ts'
import { createMessage, listMessages } from './conversation.ts'
import { changeTicket, countTickets, createTicket, listTickets, markTicketRead, viewTicket } from './service.ts'
import { requestTicketLink, useTicketLink } from './visitors/mailed-link.ts'
import { findAsker, findCookieVisitor, giveCookie, leaveBrowser } from './visitors/visitor-cookie.ts'

export function ticketRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.listTickets, async ({ query, request }) =>
    listTickets(deps, await findAsker(deps, request, query.email), query, request.url),
  )
  bind(app, api.countTickets, async ({ query, request }) =>
    countTickets(deps, await findAsker(deps, request, query.email)),
  )
  bind(app, api.createTicket, async ({ query, body, request, reply, idempotencyKey: key }) => {
    const asker = await findAsker(deps, request, query.email)
    const { ticket, cookieToken } = await createTicket(deps, asker, request.ip, body, key)
    if (cookieToken !== undefined) giveCookie(deps, reply, cookieToken)
    return ticket
  })
  bind(app, api.showTicket, async ({ params, query, request }) =>
    viewTicket(deps, await findAsker(deps, request, query.email), params.id),
  )
  bind(app, api.markTicketRead, async ({ params, query, body, request }) =>
    markTicketRead(deps, await findAsker(deps, request, query.email), params.id, body.seen),
  )
  bind(app, api.changeTicket, ({ viewer, params, body }) => changeTicket(deps, viewer, params.id, body))
  bind(app, api.requestTicketLink, async ({ body, request }) => {
    refuseForeignOrigin(request, deps.config.publicUrl)
    return requestTicketLink(deps, request.ip, body.email)
  })
  bind(app, api.openTicketSession, async ({ body, request, reply }) => {
    const visitor = await findCookieVisitor(deps, request, null)
    const { email, cookieToken } = await useTicketLink(deps, visitor, body.token)
    giveCookie(deps, reply, cookieToken)
    return { email }
  })
  bind(app, api.closeTicketSession, async ({ request, reply }) =>
    leaveBrowser(deps, await findCookieVisitor(deps, request, null), reply),
  )

  bind(app, api.listMessages, async ({ query, request }) =>
    listMessages(deps, await findAsker(deps, request, query.email), query.ticket_id),
  )
  bind(app, api.createMessage, async ({ query, body, request, idempotencyKey }) =>
    createMessage(deps, await findAsker(deps, request, query.email), body, idempotencyKey),
  )
}
