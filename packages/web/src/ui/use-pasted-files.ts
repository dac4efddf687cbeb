import { useEffect, useEffectEvent } from 'react'

/** Hands on the files that are pasted anywhere on the page, except where somebody pastes text into a field. */
export function usePastedFiles(onFiles: (files: File[]) => void): void {
  const handOn = useEffectEvent(onFiles)
  useEffect(() => {
    const handlePaste = (event: ClipboardEvent) => {
      const { clipboardData, target } = event
      if (event.defaultPrevented || !clipboardData || clipboardData.files.length === 0) return
      if (target instanceof Element) {
        // A copied passage carries its picture beside its text.
        if (target.closest('input, textarea, [contenteditable]') && clipboardData.types.includes('text/plain')) return
        if (target.closest('[role=dialog], [role=alertdialog]')) return
      }
      event.preventDefault()
      handOn([...clipboardData.files])
    }
    document.addEventListener('paste', handlePaste)
    return () => document.removeEventListener('paste', handlePaste)
  }, [])
}
