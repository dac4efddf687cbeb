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

// Another tab signed out (or cleared everything), or signed in.
addEventListener('storage', ({ key }) => {
  if (key !== null && key !== REFRESH_KEY) return
  const isStored = readRefresh() !== null
  const { phase } = readSession()
  if (!isStored && phase !== 'signed-out') forgetPerson()
  if (isStored && phase === 'signed-out') void restoreSession()
})
