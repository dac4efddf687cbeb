import type { TitleType } from '@proofdesk/contract/contents'

/**
 * `chosen`: not to be sent before the person says so. `waiting`: its turn comes. `checking`: all of it has left, and the
 * server looks at it.
 */
export type UploadState = 'chosen' | 'waiting' | 'uploading' | 'checking' | 'done' | 'failed' | 'cancelled'

export interface TitleChoice {
  titleType: TitleType
  title: string
}

/** A file on its way into a collection. */
export interface UploadItem {
  id: number
  /** The server knows it by this when it is sent again; another one once it was cancelled, or the file is another. */
  uploadId: string
  file: File
  /** Its own title; absent while it follows the one chosen for all. */
  own?: TitleChoice | undefined
  /** Where it is to stand in the collection; decided when it is first sent, so that one that is sent again keeps it. */
  position?: number | undefined
  state: UploadState
  /** Share of its bytes that have left, 0 to 1. */
  share: number
  /** Why it failed, in words. */
  problem?: string | undefined
  /** The file itself was refused: sending it once more would not help. */
  isFileRefused?: boolean
}

/** How a round of uploads ended. */
export interface UploadReport {
  added: number
  failed: number
  cancelled: number
}

/** The files somebody chose for one collection, in the order of choosing. */
export interface UploadQueue {
  /** The title for all that have none of their own. */
  shared: TitleChoice
  items: readonly UploadItem[]
  isRunning: boolean
  /** Of the last round; absent while one runs and when it was about a single file. */
  report?: UploadReport | undefined
}

export const EMPTY_QUEUE: UploadQueue = { shared: { titleType: 'TYPE1', title: '' }, items: [], isRunning: false }

export function isInFlight({ state }: UploadItem): boolean {
  return state === 'waiting' || state === 'uploading' || state === 'checking'
}

/** Whether its title may still be changed and it can be sent. */
export function isIdle({ state }: UploadItem): boolean {
  return state === 'chosen' || state === 'failed' || state === 'cancelled'
}

/** A single file whose title is the form's: the form speaks for it. */
export function isLone({ items }: UploadQueue): boolean {
  return items.length === 1 && items[0]?.own === undefined
}

/** What pressing Add Content sends: what was chosen since; when there is nothing new, what did not arrive. */
export function listSendable({ items }: UploadQueue): UploadItem[] {
  const chosen = items.filter(({ state }) => state === 'chosen')
  return chosen.length > 0 ? chosen : items.filter(isIdle)
}

export function titleOf(item: UploadItem, { shared }: UploadQueue): TitleChoice {
  return item.own ?? shared
}
