import type { Content } from '@proofdesk/contract/contents'
import { COLLECTION_MAX_FILES, CONTENT_MAX_POSITION } from '@proofdesk/contract/limits'
import { useEffect, useSyncExternalStore } from 'react'
import { onStopUploads, type Pending, writePending } from '../../lib/pending-uploads.ts'
import { makeRandomName } from '../../lib/random-name.ts'
import { queryClient } from '../../lib/query-client.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { createStore } from '../../lib/store.ts'
import { m } from '../../paraglide/messages.js'
import { showToast } from '../../ui/toast.ts'
import { findFault } from './check-file.ts'
import { sendItem } from './send-item.ts'
import { reloadContents } from './reload-contents.ts'
import { EMPTY_QUEUE, isIdle, isInFlight, titleOf, type UploadItem, type UploadQueue } from './upload-item.ts'

/*
 * Uploads belong to the tab, not to the screen that started them: they go on while the person looks at something else,
 * and what did not arrive is still there when a session had to be begun anew. They end with the person.
 * Files are sent one after the other, so that they arrive in the order in which they were chosen.
 */

const queues = createStore<ReadonlyMap<number, UploadQueue>>(new Map())
/** What was to be sent since a collection's uploads last stood still. */
const rounds = new Map<number, Set<number>>()
const cancels = new Map<number, AbortController>()
/** How many lists of a collection's uploads are on the screen. */
const shown = new Map<number, number>()
let lastId = 0

export function useUploadQueue(collectionId: number): UploadQueue {
  useEffect(() => {
    shown.set(collectionId, (shown.get(collectionId) ?? 0) + 1)
    return () => {
      shown.set(collectionId, (shown.get(collectionId) ?? 0) - 1)
      const { items, report } = readQueue(collectionId)
      // Whoever comes back later, perhaps to a rejected collection, would take it for news.
      if (report && items.length === 0) changeQueue(collectionId, { report: undefined })
    }
  }, [collectionId])
  return useSyncExternalStore(queues.watch, () => readQueue(collectionId))
}

queues.watch(() => {
  const count = ({ items }: UploadQueue): Partial<Pending> => ({
    moving: items.filter(isInFlight).length,
    chosen: items.filter(isIdle).length,
  })
  writePending('added', new Map([...queues.read()].map(([collectionId, queue]) => [collectionId, count(queue)])))
})

function readQueue(collectionId: number): UploadQueue {
  return queues.read().get(collectionId) ?? EMPTY_QUEUE
}

export function changeQueue(collectionId: number, change: Partial<UploadQueue>): void {
  queues.write(new Map(queues.read()).set(collectionId, { ...readQueue(collectionId), ...change }))
}

export function changeItem(collectionId: number, id: number, change: Partial<UploadItem>): void {
  const { items } = readQueue(collectionId)
  changeQueue(collectionId, { items: items.map((item) => (item.id === id ? { ...item, ...change } : item)) })
}

/** What is known of the collection's limits. */
export interface Room {
  maxUploadMb: number | undefined
  /** Files it holds already. */
  contentCount: number
}

/** Puts files at the end of the queue; what the server would refuse is told at once. */
export function chooseFiles(collectionId: number, files: readonly File[], room: Room): void {
  const { items, isRunning } = readQueue(collectionId)
  const [only] = items
  const [file] = files
  if (items.length === 1 && only?.isFileRefused && file && files.length === 1)
    return replaceFile(collectionId, only.id, file, room)
  const kept = items.filter(({ state }) => state !== 'done')
  const free = COLLECTION_MAX_FILES - room.contentCount - kept.filter((item) => !item.isFileRefused).length
  const added = files.map((chosen, index) =>
    makeItem(chosen, index < free ? findFault(chosen, room.maxUploadMb) : m.collection_full()),
  )
  changeQueue(collectionId, { items: isRunning ? [...items, ...added] : [...kept, ...added], report: undefined })
}

/** Another file in the place of one that was refused; its title stays. */
export function replaceFile(collectionId: number, id: number, file: File, { maxUploadMb }: Room): void {
  const { id: _, ...fresh } = makeItem(file, findFault(file, maxUploadMb))
  changeItem(collectionId, id, { problem: undefined, ...fresh })
}

function makeItem(file: File, fault: string | undefined): UploadItem {
  lastId += 1
  const item = { id: lastId, uploadId: makeRandomName(), file, share: 0 }
  if (fault === undefined) return { ...item, state: 'chosen', isFileRefused: false }
  return { ...item, state: 'failed', problem: fault, isFileRefused: true }
}

