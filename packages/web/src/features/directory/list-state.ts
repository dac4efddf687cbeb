import type { Sent } from '@proofdesk/contract/route'
import { listUsers } from '@proofdesk/contract/directory'
import type { ListAddress } from '../../lib/use-list-address.ts'

type ListQuery = Sent<typeof listUsers, 'query'>

/** The filter tiles; `all` is as usual. */
export const USER_GROUPS = ['admin', 'staff', 'all'] as const
export type UserGroup = (typeof USER_GROUPS)[number]

/** What the list shows; it lives in the address. */
export interface UserListState {
  group: UserGroup
  search: string
  /** Counts from 1. */
  page: number
  /** Undefined for the newest first. */
  ordering: ListQuery['ordering']
}

export const USER_LIST_ADDRESS: ListAddress<UserListState> = {
  read: (address) => {
    const { page, ordering } = listUsers.query.shape
    return {
      group: USER_GROUPS.find((group) => group === address.get('show')) ?? 'all',
      search: address.get('search') ?? '',
      page: page.safeParse(address.get('page') ?? undefined).data ?? 1,
      ordering: ordering.safeParse(address.get('ordering')).data,
    }
  },
  write: ({ group, search, page, ordering }) => {
    const address = new URLSearchParams()
    if (group !== 'all') address.set('show', group)
    if (search) address.set('search', search)
    if (ordering) address.set('ordering', ordering)
    if (page > 1) address.set('page', String(page))
    return address
  },
}

/** What a tile asks of the server. */
export function toGroupQuery(group: UserGroup): ListQuery {
  switch (group) {
    case 'admin':
      return { is_admin: 'true' }
    case 'staff':
      return { is_staff: 'true' }
    case 'all':
      return {}
  }
}

export function toUserQuery({ group, search, page, ordering }: UserListState): ListQuery {
  return {
    page: String(page),
    ...toGroupQuery(group),
    ...(search.trim() && { search: search.trim() }),
    ...(ordering && { ordering }),
  }
}
