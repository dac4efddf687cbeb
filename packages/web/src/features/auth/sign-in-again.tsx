import { useLocation } from 'react-router'
import { endSession } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { LoginForm } from './login-form.tsx'
import { ProviderLogin } from './provider-login.tsx'

/** Over the screen of a person whose session has ended. It closes by a decision alone, so that no key loses the screen. */
export default function SignInAgain({ username }: { username: string }) {
  const { pathname, search, hash } = useLocation()
  return (
    <Dialog open onClose={() => {}} title={m.session_ended_title()} description={m.session_ended_in_place()}>
      <div className="mt-5 grid gap-5">
        <LoginForm username={username} startsAtPassword />
        <ProviderLogin from={pathname + search + hash} say={m.provider_login_leave} />
      </div>
      <DialogActions>
        <Button kind="quiet" onClick={() => endSession()}>
          {m.session_ended_leave()}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
