import { ACCEPTED_FILES, type Content } from '@proofdesk/contract/contents'
import { useCallback, useRef, useState, type ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { FileInput } from '../../ui/file-input.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { showToast } from '../../ui/toast.ts'
import { useMaxUploadMb, useReplaceContent } from './api.ts'
import { findFault } from './check-file.ts'
import { wordsOfReplaceFailure } from './upload-failure.ts'

/**
 * Putting another file in the place of one.
 * @returns `choose` opens the browser's dialog; `control` must stand on the page for it, and shows how far the file is.
 */
export function useReplacing(onProblem: (problem: string | undefined) => void): {
  choose: (content: Content) => void
  /** Absent while none is on its way. */
  replacedId: number | undefined
  control: ReactNode
} {
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<Content>()
  const [share, setShare] = useState(0)
  const maxUploadMb = useMaxUploadMb()
  const { mutate, isPending } = useReplaceContent(setShare)

  const choose = useCallback((content: Content) => {
    setChosen(content)
    input.current?.click()
  }, [])

  function replace(file: File) {
    if (!chosen) return
    const fault = findFault(file, maxUploadMb)
    onProblem(fault)
    if (fault !== undefined) return
    setShare(0)
    mutate(
      { id: chosen.id, file },
      {
        onSuccess: () => showToast(m.content_replaced()),
        onError: (error) => onProblem(wordsOfReplaceFailure(error)),
      },
    )
  }

  return {
    choose,
    replacedId: isPending ? chosen?.id : undefined,
    control: (
      <>
        <FileInput
          ref={input}
          label={m.content_replace_file()}
          accept={ACCEPTED_FILES}
          onFiles={([file]) => file && replace(file)}
        />
        {isPending && (
          <ProgressBar
            label={share < 1 ? m.content_replacing({ file: chosen?.file_name ?? '' }) : m.content_checking()}
            share={share}
          />
        )}
      </>
    ),
  }
}
