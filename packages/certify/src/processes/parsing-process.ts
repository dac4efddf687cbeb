/**
 * Entry of the process that parses files nobody vouches for. It holds no key, gets no secret from the environment, and sees
 * of the disk only the program and its desk; it may be killed at any time.
 */
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { packError } from '../error-data.ts'
import { limitNative } from './limit-native.ts'
import type { ParsingAnswer, ParsingJob, ProcessMessage } from './messages.ts'

// one job at a time: decoded pictures are not needed twice, and memory is bounded
sharp.cache(false)
sharp.concurrency(1)

// Most of what a start takes is loading, and no process is asked for everything.
const LOAD = {
  inspect: () => import('../inspect/inspect-file.ts'),
  prepare: () => import('../review-document/prepare-document.ts'),
  build: () => import('../revision0/build-revision0.ts'),
  draw: () => import('../thumbnail/draw-thumbnail.ts'),
  verify: () => import('../verify-sealed.ts'),
} as const

async function answerJob(job: ParsingJob): Promise<ParsingAnswer> {
  try {
    return await doJob(job)
  } catch (error) {
    return { kind: 'failed', error: packError(error, 'build_failed') }
  }
}

async function doJob(job: ParsingJob): Promise<ParsingAnswer> {
  if (job.kind === 'inspect') {
    const { inspectFile } = await LOAD.inspect()
    return { kind: 'inspected', inspection: await inspectFile(job.path, job.limits) }
  }
  if (job.kind === 'draw') {
    const { drawThumbnail } = await LOAD.draw()
    return { kind: 'drawn', thumbnail: await drawThumbnail(job.path, job.type) }
  }
  if (job.kind === 'verify') {
    const { verifySealed } = await LOAD.verify()
    return { kind: 'verified', report: await verifySealed(job) }
  }
  if (job.kind === 'prepare') {
    const { prepareDocument } = await LOAD.prepare()
    return { kind: 'prepared', document: await prepareDocument(job.request) }
  }
  const { buildRevision0 } = await LOAD.build()
  return { kind: 'built', revision: await buildRevision0(job.request) }
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
// Before it is ready: the time of a job counts from when it is given, and what native code there is stays as it is then.
for (const kind of process.argv.slice(2)) await LOAD[kind as ParsingJob['kind']]()
limitNative()
send({ kind: 'ready' })
