import { createContent, deleteContent, listContents, type Content } from '@proofdesk/contract/contents'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { makeRandomName } from '../../lib/random-name.ts'
import { upload } from '../../lib/upload.ts'
import { reloadContents } from './reload-contents.ts'
import type { TitleChoice, UploadItem } from './upload-item.ts'
import { isRefusedFile, wordsOfUploadFailure } from './upload-failure.ts'

/** So often a busy server is asked again. */
const MAX_PATIENT_TRIES = 30
const DEFAULT_PAUSE_SECONDS = 2
const MAX_PAUSE_SECONDS = 60
/** How long a server that went silent is asked whether a file has arrived. */
const LOOK_TIMEOUT_MS = 10_000
/** A file that is cut off and came through whole is there by then. */
const LATE_ARRIVAL_SECONDS = 20

export interface Sending {
  collectionId: number
  item: UploadItem
  title: TitleChoice
  signal: AbortSignal
  /** Told what to show of the file meanwhile. */
  onChange: (change: Partial<UploadItem>) => void
}

/** Sends one file. @returns what to show of it then: done, failed with the reason, or cancelled. */
export async function sendItem(sending: Sending): Promise<Partial<UploadItem>> {
  const { signal } = sending
  sending.onChange({ state: 'uploading', share: 0 })
  const { promise: cancelled, reject: cancel } = Promise.withResolvers<never>()
  signal.addEventListener('abort', cancel, { once: true })
  const sent = sendPatiently(sending)
  try {
    await Promise.race([sent, cancelled])
    return { state: 'done', share: 1 }
  } catch (error) {
    if (signal.aborted) {
      void takeBack(sending, sent).catch(() => undefined)
      return { state: 'cancelled', uploadId: makeRandomName() }
    }
    const isFileRefused = isRefusedFile(error)
    if (!isFileRefused && (await findStored(sending).catch(() => undefined))) return { state: 'done', share: 1 }
    return { state: 'failed', problem: wordsOfUploadFailure(error), isFileRefused }
  }
}

/** A server that is busy says when to come again: then the file waits, and nobody has to do anything. */
async function sendPatiently({ collectionId, item, title, signal, onChange }: Sending): Promise<Content> {
  const fields = {
    upload_id: item.uploadId,
    title_type: title.titleType,
    title: title.title,
    collection: collectionId,
    position: item.position,
  }
  for (let tries = 1; ; tries += 1) {
    const leaving = new AbortController()
    const stop = () => leaving.abort()
    // What has left as a whole cannot be called back: its answer says what is to be taken out again.
    const onProgress = (share: number) => {
      if (share === 1) signal.removeEventListener('abort', stop)
      if (!signal.aborted) onChange({ state: share < 1 ? 'uploading' : 'checking', share })
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await upload(createContent, { fields, file: item.file, signal: leaving.signal, onProgress })
    } catch (error) {
      const isBusy = error instanceof ApiError && error.status === 429
      if (!isBusy || tries === MAX_PATIENT_TRIES || signal.aborted) throw error
      onChange({ state: 'waiting', share: 0 })
      await pause(Math.min(error.retryAfterSeconds ?? DEFAULT_PAUSE_SECONDS, MAX_PAUSE_SECONDS), signal)
      onChange({ state: 'uploading', share: 0 })
    }
  }
}

/** Removes what was cancelled and arrives all the same. More of it may have left than the browser had counted. */
async function takeBack(sending: Sending, sent: Promise<Content>): Promise<void> {
  const content = await sent.catch(() => pause(LATE_ARRIVAL_SECONDS).then(() => findStored(sending)))
  if (!content) return
  await call(deleteContent, { params: { id: content.id }, query: { collection: sending.collectionId } })
  await reloadContents()
}

/** The content that the file has become, if it has arrived. */
async function findStored({ collectionId, item }: Sending): Promise<Content | undefined> {
  const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS)
  const { results } = await call(listContents, { query: { collection: collectionId } }, { signal })
  return results.find((content) => content.upload_id === item.uploadId)
}

function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new DOMException('Upload cancelled', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
