import type { Sent } from '@proofdesk/contract/route'
import { ticketTileParameters, TicketStatus, type TicketFace } from '@proofdesk/contract/status'
import { listTickets } from '@proofdesk/contract/tickets'

type ListQuery = Sent<typeof listTickets, 'query'>

/** What the list shows; it lives in the address, so that reloading and going back find it again. */
export interface ListState {
  /** Undefined for all. */
  face: TicketFace | undefined
  search: string
  /** Counts from 1. */
  page: number
  /** Undefined for the newest first. */
  ordering: ListQuery['ordering']
}

/** Whatever in the address means nothing is taken as not given. */
export function readListState(address: URLSearchParams): ListState {
  const { page, ordering } = listTickets.query.shape
  const face = address.get('status')
  return {
    face: face === 'CLOSED' ? face : TicketStatus.safeParse(face).data,
    search: address.get('search') ?? '',
    page: page.safeParse(address.get('page') ?? undefined).data ?? 1,
    ordering: ordering.safeParse(address.get('ordering') ?? undefined).data,
  }
}

/** The address of a state; what is as usual is left out. */
export function writeListState({ face, search, page, ordering }: ListState): URLSearchParams {
  const address = new URLSearchParams()
  if (face) address.set('status', face)
  if (search) address.set('search', search)
  if (ordering) address.set('ordering', ordering)
  if (page > 1) address.set('page', String(page))
  return address
}

/** What is asked of the server. */
export function toListQuery({ face, search, page, ordering }: ListState): ListQuery {
  return {
    page: String(page),
    ...(face && ticketTileParameters(face)),
    ...(search.trim() && { search: search.trim() }),
    ...(ordering && { ordering }),
  }
}
