import { showUser } from '@proofdesk/contract/account'
import { logIn } from '@proofdesk/contract/auth'
import { finishProviderLogin } from '@proofdesk/contract/provider-login'
import { route } from '@proofdesk/contract/route'
import { Tokens } from '@proofdesk/contract/sessions'
import { verifyCode } from '@proofdesk/contract/two-factor'
import { UserInfo } from '@proofdesk/contract/users'
import { z } from 'zod'
import { call } from '../../lib/call.ts'
import { readAnswer, send } from '../../lib/send.ts'
import { startSession } from '../../lib/session.ts'

/**
 * Our server also tells who signed in. The specification's answers hold the tokens, `gfa_is_enabled` and `user_id` alone
 * (section 3), and the web signs in with those as well.
 */
const logInAnywhere = route({
  ...logIn,
  response: z.looseObject({
    access: z.string().nullish(),
    refresh: z.string().nullish(),
    gfa_is_enabled: z.boolean(),
    user_id: z.number(),
    challenge: z.string().nullish(),
  }),
})
const verifyCodeAnywhere = route({ ...verifyCode, response: z.looseObject(Tokens.shape) })

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
  const { access, refresh, ...answer } = await call(logInAnywhere, { body: credentials })
  if (answer.gfa_is_enabled || !access || !refresh) {
    return { userId: answer.user_id, challenge: answer.challenge ?? undefined }
  }
  await startWith({ access, refresh }, answer)
  return undefined
}

/** @param answer What came with the tokens; where it does not say who the person is, the server is asked. */
async function startWith(tokens: Tokens, answer: unknown): Promise<void> {
  const told = UserInfo.safeParse(answer)
  const ask = async () => readAnswer(showUser, await send(showUser, {}, { access: tokens.access }))
  startSession(tokens, told.success ? told.data : await ask())
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
  const { access, refresh, ...answer } = await call(verifyCodeAnywhere, { body: { user_id: userId, otp, challenge } })
  await startWith({ access, refresh }, answer)
}
