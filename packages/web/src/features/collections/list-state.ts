import { listCollections } from '@proofdesk/contract/collections'
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

/** Whatever in the address means nothing is taken as not given. */
export function readListState(address: URLSearchParams): ListState {
  const { page, ordering } = listCollections.query.shape
  return {
    status: CollectionStatus.safeParse(address.get('status')).data,
    search: address.get('search') ?? '',
    page: page.safeParse(address.get('page') ?? undefined).data ?? 1,
    ordering: ordering.safeParse(address.get('ordering')).data,
  }
}

/** The address of a state; what is as usual is left out. */
export function writeListState({ status, search, page, ordering }: ListState): URLSearchParams {
  const address = new URLSearchParams()
  if (status) address.set('status', status)
  if (search) address.set('search', search)
  if (ordering) address.set('ordering', ordering)
  if (page > 1) address.set('page', String(page))
  return address
}

export const LIST_ADDRESS: ListAddress<ListState> = { read: readListState, write: writeListState }

/** What is asked of the server: a tile sends the specification's parameters and its status beside them. */
export function toListQuery({ status, search, page, ordering }: ListState): ListQuery {
  return {
    page: String(page),
    ...(status && { ...tileParameters(status), status }),
    ...(search.trim() && { search: search.trim() }),
    ...(ordering && { ordering }),
  }
}
