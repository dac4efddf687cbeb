import { type Revision0Facts, scanRevision0 } from '@proofdesk/proof/pdf-layout/scan'
import { CertifyError } from '../errors.ts'

/**
 * Scans revision 0 with the verifier's own scanner: a file that it would refuse must never be approved.
 * @throws CertifyError `build_failed`.
 */
export function checkRevision0(bytes: Uint8Array): Revision0Facts {
  try {
    const facts = scanRevision0(bytes)
    if (facts.sizeBytes === bytes.length) return facts
  } catch (error) {
    throw new CertifyError('build_failed', 'revision 0 is not in layout 1', { cause: error })
  }
  throw new CertifyError('build_failed', 'bytes follow revision 0')
}
