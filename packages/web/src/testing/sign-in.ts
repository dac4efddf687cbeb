import { logIn } from '@proofdesk/contract/auth'
import { UserInfo } from '@proofdesk/contract/users'
import { TEST_PASSWORD } from '@proofdesk/server/testing'
import { call } from '../lib/call.ts'
import { startSession } from '../lib/session.ts'

/** Signs in by the real call, without the screen. */
export async function signIn(username: string): Promise<void> {
  const { access, refresh, ...user } = await call(logIn, { body: { username, password: TEST_PASSWORD } })
  if (access === null || refresh === null) throw new Error('No tokens in the answer')
  startSession({ access, refresh }, UserInfo.parse(user))
}
