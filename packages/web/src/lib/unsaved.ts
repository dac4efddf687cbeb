import { useEffect } from 'react'

/** One for each field or form in sight that holds what would go with the tab. */
const unsaved = new Set<object>()

/** Asks whoever closes the tab or loads it anew, for as long as something in sight is not saved; so does signing out. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    return isUnsaved ? holdTab() : undefined
  }, [isUnsaved])
}

export function isSomethingUnsaved(): boolean {
  return unsaved.size > 0
}

/** @returns what ends it */
function holdTab(): () => void {
  const mark = {}
  unsaved.add(mark)
  // The same listener twice is one.
  addEventListener('beforeunload', askBeforeLeaving)
  return () => {
    unsaved.delete(mark)
    if (unsaved.size === 0) removeEventListener('beforeunload', askBeforeLeaving)
  }
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
