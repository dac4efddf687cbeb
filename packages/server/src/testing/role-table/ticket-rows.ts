import * as tickets from '@proofdesk/contract/tickets'
import { plantTicket } from './plant.ts'
import { listRows, type RoleRow, type Scene, type Statuses } from './role-row.ts'

// Columns:                  visitor, unverified, owner, other, staff, admin, superuser, deactivated
const EVERYONE: Statuses = [200, 200, 200, 200, 200, 200, 200, 401]
const SEES_IT: Statuses = [404, 200, 200, 404, 200, 200, 200, 401]

/** A visitor goes by an address; by itself it opens nothing. */
const nameVisitor = ({ role }: Scene): Record<string, string> =>
  role === 'visitor' ? { email: 'visitor@example.org' } : {}

export const TICKET_ROWS: RoleRow[] = [
  ...listRows(tickets.listTickets, { '': EVERYONE }, (scene) => ({ query: nameVisitor(scene) })),
  ...listRows(tickets.countTickets, { '': EVERYONE }, (scene) => ({ query: nameVisitor(scene) })),
  ...listRows(tickets.createTicket, { '': [201, 201, 201, 201, 403, 403, 403, 401] }, ({ role, unique }) => ({
    query: role === 'visitor' ? { email: `visitor${unique}@example.org` } : {},
    body: { title: 'Lost seal' },
  })),
  ...listRows(
    tickets.showTicket,
    { 'not answered': SEES_IT, 'answered by another': SEES_IT, closed: SEES_IT },
    async (scene, state) => ({ params: { id: await plantTicket(scene, state) }, query: nameVisitor(scene) }),
  ),
  ...listRows(
    tickets.markTicketRead,
    { 'not answered': SEES_IT, 'answered by another': SEES_IT, closed: SEES_IT },
    async (scene, state) => ({
      params: { id: await plantTicket(scene, state) },
      query: nameVisitor(scene),
      body: { seen: 1 },
    }),
  ),
  ...listRows(
    tickets.changeTicket,
    {
      'not answered': [401, 403, 403, 404, 403, 403, 200, 401],
      'answered by oneself': [401, 403, 403, 404, 200, 200, 200, 401],
      'answered by another': [401, 403, 403, 404, 403, 403, 200, 401],
      closed: [401, 403, 403, 404, 403, 403, 200, 401],
    },
    async (scene, state) => ({ params: { id: await plantTicket(scene, state) }, body: { is_locked: true } }),
  ),
  ...listRows(
    tickets.listMessages,
    { 'not answered': SEES_IT, 'answered by another': SEES_IT, closed: SEES_IT },
    async (scene, state) => ({ query: { ...nameVisitor(scene), ticket_id: await plantTicket(scene, state) } }),
  ),
  ...listRows(
    tickets.createMessage,
    {
      'not answered': [404, 201, 201, 404, 201, 201, 201, 401],
      'answered by oneself': [404, 201, 201, 404, 201, 201, 201, 401],
      'answered by another': [404, 201, 201, 404, 403, 403, 201, 401],
      closed: [404, 409, 409, 404, 403, 403, 409, 401],
    },
    async (scene, state) => ({
      query: nameVisitor(scene),
      body: { text: 'Hello', ticket: await plantTicket(scene, state) },
    }),
  ),
  ...listRows(tickets.requestTicketLink, { '': [200, 200, 200, 200, 200, 200, 200, 200] }, ({ unique }) => ({
    body: { email: `nobody${unique}@example.org` },
  })),
  ...listRows(tickets.openTicketSession, { 'no such link': [400, 400, 400, 400, 400, 400, 400, 400] }, () => ({
    body: { token: 'x'.repeat(43) },
  })),
  ...listRows(tickets.closeTicketSession, { '': [204, 204, 204, 204, 204, 204, 204, 204] }, () => ({})),
]
