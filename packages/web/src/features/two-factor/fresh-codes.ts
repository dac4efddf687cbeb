import { askBeforeLogout } from '../../lib/leave-questions.ts'
import { readPersonId, watchPerson } from '../../lib/session.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm } from '../../ui/ask.ts'

/**
 * Recovery codes on their way to the profile. They live in memory alone, until the person has put them away:
 * history and storage would keep them.
 */
const codes = createStore<readonly string[] | undefined>(undefined)

/** Whether leaving would lose them: they are neither copied nor saved, and nobody said that they are kept. */
const areUnkept = createStore(false)

let stopAsking: (() => void) | undefined
areUnkept.watch(() => {
  stopAsking?.()
  stopAsking = areUnkept.read() ? askBeforeLoss() : undefined
})

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

/** @param personId Whose they are: an answer may come when somebody else has signed in here. */
export function showFreshCodes(fresh: readonly string[], personId: number | undefined): void {
  if (personId !== readPersonId()) return
  codes.write(fresh)
  areUnkept.write(fresh.length > 0)
}

/** They are somewhere else, too: whoever leaves now loses nothing. */
export function noteFreshCodesKept(): void {
  areUnkept.write(false)
}

export function forgetFreshCodes(): void {
  codes.write(undefined)
  areUnkept.write(false)
}

export function useFreshCodes(): readonly string[] | undefined {
  return useStore(codes)
}

// They are one person's: nobody else who signs in in this tab sees them.
watchPerson(forgetFreshCodes)
