import * as api from '@proofdesk/contract/two-factor'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readCaller } from '../../http/caller.ts'
import { readChallengeCookie, setChallengeCookie } from './challenge-cookie.ts'
import { bind } from '../../http/bind.ts'
import { enterWithCode } from './service.ts'
import { beginSetup, renewCodes, switchOff, switchOn } from './set-up.ts'

export function twoFactorRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, api.beginSetup, (caller) => beginSetup(deps, caller))
  bind(app, api.setTwoFactor, ({ body, request, ...caller }) =>
    body.gfa_is_enabled ? switchOn(deps, caller, request.ip, body.otp) : switchOff(deps, caller),
  )
  bind(app, api.renewRecoveryCodes, (caller) => renewCodes(deps, caller))
  bind(app, api.verifyCode, async ({ body, request, reply }) => {
    const challenge = body.challenge ?? readChallengeCookie(request, deps.config.publicUrl)
    const answer = await enterWithCode(deps, readCaller(request), { ...body, challenge })
    setChallengeCookie(reply, deps.config.publicUrl, null)
    return answer
  })
}
