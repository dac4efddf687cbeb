import { areEqual, readLatin1 } from '@proofdesk/proof/bytes'
import { parseDigits, readContents, readElement, TAG, type DerElement } from '@proofdesk/proof/der'
import { refuse } from '@proofdesk/proof/errors'
import { createHash } from 'node:crypto'
import { readFirst } from './bounded-der.ts'
import type { CarriedCertificate } from './carried-certificate.ts'
import { judgeSigner, type SignedContent } from './judge-signer.ts'
import { mayStampTime } from './may-stamp-time.ts'
import { nameHash } from './signature-value.ts'
import { findSigner, readAlgorithm, type SignedData } from './signed-data.ts'
import type { Judgement } from './types.ts'

const TST_INFO = '1.2.840.113549.1.9.16.1.4'

/** What is asked of a token: the digest of what it was made for. */
export type Imprint = SignedContent['digest']

/**
 * Whether a time-stamp token is about these bytes and holds by the certificates at hand, and the time that it then tells. One
 * that is not made as an authority makes them tells none. RFC 3161 section 2.4.2.
 * @param stamped The certificate of whoever signed what it is about.
 * @throws ProofError `der`, `cms`.
 */
export function judgeTimeStamp(
  token: SignedData,
  certificates: readonly CarriedCertificate[],
  imprint: Imprint,
  stamped?: CarriedCertificate,
): { judgement: Judgement; time: number | null } {
  const info = token.content
  if (!info) return { judgement: 'broken', time: null }
  const signer = findSigner(token.signer, certificates)
  const inside = judgeSigner(token, signer, {
    type: TST_INFO,
    digest: (hash) => createHash(hash).update(info).digest(),
    join: () => info,
  })
  if (inside !== 'holds') return { judgement: inside, time: null }
  const [, , messageImprint, , genTime] = readFirst(readElement(info), TAG.sequence, 5)
  const [judgement, time] = [judgeImprint(messageImprint, imprint), readGenTime(genTime)]
  const isByAuthority = signer !== undefined && mayStampTime(token, signer, time, stamped)
  return isByAuthority ? { judgement, time } : { judgement: judgement === 'holds' ? 'unknown' : judgement, time: null }
}

function judgeImprint(messageImprint: DerElement | undefined, imprint: Imprint): Judgement {
  const [algorithm, claimed] = readFirst(messageImprint, TAG.sequence, 2)
  const hash = nameHash(readAlgorithm(algorithm))
  const digest = hash === undefined ? undefined : imprint(hash)
  if (!digest) return 'unknown'
  return areEqual(readContents(claimed, TAG.octetString), digest) ? 'holds' : 'broken'
}

/** It may have fractions of a second, which other times in certificates may not. */
function readGenTime(element: DerElement | undefined): number {
  const text = readLatin1(readContents(element, TAG.generalizedTime).subarray(0, 40))
  const digits = /^(\d{14})(?:\.\d+)?Z$/.exec(text)?.[1] ?? ''
  return parseDigits(digits, /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/) ?? refuse('der', 'time')
}
