import { TOAST_MS } from '@proofdesk/contract/limits'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Slide, ToastContainer, type CloseButtonProps, type IconProps } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import { m } from '../paraglide/messages.js'
import './toast.css'

/** Where toasts appear: top right under the top bar; Alt+T moves the focus there. */
export function ToastHost() {
  return (
    <ToastContainer
      position="top-right"
      autoClose={TOAST_MS}
      transition={Slide}
      aria-label={m.toast_label()}
      icon={ToastIcon}
      closeButton={ToastCloseButton}
    />
  )
}

function ToastIcon({ type }: IconProps) {
  const Icon = type === 'error' ? CircleAlert : CircleCheck
  return <Icon aria-hidden size={19} className={type === 'error' ? 'text-seal' : 'text-ok'} />
}

function ToastCloseButton({ closeToast }: CloseButtonProps) {
  return (
    <button
      type="button"
      aria-label={m.close()}
      onClick={() => closeToast(true)}
      className="absolute end-2 top-2 flex size-6 items-center justify-center rounded-md text-ink-2 hover:text-ink"
    >
      <X aria-hidden size={15} />
    </button>
  )
}
