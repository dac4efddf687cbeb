import { createContent, listContents } from '@proofdesk/contract/contents'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { upload } from '../../lib/upload.ts'
import type { TitleChoice, UploadItem } from './upload-item.ts'
import { isRefusedFile, wordsOfUploadFailure } from './upload-failure.ts'

/** So often a busy server is asked again. */
const MAX_PATIENT_TRIES = 30
const DEFAULT_PAUSE_SECONDS = 2
const MAX_PAUSE_SECONDS = 60
/** How long a server that went silent is asked whether a file has arrived. */
const LOOK_TIMEOUT_MS = 10_000

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
  const { item, signal, onChange } = sending
  try {
    // What may have arrived already must not be there twice.
    if (!item.isUnsure || !(await isStored(sending))) {
      onChange({ state: 'uploading', share: 0 })
      await sendPatiently(sending)
    }
    return { state: 'done', share: 1 }
  } catch (error) {
    const isAnswered = error instanceof ApiError && error.status < 500
    const isThere = isAnswered ? false : await isStored(sending).catch(() => undefined)
    if (isThere) return { state: 'done', share: 1 }
    const isUnsure = isThere === undefined
    if (signal.aborted) return { state: 'cancelled', isUnsure }
    return { state: 'failed', problem: wordsOfUploadFailure(error), isFileRefused: isRefusedFile(error), isUnsure }
  }
}

/** A server that is busy says when to come again: then the file waits, and nobody has to do anything. */
async function sendPatiently({ collectionId, item, title, signal, onChange }: Sending): Promise<void> {
  const onProgress = (share: number) => onChange({ state: share < 1 ? 'uploading' : 'checking', share })
  const fields = { title_type: title.titleType, title: title.title, collection: collectionId, position: item.position }
  for (let tries = 1; ; tries += 1) {
    try {
      await upload(createContent, { fields, file: item.file, signal, onProgress })
      return
    } catch (error) {
      const isBusy = error instanceof ApiError && error.status === 429
      if (!isBusy || tries === MAX_PATIENT_TRIES) throw error
      onChange({ state: 'waiting', share: 0 })
      await pause(Math.min(error.retryAfterSeconds ?? DEFAULT_PAUSE_SECONDS, MAX_PAUSE_SECONDS), signal)
      onChange({ state: 'uploading', share: 0 })
    }
  }
}

/** Whether a file whose answer was lost is in the collection after all. */
async function isStored({ collectionId, item }: Sending): Promise<boolean> {
  if (item.position === undefined) return false
  const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS)
  const { results } = await call(listContents, { query: { collection: collectionId } }, { signal })
  return results.some(({ position, size }) => position === item.position && size === item.file.size)
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new DOMException('Upload cancelled', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
