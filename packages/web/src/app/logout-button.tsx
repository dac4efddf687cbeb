import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { wordsOf } from '../lib/error-words.ts'
import { agreesToLogout } from '../lib/leave-questions.ts'
import { isUploading, stopUploads } from '../lib/pending-uploads.ts'
import { PATHS } from '../lib/paths.ts'
import { endSession } from '../lib/session.ts'
import { isSomethingUnsaved } from '../lib/unsaved.ts'
import { signOutOnServer } from '../lib/session-calls.ts'
import { useBusy } from '../lib/use-busy.ts'
import { m } from '../paraglide/messages.js'
import { askConfirm } from '../ui/ask.ts'
import { Button } from '../ui/button.tsx'
import { showToast } from '../ui/toast.ts'

const askAbout = (text: string) => askConfirm({ title: m.are_you_sure(), text, action: m.nav_logout(), danger: true })

/** If the call fails the session stays (specification section 4): whoever has pressed it is told that they are still signed in. */
export function LogoutButton() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [isLeaving, setIsLeaving] = useState(false)
  const [busy, run] = useBusy()

  async function logOut() {
    if (isUploading() && !(await askAbout(m.logout_uploading()))) return
    if (isSomethingUnsaved() && !(await askAbout(m.logout_unsaved()))) return
    if (!(await agreesToLogout())) return
    try {
      await signOutOnServer()
      stopUploads()
      setIsLeaving(true)
      await navigate(PATHS.home)
    } catch (error) {
      console.error('Logout failed', error)
      showToast(wordsOf(error, m.logout_failed()), 'error')
    }
  }

  // Only once on the landing page: on a guarded one the guard would lead to the sign-in instead.
  useEffect(() => {
    if (isLeaving && pathname === PATHS.home) endSession()
  }, [isLeaving, pathname])

  return (
    <Button kind="danger" busy={busy} onClick={() => void run(logOut)}>
      {m.nav_logout()}
    </Button>
  )
}