export function removeItem(collectionId: number, id: number): void {
  changeQueue(collectionId, {
    items: readQueue(collectionId).items.filter((item) => item.id !== id || isInFlight(item)),
  })
}

/** Stops a file wherever it stands; those that wait are not sent. */
export function cancelItem(collectionId: number, id: number): void {
  const item = readQueue(collectionId).items.find((one) => one.id === id)
  if (item?.state === 'waiting' && !cancels.has(id)) changeItem(collectionId, id, { state: 'cancelled' })
  cancels.get(id)?.abort()
}

export function cancelAll(collectionId: number): void {
  for (const item of readQueue(collectionId).items) if (isInFlight(item)) cancelItem(collectionId, item.id)
}

/** Forgets what is not on its way. */
export function clearIdle(collectionId: number): void {
  const { items } = readQueue(collectionId)
  changeQueue(collectionId, { items: items.filter((item) => !isIdle(item)), report: undefined })
}

/** Sends files of the queue, in its order. Those whose turn has not come wait. */
export function startUploads(collectionId: number, ids: readonly number[]): void {
  const queue = readQueue(collectionId)
  let position = findNextPosition(collectionId, queue)
  const items = queue.items.map((item) => {
    if (!ids.includes(item.id) || !isIdle(item)) return item
    const place = item.position ?? (position <= CONTENT_MAX_POSITION ? position++ : undefined)
    // What is chosen for all may change while these are on their way.
    const own = queue.items.length > 1 ? titleOf(item, queue) : item.own
    return { ...item, state: 'waiting', share: 0, problem: undefined, position: place, own } satisfies UploadItem
  })
  changeQueue(collectionId, { items, report: undefined })
  rounds.set(collectionId, new Set([...(rounds.get(collectionId) ?? []), ...ids]))
  if (!queue.isRunning) void runQueue(collectionId)
}

/** After everything that is there or on its way. Unknown contents leave it to the server: it puts files at the end. */
function findNextPosition(collectionId: number, { items }: UploadQueue): number {
  const contents = queryClient.getQueryData<Content[]>([...QUERY_KEYS.contents, collectionId])
  if (!contents) return CONTENT_MAX_POSITION + 1
  const taken = [...contents, ...items].map(({ position }) => position ?? 0)
  return Math.max(0, ...taken) + 1
}

async function runQueue(collectionId: number): Promise<void> {
  changeQueue(collectionId, { isRunning: true })
  for (;;) {
    const next = readQueue(collectionId).items.find(({ state }) => state === 'waiting')
    if (!next) break
    await sendNext(collectionId, next)
  }
  endRound(collectionId)
}

async function sendNext(collectionId: number, item: UploadItem): Promise<void> {
  const cancel = new AbortController()
  cancels.set(item.id, cancel)
  const outcome = await sendItem({
    collectionId,
    item,
    title: titleOf(item, readQueue(collectionId)),
    signal: cancel.signal,
    onChange: (change) => changeItem(collectionId, item.id, change),
  })
  cancels.delete(item.id)
  changeItem(collectionId, item.id, outcome)
  await reloadContents()
}

/** What has arrived stands in the collection now; what has not stays here. */
function endRound(collectionId: number): void {
  const round = rounds.get(collectionId) ?? new Set()
  rounds.delete(collectionId)
  const { items, shared } = readQueue(collectionId)
  const ofRound = items.filter(({ id }) => round.has(id))
  const count = (state: UploadItem['state']) => ofRound.filter((item) => item.state === state).length
  // Those that were refused before they were sent stand among the others that failed.
  const failed = items.filter(({ state }) => state === 'failed').length
  const report = { added: count('done'), failed, cancelled: count('cancelled') }
  const left = items.filter(({ state }) => state !== 'done')
  const isTitleUsed = report.added > 0 && left.every((item) => item.own !== undefined)
  changeQueue(collectionId, {
    items: left,
    isRunning: false,
    report: round.size > 1 ? report : undefined,
    shared: isTitleUsed ? { ...shared, title: '' } : shared,
  })
  if (report.added > 0) showToast(m.content_created())
  // Whoever looks at something else does not see what stands beside each file.
  const isSeen = (shown.get(collectionId) ?? 0) > 0
  if (!isSeen && count('failed') > 0) showToast(m.uploads_failed_elsewhere({ count: count('failed') }), 'error')
}

onStopUploads(() => {
  for (const cancel of cancels.values()) cancel.abort()
  rounds.clear()
  queues.write(new Map())
})
