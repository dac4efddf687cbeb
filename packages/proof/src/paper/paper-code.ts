import { areEqual, type Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { verifyEd25519 } from '../log/ed25519.ts'
import { fromBase32, toBase32 } from './base32.ts'
import { formatSign1, listSignedBytes, parseSign1, readKeyId, type PaperSigner, type Sign1 } from './cose-sign1.ts'
import { decodePaperClaims, encodePaperClaims, type PaperClaims, type PaperFacts } from './paper-claims.ts'
import { computePaperKeyId } from './paper-key-id.ts'
import { parsePaperKey } from './paper-key.ts'

export type { PaperSigner } from './cose-sign1.ts'

/** Letters of the longest code: a username of 150 letters of four bytes, and everything else. */
export const MAX_PAPER_CODE_LETTERS = 1600

/** A code that was read; nobody's signature was checked yet. */
export interface PaperCode {
  claims: PaperClaims
  keyId: Bytes
  sign1: Sign1
}

/** The code of a certificate on paper: base 32 of a COSE_Sign1 of its claims. @throws ProofError `paper`. */
export async function signPaperCode(facts: PaperFacts, signer: PaperSigner): Promise<string> {
  const code = toBase32(await formatSign1(encodePaperClaims(facts), signer))
  readPaperCode(code)
  return code
}

/**
 * Reads a code.
 * @param text As `findPaperCode` gives it.
 * @throws ProofError `newer` for another version, `paper` for what is not a code in its one form.
 */
export function readPaperCode(text: string): PaperCode {
  const bytes = text.length <= MAX_PAPER_CODE_LETTERS ? fromBase32(text) : undefined
  const sign1 = parseSign1(bytes ?? refuse('paper', 'no base 32'))
  const claims = decodePaperClaims(sign1.payload)
  return { claims, keyId: readKeyId(sign1), sign1 }
}

/**
 * Reads a code that a key of the policy must have signed.
 * @throws ProofError as `readPaperCode`; `paper_trust`, `paper_signature`, `unsupported`.
 * @see RFC 9052 section 4.4
 */
export async function openPaperCode(text: string, paperKeys: readonly string[]): Promise<PaperCode> {
  const code = readPaperCode(text)
  const known = paperKeys.map(parsePaperKey).filter((key) => key !== undefined)
  const key = known.find((one) => areEqual(computePaperKeyId(one), code.keyId))
  const isRight = await verifyEd25519(
    key ?? refuse('paper_trust', 'a key that the policy does not name'),
    listSignedBytes(code.sign1),
    code.sign1.signature,
  )
  return isRight ? code : refuse('paper_signature', 'wrong signature')
}
