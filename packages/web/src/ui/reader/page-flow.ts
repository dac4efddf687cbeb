/** Geometry of the pages of a document, one under the other. All lengths are CSS pixels unless said otherwise. */

/** Room between and around pages. */
export const PAGE_GAP = 12

export interface PageSize {
  /** At a scale of 1, as it is seen: turned by what the document and the reader say. */
  width: number
  height: number
}

export interface PageBox extends PageSize {
  /** Distance from the top of the flow. */
  top: number
}

export interface PageFlow {
  boxes: PageBox[]
  height: number
  /** Of the widest page, with the room around it. */
  width: number
}

export function layOutPages(sizes: readonly PageSize[], scale: number): PageFlow {
  let top = PAGE_GAP
  let widest = 0
  const boxes = sizes.map((size) => {
    const box = { top, width: Math.floor(size.width * scale), height: Math.floor(size.height * scale) }
    top += box.height + PAGE_GAP
    widest = Math.max(widest, box.width)
    return box
  })
  return { boxes, height: top, width: widest + 2 * PAGE_GAP }
}

/** Index of the page at this distance from the top; between two pages the one below. */
export function findPageAt({ boxes }: PageFlow, top: number): number {
  let low = 0
  let high = boxes.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    const box = boxes[middle]
    if (box && box.top + box.height < top) low = middle + 1
    else high = middle
  }
  return Math.max(0, low)
}

/** First and last index of the pages to draw: those in sight, and `around` more on either side. */
export function findDrawn(flow: PageFlow, top: number, height: number, around: number): [first: number, last: number] {
  const first = findPageAt(flow, top)
  const last = findPageAt(flow, top + height)
  return [Math.max(0, first - around), Math.min(flow.boxes.length - 1, last + around)]
}

/** A place in the document that outlives zooming, turning and pages whose size is learned late. */
export interface FlowPlace {
  index: number
  /** How far down that page, as a share of its height; below 0 above its top. */
  share: number
}

export function readPlace(flow: PageFlow, top: number): FlowPlace {
  const index = findPageAt(flow, top)
  const box = flow.boxes[index]
  return { index, share: box && box.height > 0 ? (top - box.top) / box.height : 0 }
}

export function findTop({ boxes }: PageFlow, { index, share }: FlowPlace): number {
  const box = boxes[index]
  return box ? box.top + share * box.height : 0
}
