import type { Collection } from '@proofdesk/contract/collections'
import type { Content } from '@proofdesk/contract/contents'
import { useCallback, useEffect, useRef } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { showToast } from '../../ui/toast.ts'
import { useOrderContents } from './api.ts'

/**
 * Moving a file to another row.
 * @param contents As they are shown: the last of the certified PDF first.
 * @returns `area` is the ref of what the rows stand in.
 */
export function useMoving(
  collection: Pick<Collection, 'id' | 'title'>,
  contents: readonly Content[] | undefined,
  onProblem: (problem: string | undefined) => void,
) {
  const { mutate, isPending } = useOrderContents(collection)
  const area = useRef<HTMLDivElement>(null)
  const movedId = useRef<number>(undefined)

  // A row that is put elsewhere loses the focus, and the way on with it.
  useEffect(() => {
    const isMoved = contents?.some(({ id }) => id === movedId.current)
    if (!isMoved || document.activeElement !== document.body) return
    area.current?.querySelector<HTMLElement>(`[data-content-menu="${movedId.current}"] button`)?.focus()
    movedId.current = undefined
  }, [contents])

  const move = useCallback(
    (content: Content, to: number) => {
      const shown = (contents ?? []).map(({ id }) => id)
      const from = shown.indexOf(content.id)
      if (from < 0) return
      shown.splice(to, 0, ...shown.splice(from, 1))
      onProblem(undefined)
      movedId.current = content.id
      mutate(shown.toReversed(), {
        onSuccess: () => showToast(m.content_moved({ place: shown.length - to, count: shown.length })),
        onError: (error) => onProblem(wordsOf(error, m.content_move_failed())),
      })
    },
    [contents, mutate, onProblem],
  )
  return { area, move, isMoving: isPending }
}
