import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { findTop, PAGE_GAP, readPlace, type FlowPlace, type PageFlow } from './page-flow.ts'
import type { Area } from './zoom.ts'

/**
 * Scrolling through a flow of pages. The place one reads at is kept when pages change their size: by zooming, by turning,
 * or because their size is learned late.
 */
export function useFlowScroll(scrollerRef: RefObject<HTMLElement | null>, flow: PageFlow, area: Area) {
  const [top, setTop] = useState(0)
  const place = useRef<FlowPlace>({ index: 0, share: 0 })
  const middle = useRef(0.5)
  const frame = useRef(0)

  useLayoutEffect(() => {
    const element = scrollerRef.current
    if (!element || area.width === 0) return
    element.scrollTop = place.current.index === 0 && place.current.share <= 0 ? 0 : findTop(flow, place.current)
    element.scrollLeft = middle.current * element.scrollWidth - element.clientWidth / 2
    // What scrolls by this is told as any scrolling.
  }, [scrollerRef, flow, area])

  useLayoutEffect(() => () => cancelAnimationFrame(frame.current), [])

  const handleScroll = useCallback(() => {
    const element = scrollerRef.current
    if (!element) return
    place.current = readPlace(flow, element.scrollTop)
    middle.current = (element.scrollLeft + element.clientWidth / 2) / Math.max(1, element.scrollWidth)
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => setTop(element.scrollTop))
  }, [scrollerRef, flow])

  /** @param share How far down the page; the place comes to a third of the area. Without it the page's top comes up. */
  const goTo = useCallback(
    (index: number, share?: number) => {
      const element = scrollerRef.current
      if (!element) return
      const at = findTop(flow, { index, share: share ?? 0 })
      element.scrollTop = share === undefined ? at - PAGE_GAP : at - area.height / 3
      place.current = readPlace(flow, element.scrollTop)
      setTop(element.scrollTop)
    },
    [scrollerRef, flow, area],
  )

  return { top, handleScroll, goTo }
}

/** Index of the page one reads: of those in sight the one that is seen most of, at the very end the last. */
export function findRead({ boxes, height }: PageFlow, top: number, areaHeight: number): number {
  if (top > 0 && top + areaHeight >= height - 1) return boxes.length - 1
  let best = 0
  let most = -1
  boxes.forEach((box, index) => {
    const seen = Math.min(top + areaHeight, box.top + box.height) - Math.max(top, box.top)
    const share = seen / Math.min(box.height, areaHeight)
    if (share > most + 0.001) {
      best = index
      most = share
    }
  })
  return best
}
