import { forgetPerson, isOthersTurn, readRefresh, readSession, REFRESH_KEY, setSession } from './session.ts'
import { TURN_KEY } from './token-turn.ts'

/** Tries the stored refresh token, then loads the person. Run once when the page loads, and to retry. */
export async function restoreSession(): Promise<void> {
  if (readRefresh() === null) return setSession({ phase: 'signed-out' })
  // Whoever tries again from there stays at the button until something is known.
  if (readSession().phase !== 'unreachable') setSession({ phase: 'checking' })
  try {
    const { restoreFromServer } = await import('./session-calls.ts')
    await restoreFromServer()
  } catch (error) {
    console.error('The session could not be restored', error)
    if (readRefresh() !== null) setSession({ phase: 'unreachable' })
  }
}

/** Another tab has signed in again: the screen that waits for it here goes on. */
async function resumeSession(): Promise<void> {
  try {
    const { restoreFromServer } = await import('./session-calls.ts')
    await restoreFromServer()
  } catch (error) {
    console.error('The session of another tab could not be taken up', error)
  }
}

/**
 * Where somebody else has signed in, in another tab, this one forgets whom it shows and becomes theirs.
 * @param turn As `isOthersTurn` takes it.
 * @returns whether it was so
 */
export function followOtherPerson(turn?: string): boolean {
  if (!isOthersTurn(turn)) return false
  forgetPerson()
  void restoreSession()
  return true
}

// Another tab signed out (or cleared everything), or signed in.
addEventListener('storage', ({ key }) => {
  if (key !== null && key !== REFRESH_KEY && key !== TURN_KEY) return
  const isStored = readRefresh() !== null
  if (isStored && followOtherPerson()) return
  const session = readSession()
  if (!isStored && session.phase !== 'signed-out') forgetPerson()
  if (isStored && session.phase === 'signed-out') void restoreSession()
  if (isStored && session.phase === 'signed-in' && session.hasEnded) void resumeSession()
})
