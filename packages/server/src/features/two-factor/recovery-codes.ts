import { randomBytes } from 'node:crypto'
import { RECOVERY_CODE_COUNT } from '@proofdesk/contract/limits'
import { hashToken } from '../../secrets/tokens.ts'

/** Crockford's base32: no letter that is easily taken for another. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 80 random bits: a stored plain hash cannot be searched. */
const LENGTH = 16
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** New codes in printed form, `XXXX-XXXX-XXXX-XXXX`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
    return letters.replace(/(.{4})(?=.)/g, '$1-')
  })
}

/**
 * What is stored of a code. Case, blanks and dashes do not matter, nor O for 0 and I or L for 1.
 * @returns undefined for what cannot be one.
 */
export function hashRecoveryCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return FORM.test(letters) ? hashToken(`recovery-code\n${letters}`) : undefined
}
