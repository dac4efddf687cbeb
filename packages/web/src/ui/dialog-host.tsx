import { AlertDialog } from '@base-ui/react/alert-dialog'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { useLayer } from '../lib/layers.ts'
import { m } from '../paraglide/messages.js'
import { useAsked, type Asked, type Notice } from './ask.ts'
import { Button } from './button.tsx'
import { POPUP, TITLE } from './dialog-window.tsx'
import { DialogActions } from './dialog.tsx'
import { LeadBack } from './lead-back.ts'
import { Lines } from './lines.tsx'

/** Shows what `askConfirm` and `showNotice` put. Stands once, at the top of the app. */
export default function DialogHost() {
  const asked = useAsked()
  return asked ? <AskedDialog key={asked.id} asked={asked} /> : null
}

function AskedDialog({ asked }: { asked: Asked }) {
  useLayer(true, () => asked.answer(false))
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && asked.answer(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="scrim z-60" />
        <AlertDialog.Popup className={`${POPUP} z-70`}>
          <LeadBack />
          <div className="flex gap-3">
            {asked.kind === 'notice' && <NoticeIcon tone={asked.tone} />}
            <div className="min-w-0 wrap-anywhere">
              <AlertDialog.Title className={TITLE}>{asked.title}</AlertDialog.Title>
              {asked.text && (
                <AlertDialog.Description className="mt-2 text-ink-2">
                  <Lines text={asked.text} />
                </AlertDialog.Description>
              )}
            </div>
          </div>
          {asked.kind === 'question' ? (
            <DialogActions>
              <Button onClick={() => asked.answer(false)}>{m.cancel()}</Button>
              <Button kind={asked.danger ? 'danger' : 'brand'} onClick={() => asked.answer(true)}>
                {asked.action}
              </Button>
            </DialogActions>
          ) : (
            <NoticeEnd notice={asked} />
          )}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

function NoticeIcon({ tone }: { tone: Notice['tone'] }) {
  const Icon = tone === 'error' ? CircleAlert : CircleCheck
  const look = tone === 'error' ? 'bg-seal-wash text-seal' : 'bg-ok-wash text-ok'
  return (
    <span aria-hidden className={`flex size-9 shrink-0 items-center justify-center rounded-full ${look}`}>
      <Icon size={19} />
    </span>
  )
}

function NoticeEnd({ notice }: { notice: Notice }) {
  useEffect(() => {
    if (notice.closeAfterMs === undefined) return
    const timer = setTimeout(() => notice.answer(true), notice.closeAfterMs)
    return () => clearTimeout(timer)
  }, [notice])
  return (
    <DialogActions>
      <Button kind="brand" onClick={() => notice.answer(true)}>
        {m.ok()}
      </Button>
    </DialogActions>
  )
}
