import type { Viewer } from '@proofdesk/contract/permissions'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordFailure } from '../../events/record-failure.ts'
import type { ConcernedCollection } from '../collections/events.ts'
import { contentEvents } from './events.ts'
import type { IncomingFile } from './receive-upload.ts'
import { inspectFile, type InspectedFile } from './store-file.ts'

/** How long the scanner may still take for a file that is refused already; a find is told even then. */
const GRACE_MS = 5000

/**
 * What a received file is, once it was read and, where a virus scanner is set, looked at by it: both at once, as neither needs
 * the other. A find comes first of all that may be wrong with a file.
 * @param signal Ends the waiting for the scanner.
 * @throws AppError that names what is wrong with it, `file_infected`, `file_too_large_to_scan`, `scanner_unavailable`, `busy`
 */
export async function judgeFile(
  deps: Deps,
  viewer: Viewer,
  collection: ConcernedCollection,
  file: IncomingFile,
  signal: AbortSignal,
): Promise<InspectedFile> {
  const enough = new AbortController()
  let grace: NodeJS.Timeout | undefined
  const inspecting = inspectFile(deps, viewer, file.path).catch((error: unknown) => {
    grace = setTimeout(() => enough.abort(), GRACE_MS)
    throw error
  })
  const [inspected, scanned] = await Promise.allSettled([
    inspecting,
    scanFile(deps, viewer, collection, file, AbortSignal.any([signal, enough.signal])),
  ])
  clearTimeout(grace)
  if (scanned.status === 'rejected' && isAboutFile(scanned.reason)) throw scanned.reason
  if (inspected.status === 'rejected') throw inspected.reason
  if (scanned.status === 'rejected') throw scanned.reason
  return { ...file, ...inspected.value }
}

async function scanFile(
  deps: Deps,
  viewer: Viewer,
  collection: ConcernedCollection,
  { path, sizeBytes }: IncomingFile,
  enough: AbortSignal,
): Promise<void> {
  const { scanner, logger } = deps
  if (!scanner) return
  const verdict = await scanner.scan(path, String(viewer.id), enough)
  if (verdict.found === false) return
  if (verdict.found === 'not-whole') {
    const { limit } = verdict
    logger.warn('the virus scanner does not take a file whole: raise the limit in its settings', {
      limit,
      size_bytes: sizeBytes,
    })
    throw new AppError('file_too_large_to_scan')
  }
  const { signature } = verdict
  logger.warn('the virus scanner found something in an upload', { signature, user_id: viewer.id })
  await recordFailure(deps, contentEvents.malware_found(viewer.id, collection, signature))
  throw new AppError('file_infected')
}

function isAboutFile(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'file_infected' || error.code === 'file_too_large_to_scan')
}
