import { useCallback, useSyncExternalStore } from 'react'
import { keepDraft, nameDraft, readDraft, watchDrafts } from './drafts.ts'
import { useSession } from './session.ts'
import { useUnsaved } from './unsaved.ts'

/**
 * Text that outlives its screen: a reload, another page, a session that ends. Setting it to '' forgets it, and so does whoever
 * has sent it meanwhile.
 * @param name Of the field, with the id of what it belongs to: `comment:7`.
 */
export function useDraft(name: string): [text: string, setText: (text: string) => void] {
  const key = nameDraft(useSession(), name)
  const text = useSyncExternalStore(watchDrafts, () => readDraft(key))
  // It goes with the tab, and with signing out.
  useUnsaved(text !== '')
  const setText = useCallback((next: string) => keepDraft(key, next), [key])
  return [text, setText]
}
