import { changePassword, showProfile, updateProfile, type Profile } from '@proofdesk/contract/account'
import { showInstance } from '@proofdesk/contract/auth'
import {
  linkIdentity,
  listIdentities,
  unlinkIdentity,
  type Identity,
  type Provider,
} from '@proofdesk/contract/provider-login'
import type { Sent } from '@proofdesk/contract/route'
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { keepAnswer } from '../../lib/keep-answer.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { tellChange } from '../../lib/session-calls.ts'
import { changeUser } from '../../lib/session.ts'

export function useProfile() {
  return useQuery({
    queryKey: QUERY_KEYS.profile,
    queryFn: async ({ signal }) => keepSession(await call(showProfile, {}, { signal })),
  })
}

export function useUpdateProfile() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Sent<typeof updateProfile, 'body'>) => call(updateProfile, { body }),
    onSuccess: (profile) => {
      void keepAnswer(queryClient, QUERY_KEYS.profile, keepSession(profile))
      tellChange()
      // Another address ends all other sessions.
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.sessions })
    },
  })
}

export function useChangePassword() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Sent<typeof changePassword, 'body'>) => call(changePassword, { body }),
    // It ends all other sessions.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.sessions }),
  })
}

/** A provider that one can sign in by, or that one is linked with; at least one of the two is there. */
export interface ProviderLink {
  name: string
  /** Undefined: the operator has taken it away since. */
  provider?: Provider
  identity?: Identity
}

/** Those that this installation offers come first. */
export function useProviderLinks() {
  const instance = useQuery({
    queryKey: QUERY_KEYS.instance,
    queryFn: ({ signal }) => call(showInstance, {}, { signal }),
    staleTime: Infinity,
    select: ({ providers }) => providers,
  })
  const identities = useQuery({
    queryKey: QUERY_KEYS.identities,
    queryFn: ({ signal }) => call(listIdentities, {}, { signal }),
    select: ({ results }) => results,
  })
  return {
    links: instance.data && identities.data && joinLinks(instance.data, identities.data),
    error: instance.error ?? identities.error,
    isFetching: instance.isFetching || identities.isFetching,
    retry: () => void Promise.all([instance, identities].map(({ refetch }) => refetch())),
  }
}

function joinLinks(offered: readonly Provider[], identities: readonly Identity[]): ProviderLink[] {
  return [
    ...offered.map((provider) => {
      const identity = identities.find((one) => one.is_offered && one.provider === provider.id)
      return { name: provider.name, provider, ...(identity && { identity }) }
    }),
    ...identities.filter((one) => !one.is_offered).map((identity) => ({ name: identity.name, identity })),
  ]
}

/** Both end all other sessions. */
export function useLinkIdentity() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => call(linkIdentity, { body: { code } }),
    onSuccess: () => reloadLinks(queryClient),
  })
}

export function useUnlinkIdentity() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(unlinkIdentity, { params: { id } }),
    onSuccess: () => reloadLinks(queryClient),
  })
}

function reloadLinks(queryClient: QueryClient): Promise<unknown> {
  const keys = [QUERY_KEYS.identities, QUERY_KEYS.sessions]
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** A changed e-mail is unverified in the session too (specification section 4). */
function keepSession(profile: Profile): Profile {
  changeUser({ email: profile.email, is_email_verified: profile.is_email_verified })
  return profile
}
