import { askBeforeLogout } from '../../lib/leave-questions.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm } from '../../ui/ask.ts'
import { FRESH_CODES } from './fresh-codes.ts'

// Apart from the codes themselves: this comes with the profile alone, which shows them.

/** Those that are somewhere else, too: whoever leaves loses nothing of them. */
let kept: readonly string[] | undefined
let stopAsking: (() => void) | undefined

/** They were copied or saved, and are still shown. */
export function noteCodesKept(): void {
  kept = FRESH_CODES.read()
  askWhileUnkept()
}

function askWhileUnkept(): void {
  stopAsking?.()
  const codes = FRESH_CODES.read()
  stopAsking = codes && codes !== kept ? askBeforeLoss() : undefined
}

/** @returns what ends it */
function askBeforeLoss(): () => void {
  const hold = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', hold)
  const stop = askBeforeLogout(() =>
    askConfirm({ title: m.are_you_sure(), text: m.recovery_unkept(), action: m.nav_logout(), danger: true }),
  )
  return () => {
    removeEventListener('beforeunload', hold)
    stop()
  }
}

FRESH_CODES.watch(askWhileUnkept)
askWhileUnkept()
