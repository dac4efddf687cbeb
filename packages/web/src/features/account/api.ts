import { changePassword, showProfile, updateProfile, type Profile } from '@proofdesk/contract/account'
import { listIdentities, unlinkIdentity } from '@proofdesk/contract/provider-login'
import type { Sent } from '@proofdesk/contract/route'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
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
    onSuccess: (profile) => void queryClient.setQueryData(QUERY_KEYS.profile, keepSession(profile)),
  })
}

export function useChangePassword() {
  return useMutation({
    mutationFn: (body: Sent<typeof changePassword, 'body'>) => call(changePassword, { body }),
  })
}

export function useIdentities() {
  return useQuery({
    queryKey: QUERY_KEYS.identities,
    queryFn: ({ signal }) => call(listIdentities, {}, { signal }),
  })
}

export function useUnlinkIdentity() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(unlinkIdentity, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: QUERY_KEYS.identities }),
  })
}

/** A changed e-mail is unverified in the session too (specification section 4). */
function keepSession(profile: Profile): Profile {
  changeUser({ email: profile.email, is_email_verified: profile.is_email_verified })
  return profile
}
