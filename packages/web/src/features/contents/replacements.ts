import { replaceContent, type Content } from '@proofdesk/contract/contents'
import { useEffect, useSyncExternalStore } from 'react'
import { onStopUploads, writePending } from '../../lib/pending-uploads.ts'
import { createStore } from '../../lib/store.ts'
import { upload } from '../../lib/upload.ts'
import { m } from '../../paraglide/messages.js'
import { showToast } from '../../ui/toast.ts'
import { keepContent, reloadContents } from './reload-contents.ts'
import { wordsOfReplaceFailure } from './upload-failure.ts'

/*
 * Files on their way to take the place of others, one at a time in each collection. As those that are added they belong to the
 * tab, not to the screen that started them, and end with the person.
 */

export interface Replacement {
  /** What it takes the place of. */
  content: Content
  /** Share of the bytes that have left, 0 to 1. */
  share: number
}

/** By collection. */
const replacements = createStore<ReadonlyMap<number, Replacement>>(new Map())
const cancels = new Map<number, AbortController>()
/** The screens that show a collection's files, and say there why another was not taken. */
const tellers = new Map<number, Set<(problem: string) => void>>()

replacements.watch(() => {
  writePending('replaced', new Map([...replacements.read().keys()].map((id) => [id, { replacing: 1 }])))
})

/** @param onProblem Told why one failed while the screen stands. */
export function useReplacement(collectionId: number, onProblem: (problem: string) => void): Replacement | undefined {
  useEffect(() => {
    const told = tellers.get(collectionId) ?? new Set()
    tellers.set(collectionId, told.add(onProblem))
    return () => void told.delete(onProblem)
  }, [collectionId, onProblem])
  return useSyncExternalStore(replacements.watch, () => replacements.read().get(collectionId))
}

/** Puts a file in the place of another. Nothing happens while that is done to any of its collection. */
export async function startReplacing(content: Content, file: File): Promise<void> {
  const { id: collectionId } = content.collection
  if (cancels.has(collectionId)) return
  const cancel = new AbortController()
  const { signal } = cancel
  cancels.set(collectionId, cancel)
  const onProgress = (share: number) => {
    if (!signal.aborted) replacements.write(new Map(replacements.read()).set(collectionId, { content, share }))
  }
  onProgress(0)
  try {
    const params = { id: content.id }
    const changed = await upload(replaceContent, { params, fields: {}, file, signal, onProgress })
    await keepContent(changed)
    if (!signal.aborted) showToast(m.content_replaced())
  } catch (error) {
    if (!signal.aborted) tellFailure(content, wordsOfReplaceFailure(error))
    // What is shown here was out of date.
    void reloadContents()
  } finally {
    if (!signal.aborted) forgetReplacement(collectionId)
  }
}

function tellFailure({ collection, file_name: file }: Content, problem: string): void {
  const shown = tellers.get(collection.id)
  for (const tell of shown ?? []) tell(problem)
  // Whoever looks at something else does not see what stands above the files.
  if (!shown?.size) showToast(m.content_replace_failed_elsewhere({ file, message: problem }), 'error')
}

function forgetReplacement(collectionId: number): void {
  cancels.delete(collectionId)
  replacements.write(new Map([...replacements.read()].filter(([id]) => id !== collectionId)))
}

onStopUploads(() => {
  for (const [collectionId, cancel] of cancels) {
    cancel.abort()
    forgetReplacement(collectionId)
  }
})
