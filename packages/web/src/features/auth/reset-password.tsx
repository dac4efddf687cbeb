import { Suspense, useState } from 'react'
import { loadLazily } from '../../ui/lazy-code.tsx'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { useLoadedAhead } from '../../ui/use-loaded-ahead.ts'

const loadDialog = () => import('./reset-dialog.tsx')
const ResetDialog = loadLazily(loadDialog)

/** 'Forgot your password? Reset it' and the dialog behind it. The address stays until a mail was asked for. */
export function ResetPassword() {
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  const [email, setEmail] = useState('')
  useLoadedAhead(loadDialog)
  const close = () => setIsOpen(false)

  function open() {
    setIsOpen(true)
    setWasOpened(true)
  }

  async function finish(message: string) {
    close()
    setEmail('')
    await showNotice({ title: m.reset_done_title(), text: message || m.reset_done_text(), tone: 'success' })
  }

  return (
    <p className="text-center text-ink-2">
      {m.reset_question()}{' '}
      <button
        type="button"
        onClick={open}
        className="min-h-6 rounded-sm font-[560] text-brand underline underline-offset-3 hover:decoration-2"
      >
        {m.reset_open()}
      </button>
      <Suspense>
        {wasOpened && (
          <ResetDialog
            open={isOpen}
            email={email}
            onEmail={setEmail}
            onClose={close}
            onDone={(message) => void finish(message)}
          />
        )}
      </Suspense>
    </p>
  )
}
