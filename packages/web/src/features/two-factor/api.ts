import { beginSetup, setTwoFactor } from '@proofdesk/contract/two-factor'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { setTwoFactorDemanded } from '../../lib/second-factor.ts'

/** The pending secret. Asked for once each time the screen opens, and kept nowhere afterwards. */
export function useTwoFactorSetup() {
  return useQuery({
    queryKey: QUERY_KEYS.twoFactorSetup,
    queryFn: ({ signal }) => call(beginSetup, {}, { signal }),
    staleTime: Infinity,
    gcTime: 0,
  })
}

export function useEnableTwoFactor() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (otp: string) => call(setTwoFactor, { body: { gfa_is_enabled: true, otp } }),
    onSuccess: () => {
      setTwoFactorDemanded(false)
      // It ends all other sessions.
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.sessions })
      return queryClient.invalidateQueries({ queryKey: QUERY_KEYS.profile })
    },
  })
}
