/** The question who somebody is, put by the call layer and answered by the dialog of `features/auth`. */

let asked: { settle: (isConfirmed: boolean) => void; answer: Promise<boolean> } | undefined
const listeners = new Set<() => void>()

/**
 * Has the person show once more who they are; several calls at the same time ask once between them.
 * @returns false when they would rather not
 */
export function askIdentity(): Promise<boolean> {
  if (asked) return asked.answer
  let settle = (_isConfirmed: boolean) => {}
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  asked = { settle, answer }
  tell()
  return answer
}

export function isIdentityAsked(): boolean {
  return asked !== undefined
}

export function watchIdentity(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function answerIdentity(isConfirmed: boolean): void {
  asked?.settle(isConfirmed)
  asked = undefined
  tell()
}

function tell(): void {
  for (const listener of listeners) listener()
}
