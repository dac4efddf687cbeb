import { useEffect } from 'react'
import { Navigate } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { m } from '../paraglide/messages.js'
import { LoadingArea } from '../ui/spinner.tsx'
import { showToast } from '../ui/toast.ts'

/** On the way to the dashboard; why is said in a message, which stays in sight there. */
export function NotAllowed() {
  useEffect(() => {
    showToast(m.users_forbidden(), 'error')
  }, [])
  return (
    <>
      <LoadingArea />
      <Navigate to={PATHS.dashboard} replace />
    </>
  )
}
