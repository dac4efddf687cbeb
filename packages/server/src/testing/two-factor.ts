import { Secret, TOTP } from 'otpauth'
import type { TestClient } from './client.ts'
import type { TestClock } from './clock.ts'

const PERIOD_MS = 30_000

/** An authenticator app on a test's clock. */
export interface TestApp {
  secret: string
  recoveryCodes: string[]
  /** The code of the present step, or of one that many steps away. */
  code(stepsAway?: number): string
}

/** The code another app would show for a secret. */
export function codeOf(secret: string, at: number, stepsAway = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at + stepsAway * PERIOD_MS })
}

/** A code that no step of the window has. */
export function wrongCodeOf(secret: string, at: number): string {
  const right = [-1, 0, 1].map((steps) => codeOf(secret, at, steps))
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '444444'
}

/** Switches two-factor on by the real calls; uses up the code of the present step. */
export async function enableTwoFactor(person: TestClient, clock: TestClock): Promise<TestApp> {
  const { secret } = (await person.get('/g2fa/gfa_qrcode/')).json()
  const answer = await person.patch('/g2fa/gfa_status/', { gfa_is_enabled: true, otp: codeOf(secret, clock.now()) })
  if (answer.status !== 200) throw new Error(`two-factor could not be switched on: ${answer.body}`)
  return {
    secret,
    recoveryCodes: answer.json().recovery_codes,
    code: (stepsAway = 0) => codeOf(secret, clock.now(), stepsAway),
  }
}
