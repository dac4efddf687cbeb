import { forgetPerson, readRefresh, readSession, REFRESH_KEY, setSession } from './session.ts'

/** Tries the stored refresh token, then loads the person. Run once when the page loads, and to retry. */
export async function restoreSession(): Promise<void> {
  if (readRefresh() === null) return setSession({ phase: 'signed-out' })
  setSession({ phase: 'checking' })
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

// Another tab signed out (or cleared everything), or signed in.
addEventListener('storage', ({ key }) => {
  if (key !== null && key !== REFRESH_KEY) return
  const isStored = readRefresh() !== null
  const session = readSession()
  if (!isStored && session.phase !== 'signed-out') forgetPerson()
  if (isStored && session.phase === 'signed-out') void restoreSession()
  if (isStored && session.phase === 'signed-in' && session.hasEnded) void resumeSession()
})
