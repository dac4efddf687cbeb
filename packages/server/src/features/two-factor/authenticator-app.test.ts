import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Otp } from '@proofdesk/contract/two-factor'
import { Secret } from 'otpauth'
import { toAsciiDigits } from '../../text/ascii-digits.ts'
import { drawQrCode, findStep, makeSecret, toOtpauthUrl } from './authenticator-app.ts'
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts'

/** RFC 6238 appendix B, SHA-1: seconds since 1970 and the last six digits of the code. */
const RFC_SECRET = Secret.fromUTF8('12345678901234567890').base32
const RFC_CODES: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

test('codes are those of RFC 6238', () => {
  for (const [seconds, code] of RFC_CODES) {
    const step = Math.floor(seconds / 30)
    assert.equal(findStep(RFC_SECRET, code, seconds * 1000), step)
    // One step to either side, and no further.
    for (const away of [-30, 30]) assert.equal(findStep(RFC_SECRET, code, (seconds + away) * 1000), step)
    for (const away of [-60, 60]) assert.equal(findStep(RFC_SECRET, code, (seconds + away) * 1000), undefined)
  }
})

test('5.12 9.2 what is no code of six digits is none', () => {
  for (const text of ['', '28708', '2870821', 'abcdef', '-28708', ' 287082', '２８７０８２'])
    assert.equal(findStep(RFC_SECRET, text, 59_000), undefined, text)
})

test('a code is read in the digits of whichever keyboard', () => {
  for (const typed of ['123456', '۱۲۳ ۴۵۶', '١٢٣٤٥٦', '１２３４５６', '१२३४५६', '১২৩৪৫৬', '௧௨௩௪௫௬'])
    assert.equal(toAsciiDigits(Otp.parse(typed)), '123456', typed)
  for (const typed of ['१२३', 'ಎಲ್ಲಿ೧೨', '一二三四五六', '½½½½½½']) assert.ok(!Otp.safeParse(typed).success, typed)
})

test('secrets have 160 random bits', () => {
  const secrets = Array.from({ length: 50 }, makeSecret)
  assert.equal(new Set(secrets).size, 50)
  assert.ok(secrets.every((secret) => Secret.fromBase32(secret).bytes.length === 20))
})

test('names with special characters stay within their place of the address', () => {
  const url = new URL(toOtpauthUrl(RFC_SECRET, { issuer: 'A&B: Amt?secret=X', username: 'ада+1@home' }))
  assert.equal(url.searchParams.get('secret'), RFC_SECRET)
  assert.equal(url.searchParams.get('issuer'), 'A&B: Amt?secret=X')
  assert.equal(url.hash, '')
})

test('an image holds nothing but drawing', () => {
  const svg = Buffer.from(drawQrCode('<script>alert(1)</script>"').split(',')[1] ?? '', 'base64').toString()
  assert.doesNotMatch(svg, /script|href|on\w+=/i)
})

test('recovery codes are read whatever their case, blanks and dashes, with O as 0 and I and L as 1', () => {
  for (const code of makeRecoveryCodes()) {
    const hash = hashRecoveryCode(code)
    assert.match(hash ?? '', /^[0-9a-f]{64}$/)
    const sloppy = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    assert.equal(hashRecoveryCode(` ${sloppy} `), hash)
  }
  for (const text of ['', '123456', 'ABCD-EFGH-JKMN', 'ABCD-EFGH-JKMN-PQRU', 'A'.repeat(17), '\u0000'])
    assert.equal(hashRecoveryCode(text), undefined, text)
})
