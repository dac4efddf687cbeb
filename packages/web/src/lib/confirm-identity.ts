import { watchPerson } from './session.ts'
import { createStore, useStore } from './store.ts'

/** The question who somebody is, put by the call layer and answered by the dialog of `features/auth`. */
const asked = createStore<{ settle: (isConfirmed: boolean) => void; answer: Promise<boolean> } | undefined>(undefined)

/**
 * Has the person show once more who they are; several calls at the same time ask once between them.
 * @returns false when they would rather not
 */
export function askIdentity(): Promise<boolean> {
  const before = asked.read()
  if (before) return before.answer
  let settle = (_isConfirmed: boolean) => {}
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  asked.write({ settle, answer })
  return answer
}

export function useIdentityAsked(): boolean {
  return useStore(asked) !== undefined
}

export function answerIdentity(isConfirmed: boolean): void {
  asked.read()?.settle(isConfirmed)
  asked.write(undefined)
}

// Whoever comes next must not allow with their own password what the one before has asked for.
watchPerson(() => answerIdentity(false))
