import { Refusal } from '../errors.ts'
import { readUpload } from '../read-upload.ts'
import type { InspectLimits, Inspection } from '../types.ts'
import { inspectImage } from './inspect-image.ts'
import { inspectPdf } from './inspect-pdf.ts'
import { sniffType } from './sniff-type.ts'

/**
 * Says what a stored upload is and whether it can be certified. A faulty file is an answer, not an error.
 * @throws CertifyError `file_unreadable` when the path cannot be read.
 */
export async function inspectFile(path: string, limits: InspectLimits): Promise<Inspection> {
  const bytes = readUpload(path)
  try {
    const type = await sniffType(bytes)
    if (type === 'PDF') return { ok: true, type, ...(await inspectPdf(bytes, limits.maxPages, () => readUpload(path))) }
    await inspectImage(bytes, type)
    return { ok: true, type, pages: 1, isPictured: false }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.reason }
    // whatever a hostile file makes the parser throw, also stack exhaustion, is a fault of the file
    return { ok: false, reason: 'unreadable' }
  }
}
