/**
 * Entry of the process that parses files nobody vouches for. It holds no key, gets no secret from the environment, and sees
 * of the disk only the program and its desk; it may be killed at any time.
 */
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { buildRevision0 } from '../revision0/build-revision0.ts'
import { packError } from '../error-data.ts'
import { inspectFile } from '../inspect/inspect-file.ts'
import { prepareDocument } from '../review-document/prepare-document.ts'
import { drawThumbnail } from '../thumbnail/draw-thumbnail.ts'
import { verifySealed } from '../verify-sealed.ts'
import { limitNative } from './limit-native.ts'
import type { ParsingAnswer, ParsingJob, ProcessMessage } from './messages.ts'

// one job at a time: decoded pictures are not needed twice, and memory is bounded
sharp.cache(false)
sharp.concurrency(1)
limitNative()

async function answerJob(job: ParsingJob): Promise<ParsingAnswer> {
  try {
    if (job.kind === 'inspect') return { kind: 'inspected', inspection: await inspectFile(job.path, job.limits) }
    if (job.kind === 'draw') return { kind: 'drawn', thumbnail: await drawThumbnail(job.path, job.type) }
    if (job.kind === 'verify') return { kind: 'verified', report: await verifySealed(job) }
    if (job.kind === 'prepare') return { kind: 'prepared', document: await prepareDocument(job.request) }
    return { kind: 'built', revision: await buildRevision0(job.request) }
  } catch (error) {
    return { kind: 'failed', error: packError(error, 'build_failed') }
  }
}

function send(message: ProcessMessage): void {
  process.send?.(message)
}

process.on('message', (job: ParsingJob) => {
  void answerJob(job).then(send)
})
process.on('disconnect', () => process.exit(0))
// Ctrl-C in a terminal reaches the whole group; the parent decides when a build may be given up
process.on('SIGINT', () => undefined)
new Worker(new URL('orphan-watch.ts', import.meta.url), { workerData: process.ppid }).unref()
send({ kind: 'ready' })
