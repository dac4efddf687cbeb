import { useCallback, useState } from 'react'
import { keepDraft, nameDraft, readDraft } from './drafts.ts'
import { useSession } from './session.ts'

/**
 * Text that outlives its screen: a reload, another page, a session that ends. Setting it to '' forgets it.
 * @param name Of the field, with the id of what it belongs to: `comment:7`.
 */
export function useDraft(name: string): [text: string, setText: (text: string) => void] {
  const key = nameDraft(useSession(), name)
  const [kept, setKept] = useState(() => ({ key, text: readDraft(key) }))
  const current = kept.key === key ? kept : { key, text: readDraft(key) }
  if (kept.key !== key) setKept(current)
  const setText = useCallback(
    (text: string) => {
      keepDraft(key, text)
      setKept({ key, text })
    },
    [key],
  )
  return [current.text, setText]
}
