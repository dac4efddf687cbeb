import { showInstance } from '@proofdesk/contract/auth'
import type { Provider } from '@proofdesk/contract/provider-login'
import { useEffect, useState } from 'react'
import { call } from '../../lib/call.ts'

/** The identity providers of this installation; none until they are known, and when they cannot be asked for. */
export function useProviders(): readonly Provider[] {
  const [providers, setProviders] = useState<readonly Provider[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    async function load() {
      try {
        setProviders((await call(showInstance, {}, { signal: leaving.signal })).providers)
      } catch (error) {
        // Username and password are still there.
        if (!leaving.signal.aborted) console.error('The identity providers could not be loaded', error)
      }
    }
    void load()
    return () => leaving.abort()
  }, [])
  return providers
}
