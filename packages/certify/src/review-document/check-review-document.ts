import { ProofError } from '@proofdesk/proof/errors'
import { scanRevision0 } from '@proofdesk/proof/pdf-layout/scan'
import { CertifyError } from '../errors.ts'
import { readReviewDocument } from './read-review-document.ts'

/**
 * Makes sure that a certified PDF can be made of it, before anybody reads it: the verifier's own scanner can read every object
 * of it, and its pages are found.
 * @throws CertifyError `build_failed`.
 */
export function checkReviewDocument(bytes: Buffer, pages: number): void {
  if (readReviewDocument(bytes).pages.length !== pages) throw new CertifyError('build_failed', 'pages are missing')
  try {
    scanRevision0(bytes)
  } catch (error) {
    // that it has no slots is said last, when everything else has been read
    if (error instanceof ProofError && error.code === 'rev0_slots') return
    throw new CertifyError('build_failed', 'the review document is not in its layout', { cause: error })
  }
  throw new CertifyError('build_failed', 'a review document that is a certified PDF')
}
