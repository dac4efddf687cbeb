import { showThumbnail, type Content } from '@proofdesk/contract/contents'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callFile } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

/** How far below and above what is seen a picture begins to load, so that it is there when one gets to it. */
const AHEAD = '200px'

/**
 * The first page of a content as a picture, fetched once the box it is for comes into view.
 * @returns `picture` once it is here; `setBox` is the ref of its box.
 */
export function useThumbnail({ id, sha256, thumbnail }: Pick<Content, 'id' | 'sha256' | 'thumbnail'>) {
  const [box, setBox] = useState<Element | null>(null)
  const isSeen = useSeen(box)
  const { data } = useQuery({
    queryKey: [...QUERY_KEYS.thumbnails, id, sha256],
    queryFn: ({ signal }) => callFile(showThumbnail, { params: { id } }, { signal }),
    enabled: isSeen && thumbnail === 'READY',
    // Once drawn, it stays as it is while the file does.
    staleTime: Infinity,
  })
  return { setBox, picture: data }
}

/** Whether it has come into view so far. Where the browser cannot tell, it has not. */
function useSeen(box: Element | null): boolean {
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    if (!box || isSeen || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsSeen(true)
      },
      { rootMargin: AHEAD },
    )
    observer.observe(box)
    return () => observer.disconnect()
  }, [box, isSeen])
  return isSeen
}
