import { useLayoutEffect, useState, type RefObject } from 'react'
import type { Area } from './zoom.ts'

/** The room inside an element, without its scroll bars; follows it. */
export function useArea(element: RefObject<HTMLElement | null>): Area {
  const [area, setArea] = useState<Area>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const observed = element.current
    if (!observed) return
    const read = () =>
      setArea((known) => {
        const { clientWidth: width, clientHeight: height } = observed
        return known.width === width && known.height === height ? known : { width, height }
      })
    read()
    const observer = new ResizeObserver(read)
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return area
}
