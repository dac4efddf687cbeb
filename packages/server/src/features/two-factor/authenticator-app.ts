import { OTP_LENGTH, OTP_PERIOD_SECONDS } from '@proofdesk/contract/limits'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

/** Bytes of a secret; RFC 4226 section 4 recommends 20. */
const SECRET_BYTES = 20
/** Steps before and after the present one whose code is still taken (RFC 6238 section 5.2). */
const WINDOW = 1
/** Modules of quiet zone around the figure (ISO/IEC 18004 section 6.3.8). */
const QUIET_MODULES = 4
const MODULE_PIXELS = 6

/** A new secret in base32, as apps take it. */
export function makeSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Six ASCII digits: the library throws on others that look like them. */
export function looksLikeOtp(text: string): boolean {
  return new RegExp(`^[0-9]{${OTP_LENGTH}}$`).test(text)
}

/** @returns the time step of the code, or undefined for one that is wrong or of another time. */
export function findStep(secret: string, otp: string, now: number): number | undefined {
  if (!looksLikeOtp(otp)) return undefined
  const totp = describeApp(secret)
  const delta = totp.validate({ token: otp, timestamp: now, window: WINDOW })
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta
}

/** The oldest step whose code could still be taken. */
export function oldestStep(now: number): number {
  return Math.floor(now / (OTP_PERIOD_SECONDS * 1000)) - WINDOW
}

/** What apps read from the image, or open by a link on the same device. */
export function toOtpauthUrl(secret: string, account: { issuer: string; username: string }): string {
  return describeApp(secret, { issuer: account.issuer, label: account.username }).toString()
}

/** The image of a text as a `data:` URL; black on white in every theme, since cameras need it so. */
export function drawQrCode(text: string): string {
  const svg = renderSVG(text, { ecc: 'M', border: QUIET_MODULES, pixelSize: MODULE_PIXELS })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

/** The parameters every app knows. */
function describeApp(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: OTP_LENGTH,
    period: OTP_PERIOD_SECONDS,
  })
}
