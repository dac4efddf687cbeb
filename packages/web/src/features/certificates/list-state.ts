import { listServerContents } from '@proofdesk/contract/certificates'
import type { ListAddress } from '../../lib/use-list-address.ts'

/** What the list shows; it lives in the address. */
export interface ServerContentListState {
  search: string
  /** Counts from 1. */
  page: number
}

export const SERVER_CONTENT_ADDRESS: ListAddress<ServerContentListState> = {
  read: (address) => ({
    search: address.get('search') ?? '',
    page: listServerContents.query.shape.page.safeParse(address.get('page') ?? undefined).data ?? 1,
  }),
  write: ({ search, page }) => {
    const address = new URLSearchParams()
    if (search) address.set('search', search)
    if (page > 1) address.set('page', String(page))
    return address
  },
}
