import { toHex } from '@proofdesk/proof/bytes'
import type { Revision0Facts } from '@proofdesk/proof/pdf-layout/scan'
import { renderSeal } from '@proofdesk/proof/pdf-layout/render'
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { formatPdfDate } from '../pdf/pdf-date.ts'
import { makeCms, type Signer } from './cms-maker.ts'
import { CertifyError } from '../errors.ts'
import type { Seal, SealRequest } from '../types.ts'

/** Room for the signature container; ours takes about 1.5 kB, the rest is for certificates with longer names. */
const HOLE_BYTES = 8192

/**
 * Makes the one update that seals revision 0. The stored bytes are read once; the state of their hash goes on into the
 * signature's digest and into the hash of the whole file, so nothing is read or copied twice. May be repeated: every call
 * makes another, equally valid seal, of which the caller publishes one.
 * @throws CertifyError `revision_changed`, `seal_failed`.
 */
export async function sealRevision0(request: SealRequest, signer: Signer): Promise<Seal> {
  const facts = JSON.parse(request.facts) as Revision0Facts
  const revision0 = await hashFile(request.path)
  if (revision0.hash.copy().digest('hex') !== request.sha256 || revision0.sizeBytes !== facts.sizeBytes) {
    throw new CertifyError('revision_changed', 'the stored revision 0 is not the one that was approved')
  }
  const rendered = renderSeal(facts, {
    proof: request.proof,
    signedAt: formatPdfDate(request.signedAt),
    contentsHex: '00'.repeat(HOLE_BYTES),
    revision0Sha256: request.sha256,
  })
  const update = Buffer.from(rendered.bytes)
  const [gapStart, gapEnd] = rendered.gap.map((offset) => offset - facts.sizeBytes) as [number, number]
  const digest = revision0.hash.copy().update(update.subarray(0, gapStart)).update(update.subarray(gapEnd)).digest()
  const cms = makeCms(digest, signer)
  if (cms.length > HOLE_BYTES) throw new CertifyError('seal_failed', `the signature takes ${cms.length} bytes`)
  update.write(toHex(cms), gapStart + 1, 'latin1')
  return { update, sha256: revision0.hash.update(update).digest('hex') }
}

async function hashFile(path: string): Promise<{ hash: Hash; sizeBytes: number }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      const bytes = chunk as Uint8Array
      sizeBytes += bytes.length
      hash.update(bytes)
    }
  } catch (error) {
    throw new CertifyError('seal_failed', 'revision 0 cannot be read', { cause: error })
  }
  return { hash, sizeBytes }
}
