import { computePaperKeyId } from '../paper/paper-key-id.ts'
import { formatPaperKey } from '../paper/paper-key.ts'
import type { PaperFacts } from '../paper/paper-claims.ts'
import { signPaperCode } from '../paper/paper-code.ts'
import type { PaperSigner } from '../paper/cose-sign1.ts'
import { ENDS_AT, TIME } from './certified-example.ts'
import { makeLogKey } from './log-keys.ts'

/** A key for paper, which depends on the name alone. */
export function makePaperKey(name: string): { signer: PaperSigner; text: string } {
  const { publicKey, signer } = makeLogKey(`${name}/paper`)
  return { signer: { keyId: computePaperKeyId(publicKey), sign: signer.sign }, text: formatPaperKey(publicKey) }
}

export const paperKey = makePaperKey('proofs.example.org')

export const FACTS: PaperFacts = {
  proofId: '7Q3K-9ZB4-M0XT-C8VN-K',
  username: 'ada.lovelace',
  title: 'Lease agreement, 14 Rue Cler',
  organisation: 'Notariat Müller & Søn',
  approvedAt: TIME,
  expiresAt: ENDS_AT,
  pages: 12,
  filesRoot: 'ab'.repeat(32),
  reviewDocument: 'cd'.repeat(32),
}

export const signFacts = (changes: Partial<PaperFacts> = {}, signer = paperKey.signer): Promise<string> =>
  signPaperCode({ ...FACTS, ...changes }, signer)
