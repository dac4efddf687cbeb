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
  let hasLeft = item.isUnsure === true
  const transfer = async (): Promise<void> => {
    hasLeft = false
    onChange({ state: 'uploading', share: 0 })
    await sendPatiently(sending, (share) => {
      hasLeft = share >= 1
      onChange({ state: hasLeft ? 'checking' : 'uploading', share })
    })
  }
  try {
    // What may have arrived already must not be there twice.
    if (!hasLeft || !(await isStored(sending))) await transfer()
    return { state: 'done', share: 1 }
  } catch (error) {
    const isUnsure = hasLeft && !(error instanceof ApiError && error.status < 500)
    const isThere = isUnsure && (await isStored(sending).catch(() => undefined))
    if (isThere) return { state: 'done', share: 1 }
    if (signal.aborted) return { state: 'cancelled', isUnsure: isThere === undefined }
    return {
      state: 'failed',
      problem: wordsOfUploadFailure(error),
      isFileRefused: isRefusedFile(error),
      isUnsure: isThere === undefined,
    }
  }
}

/** A server that is busy says when to come again: then the file waits, and nobody has to do anything. */
async function sendPatiently(sending: Sending, onProgress: (share: number) => void): Promise<void> {
  const { collectionId, item, title, signal, onChange } = sending
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
  const { results } = await call(listContents, { query: { collection: collectionId } })
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
