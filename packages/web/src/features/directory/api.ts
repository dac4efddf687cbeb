import type { PageOf } from '@proofdesk/contract/paging'
import {
  endSessionsOfPerson,
  listUsers,
  setUserFlag,
  showPerson,
  type ManagedUser,
  type UserFlagChange,
} from '@proofdesk/contract/directory'
import { UserInfo } from '@proofdesk/contract/users'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { tellChange } from '../../lib/session-calls.ts'
import { changeUser, readPersonId } from '../../lib/session.ts'
import { readCount } from '../../lib/read-count.ts'
import { useSingleMutation } from '../../lib/use-single-mutation.ts'
import { toGroupQuery, toUserQuery, type UserGroup, type UserListState } from './list-state.ts'

/** What a row of the list tells of a person: nothing of their mail. */
const TOLD_OF_ALL = UserInfo.omit({ mail_refusal: true })

const LIST_KEY = [...QUERY_KEYS.users, 'list']
const PERSON_KEY = [...QUERY_KEYS.users, 'person']
const TOTAL_KEY = [...QUERY_KEYS.users, 'total']

/** A page of accounts; the one before it stays until the new one has come. */
export function useUsers(state: UserListState) {
  const query = toUserQuery(state)
  return useQuery({
    queryKey: [...LIST_KEY, query],
    queryFn: ({ signal }) => call(listUsers, { query }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** How many a tile holds: undefined while they are counted, null when that failed. */
export function useUserTotal(group: UserGroup): number | null | undefined {
  const total = useQuery({
    queryKey: [...TOTAL_KEY, group],
    queryFn: async ({ signal }) => (await call(listUsers, { query: toGroupQuery(group) }, { signal })).count,
  })
  return readCount(total)
}

/** Sets one flag of an account. Its row stays where it is, so that a slip can be taken back. */
export function useSetUserFlag(id: number) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: ({ flag, value }: UserFlagChange) => call(setUserFlag, { params: { id }, body: { [flag]: value } }),
    onSuccess: (changed) => {
      queryClient.setQueriesData<PageOf<ManagedUser>>({ queryKey: LIST_KEY }, (page) => page && putRow(page, changed))
      void queryClient.invalidateQueries({ queryKey: TOTAL_KEY })
      void queryClient.invalidateQueries({ queryKey: [...PERSON_KEY, id] })
      if (!followOwnChange(changed)) return
      tellChange()
      void queryClient.invalidateQueries({ queryKey: LIST_KEY })
    },
    // What is shown was out of date, or one's own rights have changed.
    onError: () => queryClient.invalidateQueries({ queryKey: QUERY_KEYS.users }),
  })
}

/** One person, for superusers. */
export function usePerson(id: number) {
  return useQuery({
    queryKey: [...PERSON_KEY, id],
    queryFn: ({ signal }) => call(showPerson, { params: { id } }, { signal }),
  })
}

export function useEndSessionsOfPerson(id: number) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: () => call(endSessionsOfPerson, { params: { id }, body: {} }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [...PERSON_KEY, id] }),
  })
}

function putRow(page: PageOf<ManagedUser>, changed: ManagedUser): PageOf<ManagedUser> {
  return { ...page, results: page.results.map((user) => (user.id === changed.id ? changed : user)) }
}

/** Whoever changes a flag of their own gets the menus that belong to it. @returns whether it was their own */
function followOwnChange(changed: ManagedUser): boolean {
  const isOwn = readPersonId() === changed.id
  if (isOwn) changeUser(TOLD_OF_ALL.parse(changed))
  return isOwn
}
