import { logIn } from '@proofdesk/contract/auth'
import { finishProviderLogin } from '@proofdesk/contract/provider-login'
import { verifyCode } from '@proofdesk/contract/two-factor'
import { UserInfo } from '@proofdesk/contract/users'
import { call } from '../../lib/call.ts'
import { startSession } from '../../lib/session.ts'

export interface Credentials {
  username: string
  password: string
}

/** What the code step needs to know of the password step. */
export interface CodeRequest {
  userId: number
  challenge: string | undefined
}

/**
 * The password step. Starts the session, or with two-factor on says what the code step goes on with.
 * @throws ApiError, NetworkError
 */
export async function signIn(credentials: Credentials): Promise<CodeRequest | undefined> {
  const { access, refresh, ...answer } = await call(logIn, { body: credentials })
  if (access === null || refresh === null) {
    return { userId: answer.user_id, challenge: answer.challenge ?? undefined }
  }
  startSession({ access, refresh }, UserInfo.parse(answer))
  return undefined
}

/** The last step of signing in by a provider; otherwise as `signIn`. @throws ApiError, NetworkError */
export async function signInWithProviderCode(code: string): Promise<CodeRequest | undefined> {
  const { token, payload, user_id, challenge } = await call(finishProviderLogin, { body: { code } })
  const { access, refresh } = token
  if (access === null || refresh === null) return { userId: user_id, challenge: challenge ?? undefined }
  startSession({ access, refresh }, payload)
  return undefined
}

/** The code step. @throws ApiError, NetworkError */
export async function signInWithCode({ userId, challenge }: CodeRequest, otp: string): Promise<void> {
  const { access, refresh, ...answer } = await call(verifyCode, { body: { user_id: userId, otp, challenge } })
  startSession({ access, refresh }, UserInfo.parse(answer))
}
