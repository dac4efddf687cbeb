import { useNavigate } from 'react-router'
import { PATHS } from '../lib/paths.ts'
import { endSession, signOutOnServer } from '../lib/session.ts'
import { useBusy } from '../lib/use-busy.ts'
import { m } from '../paraglide/messages.js'
import { Button } from '../ui/button.tsx'

/** If the call fails the session stays, and the failure is only logged (specification section 4). */
export function LogoutButton() {
  const navigate = useNavigate()
  const [busy, run] = useBusy()

  async function logOut() {
    try {
      await signOutOnServer()
    } catch (error) {
      console.error('Logout failed', error)
      return
    }
    // First to a screen that everyone may see: otherwise the guard would lead to the sign-in.
    await navigate(PATHS.home)
    endSession()
  }

  return (
    <Button kind="danger" busy={busy} onClick={() => void run(logOut)}>
      {m.nav_logout()}
    </Button>
  )
}
