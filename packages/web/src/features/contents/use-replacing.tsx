import { ACCEPTED_FILES, type Content } from '@proofdesk/contract/contents'
import { useCallback, useRef, type ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { FileInput } from '../../ui/file-input.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { useMaxUploadMb } from './api.ts'
import { findFault } from './check-file.ts'
import { startReplacing, useReplacement } from './replacements.ts'

/**
 * Putting another file in the place of one.
 * @returns `choose` opens the browser's dialog; `control` must stand on the page for it, and shows how far the file is.
 */
export function useReplacing(
  collectionId: number,
  onProblem: (problem: string | undefined) => void,
): {
  choose: (content: Content) => void
  /** Absent while none is on its way. */
  replacedId: number | undefined
  control: ReactNode
} {
  const input = useRef<HTMLInputElement>(null)
  const chosen = useRef<Content>(undefined)
  const maxUploadMb = useMaxUploadMb()
  const replacement = useReplacement(collectionId, onProblem)

  const choose = useCallback((content: Content) => {
    chosen.current = content
    input.current?.click()
  }, [])

  function replace(file: File) {
    if (!chosen.current) return
    const fault = findFault(file, maxUploadMb)
    onProblem(fault)
    if (fault === undefined) void startReplacing(chosen.current, file)
  }

  return {
    choose,
    replacedId: replacement?.content.id,
    control: (
      <>
        <FileInput
          ref={input}
          label={m.content_replace_file()}
          accept={ACCEPTED_FILES}
          onFiles={([file]) => file && replace(file)}
        />
        {replacement && (
          <ProgressBar
            label={
              replacement.share < 1
                ? m.content_replacing({ file: replacement.content.file_name })
                : m.content_checking()
            }
            share={replacement.share}
          />
        )}
      </>
    ),
  }
}
