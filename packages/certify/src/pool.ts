import { rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import type { DocumentReport } from '@proofdesk/proof/verify-document'
import { unpackError } from './error-data.ts'
import { CertifyError } from './errors.ts'
import { USUAL_MEMORY_BYTES } from './processes/parsing-program.ts'
import type { ParsingAnswer, ParsingJob } from './processes/messages.ts'
import {
  type FleetOptions,
  type JobLimits,
  type JobOutcome,
  openProcessFleet,
  type ProcessFleet,
} from './processes/process-fleet.ts'
import { isWebp } from './thumbnail/is-webp.ts'
import { THUMBNAIL_MAX_BYTES } from './thumbnail/limits.ts'
import { openSealingThread } from './sealing/sealing-calls.ts'
import type {
  BuildRequest,
  BuiltRevision,
  DocumentType,
  InspectLimits,
  Inspection,
  PoolLimits,
  PreparedDocument,
  PrepareRequest,
  Seal,
  SealRequest,
  VerifyRequest,
} from './types.ts'

export { CertifyError, type CertifyErrorCode } from './errors.ts'

export interface CertifyPoolOptions {
  /**
   * Processes that inspect at once; what comes in meanwhile waits. Default: one less than there are cores, at most 4. Half as
   * many, at least one, prepare, and as many build; these end when there is nothing to do.
   */
  threads?: number
  /**
   * Where parsing processes have their folders, best on the disk of the files they read: then those are linked there, not
   * copied. Folders left by a crash are called `desk-…`. Default: the system's temporary folder.
   */
  workDir?: string
  /** The folder given to `ensureIssuingKeys`. */
  keysDir: string
  passphrase?: string | undefined
  limits?: Partial<PoolLimits>
}

/**
 * The one door to PDF and image work: nothing of it runs in the calling thread. Untrusted files are parsed in
 * processes that are killed past a deadline or a memory cap; the signing key is held by a thread that parses none.
 */
export interface CertifyPool {
  /**
   * Says what a stored upload is. Refusals are answers.
   * @param askedBy Number of the person who waits for it: nobody gets all processes.
   * @throws CertifyError `file_unreadable` when the path cannot be read, `crowded`, `no_process`, `closed`.
   */
  inspect(path: string, limits: InspectLimits, askedBy?: number): Promise<Inspection>
  /**
   * Makes the review document of a submission; its bytes are on the disk when this returns, and the name only once the file is
   * moved to where it stays. On failure nothing is left at `outPath`.
   * @throws CertifyError `document_refused`, `build_too_slow`, `build_too_much_memory`, `build_failed`, `source_changed`, `worker_lost`,
   * `no_process`, `crowded`.
   */
  prepare(request: PrepareRequest): Promise<PreparedDocument>
  /**
   * Writes revision 0 from a review document, to the disk as `prepare`; on failure nothing is left at `outPath`.
   * @throws CertifyError `build_too_slow`, `build_too_much_memory`, `build_failed`, `source_changed`, `worker_lost`, `no_process`, `crowded`.
   */
  build(request: BuildRequest): Promise<BuiltRevision>
  /** @throws CertifyError `revision_changed`, `seal_failed`, `keys_*`, `worker_lost`. */
  seal(request: SealRequest): Promise<Seal>
  /**
   * Judges a stored certified PDF as a stranger would, by the verifier that they have.
   * @param isLastStep Of an approval that somebody waits for: what only begins to be built comes after it.
   * @throws CertifyError `build_too_slow`, `build_too_much_memory`, `build_failed`, `source_changed`, `worker_lost`, `no_process`, `crowded`.
   */
  verify(request: VerifyRequest, isLastStep?: boolean): Promise<DocumentReport>
  /**
   * Draws the first page of a stored upload: WebP, 320 pixels on its longer side, on white paper. Has a process of its own,
   * so that no upload and no build waits for a picture.
   * @returns undefined when it cannot be drawn, not in time, or not within the memory cap.
   * @throws CertifyError `file_unreadable`, `closed`.
   */
  drawThumbnail(path: string, type: DocumentType): Promise<Uint8Array | undefined>
  /** Parsing processes that are running, those that inspect first, for watching them. */
  processIds(): number[]
  /** Ends all processes and threads; what is under way fails with `closed`. */
  close(): Promise<void>
}

const DEFAULT_LIMITS: PoolLimits = {
  inspectDeadlineMs: 15_000,
  inspectWaitMs: 20_000,
  buildWaitMs: 10_000,
  inspectProcessorMs: 8000,
  inspectProcessorMsPerMegabyte: 500,
  prepareProcessorMs: 30_000,
  prepareProcessorMsPerMegabyte: 500,
  buildDeadlineMs: 15_000,
  buildDeadlineMsPerMegabyte: 60,
  drawProcessorMs: 10_000,
  memoryBytes: USUAL_MEMORY_BYTES,
}
/** However many processors there are. */
export const MAX_PARSING_PROCESSES = 4
/** A process that draws, prepares or builds is kept for the next job this long: pictures come in bursts, and so do decisions. */
const IDLE_MS = 60_000
/** For each process: about as many as small ones are done in the time that they wait at most. */
const BUILDS_WAITING = 200
/** Nobody waits in a call for preparing or drawing: a busy machine gets so many times as long for it as its processor time. */
const UNHURRIED_PATIENCE = 4
/** What further originals and pictures add to the time of preparing, at most: nobody holds the lane for long, whatever was let in. */
const MOST_FURTHER_MS = 120_000
/** What packing the pictures of one original takes at most, ten times what those of print take; drawing them was measured when it was let in. */
const PACK_MS = 30_000

export function openCertifyPool(options: CertifyPoolOptions): CertifyPool {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const size = options.threads ?? Math.max(1, Math.min(MAX_PARSING_PROCESSES, availableParallelism() - 1))
  const workDir = options.workDir ?? tmpdir()
  const { memoryBytes } = limits
  const openLane = (processes: number, more: Partial<FleetOptions> & Pick<FleetOptions, 'kinds'>): ProcessFleet =>
    openProcessFleet({ size: processes, memoryBytes, workDir, idleMs: IDLE_MS, ...more })
  // a fleet for each kind of work: an upload waits for no approval, and an approval for no upload
  const inspecting = openProcessFleet({ size, memoryBytes, workDir, kinds: ['inspect'] })
  const preparing = openLane(Math.ceil(size / 2), { kinds: ['prepare'] })
  const building = openLane(Math.ceil(size / 2), { kinds: ['build', 'verify'], waitingPerProcess: BUILDS_WAITING })
  const drawing = openLane(1, { kinds: ['draw'], isUnhurried: true })
  const fleets = [inspecting, preparing, building, drawing]
  const sealing = openSealingThread({ keysDir: options.keysDir, passphrase: options.passphrase })
  return {
    async inspect(path, inspectLimits, askedBy) {
      // Known a little later: a file has its place in the queue from the moment it is handed in.
      const processorMs = stat(path).then(
        ({ size: bytes }) => limits.inspectProcessorMs + (bytes / 1e6) * limits.inspectProcessorMsPerMegabyte,
        () => limits.inspectProcessorMs,
      )
      const outcome = await inspecting
        .run(
          { kind: 'inspect', path, limits: inspectLimits },
          { deadlineMs: limits.inspectDeadlineMs, waitMs: limits.inspectWaitMs, processorMs, askedBy },
        )
        .catch((error: unknown) => {
          // a file that ends two processes is the cause of it
          if (error instanceof CertifyError && error.code === 'worker_lost') return undefined
          throw error
        })
      if (outcome === undefined) return { ok: false, reason: 'unreadable' }
      if (outcome.kind === 'killed') return { ok: false, reason: outcome.reason }
      if (outcome.kind === 'inspected') return outcome.inspection
      throw outcome.kind === 'failed' ? unpackError(outcome.error) : new CertifyError('worker_lost', 'a wrong answer')
    },
    async prepare(request) {
      const bytes = request.documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      // each was let in with as much work as this: what is let in one by one is not too slow together
      const packing = request.documents.filter(({ isPictured }) => isPictured).length * PACK_MS
      const further = Math.min(MOST_FURTHER_MS, (request.documents.length - 1) * limits.inspectProcessorMs + packing)
      const processorMs = limits.prepareProcessorMs + further + (bytes / 1e6) * limits.prepareProcessorMsPerMegabyte
      const job = { kind: 'prepare', request } as const
      const outcome = await writeThrough(preparing, job, boundByProcessor(processorMs, UNHURRIED_PATIENCE))
      if (outcome.kind === 'prepared') return outcome.document
      throw new CertifyError('worker_lost', 'a wrong answer')
    },
    async build(request) {
      const megabytes = request.reviewDocument.sizeBytes / 1e6
      const deadlineMs = limits.buildDeadlineMs + megabytes * limits.buildDeadlineMsPerMegabyte
      const outcome = await writeThrough(
        building,
        { kind: 'build', request },
        { ...boundByProcessor(deadlineMs), waitMs: limits.buildWaitMs },
      )
      if (outcome.kind === 'built') return outcome.revision
      throw new CertifyError('worker_lost', 'a wrong answer')
    },
    seal: (request) => sealing.seal(request),
    async verify(request, isLastStep) {
      const { size: bytes } = await stat(request.path)
      const deadlineMs = limits.buildDeadlineMs + (bytes / 1e6) * limits.buildDeadlineMsPerMegabyte
      const job = { kind: 'verify', ...request } as const
      const outcome = mustAnswer(
        job.kind,
        await building.run(job, { ...boundByProcessor(deadlineMs), waitMs: limits.buildWaitMs, isLastStep }),
      )
      if (outcome.kind === 'verified') return outcome.report
      throw new CertifyError('worker_lost', 'a wrong answer')
    },
    drawThumbnail: (path, type) => drawThumbnail(drawing, path, type, limits.drawProcessorMs),
    processIds: () => fleets.flatMap((fleet) => fleet.processIds()),
    async close() {
      await Promise.all([...fleets.map((fleet) => fleet.close()), sealing.close()])
    },
  }
}

/**
 * What takes so much processor time is too slow; what got hardly any until its deadline was kept waiting by others, and is `crowded`.
 * @param patience How many times as long the deadline is.
 */
const boundByProcessor = (ms: number, patience = 1): Pick<JobLimits, 'deadlineMs' | 'processorMs'> => ({
  deadlineMs: ms * patience,
  processorMs: Promise.resolve(ms),
})

function mustAnswer(kind: ParsingJob['kind'], outcome: JobOutcome): ParsingAnswer {
  if (outcome.kind === 'failed') throw unpackError(outcome.error)
  if (outcome.kind !== 'killed') return outcome
  const code = outcome.reason === 'too_slow' ? 'build_too_slow' : 'build_too_much_memory'
  throw new CertifyError(code, `the work was ended: ${kind}`)
}

/** Runs a job that writes a file, and leaves nothing of it when it fails. */
async function writeThrough(
  fleet: ProcessFleet,
  job: Extract<ParsingJob, { kind: 'prepare' | 'build' }>,
  limits: JobLimits,
): Promise<ParsingAnswer> {
  const { outPath } = job.request
  try {
    return mustAnswer(job.kind, await fleet.run(job, limits))
  } catch (error) {
    // a process that was killed cannot tidy up after itself
    await Promise.all([outPath, `${outPath}.part`].map((path) => rm(path, { force: true })))
    throw error
  }
}

async function drawThumbnail(
  drawing: ProcessFleet,
  path: string,
  type: DocumentType,
  processorMs: number,
): Promise<Uint8Array | undefined> {
  const bound = boundByProcessor(processorMs, UNHURRIED_PATIENCE)
  const outcome = await drawing.run({ kind: 'draw', path, type }, bound).catch((error: unknown) => {
    // a file that ends two processes is the cause of it
    if (error instanceof CertifyError && error.code === 'worker_lost') return undefined
    throw error
  })
  if (outcome?.kind === 'failed') throw unpackError(outcome.error)
  if (outcome?.kind !== 'drawn' || outcome.thumbnail === undefined) return undefined
  // it comes from a process that has read a hostile file, and goes to browsers
  const { thumbnail } = outcome
  return thumbnail.length <= THUMBNAIL_MAX_BYTES && isWebp(thumbnail) ? thumbnail : undefined
}
