import { readAccess, readLeaving, readSession, suspendSession, watchSession } from './session.ts'

/**
 * The session has ended in the middle of work: has the person asked to sign in over the screen as it stands.
 * @param refusal The server's verdict.
 * @returns the access token of their new session, for the call that waited.
 * @throws the refusal where nobody was signed in or they are logging out, they would rather leave, or somebody else signs in.
 */
export function waitForSignIn(refusal: unknown): Promise<string> {
  const before = readSession()
  if (before.phase !== 'signed-in' || readLeaving()) return Promise.reject(refusal)
  suspendSession()
  return new Promise((resolve, reject) => {
    const stop = watchSession(() => {
      const session = readSession()
      if (session.phase === 'signed-in' && session.hasEnded) return
      stop()
      const access = readAccess()
      const isBack = session.phase === 'signed-in' && session.user.id === before.user.id
      if (isBack && access !== null) resolve(access)
      else reject(refusal)
    })
  })
}
