import { listCollections } from '@proofdesk/contract/collections'
import type { Viewer } from '@proofdesk/contract/permissions'
import { isStaffDesk } from '@proofdesk/contract/role-views'
import type { Sent } from '@proofdesk/contract/route'
import { CollectionStatus, tileParameters } from '@proofdesk/contract/status'
import type { ListAddress } from '../../lib/use-list-address.ts'

type ListQuery = Sent<typeof listCollections, 'query'>

/** What the list shows; it lives in the address, so that reloading and going back find it again. */
export interface ListState {
  /** Undefined for all. */
  status: CollectionStatus | undefined
  search: string
  /** Counts from 1. */
  page: number
  /** Undefined for the newest first. */
  ordering: ListQuery['ordering']
}

/** Stands in the address for all where a status is shown as usual. */
const ALL = 'all'

/** Whatever in the address means nothing is taken as not given. @param usual Status that is shown when none is given. */
export function readListState(address: URLSearchParams, usual?: CollectionStatus): ListState {
  const { page, ordering } = listCollections.query.shape
  const status = address.get('status')
  return {
    status: status === ALL ? undefined : (CollectionStatus.safeParse(status).data ?? usual),
    search: address.get('search') ?? '',
    page: page.safeParse(address.get('page') ?? undefined).data ?? 1,
    ordering: ordering.safeParse(address.get('ordering')).data,
  }
}

/** The address of a state; what is as usual is left out. */
export function writeListState(
  { status, search, page, ordering }: ListState,
  usual?: CollectionStatus,
): URLSearchParams {
  const address = new URLSearchParams()
  if (status !== usual) address.set('status', status ?? ALL)
  if (search) address.set('search', search)
  if (ordering) address.set('ordering', ordering)
  if (page > 1) address.set('page', String(page))
  return address
}

const LIST_ADDRESS: ListAddress<ListState> = {
  read: (address) => readListState(address),
  write: (state) => writeListState(state),
}
const STAFF_LIST_ADDRESS: ListAddress<ListState> = {
  read: (address) => readListState(address, 'in_progress'),
  write: (state) => writeListState(state, 'in_progress'),
}

/** Staff come for what waits; what was not sent yet is none of their work. */
export function listAddressFor(viewer: Viewer): ListAddress<ListState> {
  return isStaffDesk(viewer) ? STAFF_LIST_ADDRESS : LIST_ADDRESS
}

/** Whether it is what waits that is shown, as usual, and nothing was searched there. */
export function showsWaiting({ search, status }: ListState, viewer: Viewer): boolean {
  return isStaffDesk(viewer) && status === 'in_progress' && search === ''
}

/** What is asked of the server: a tile sends the specification's parameters and its status beside them. */
export function toListQuery({ status, search, page, ordering }: ListState): ListQuery {
  return {
    page: String(page),
    ...(status && { ...tileParameters(status), status }),
    ...(search.trim() && { search: search.trim() }),
    ...(ordering && { ordering }),
  }
}
