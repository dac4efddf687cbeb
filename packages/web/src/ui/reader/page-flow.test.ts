import { expect, test } from 'vitest'
import { findDrawn, findPageAt, findTop, layOutPages, PAGE_GAP, readPlace } from './page-flow.ts'
import { findRead } from './use-flow-scroll.ts'

const SIZES = Array.from({ length: 600 }, (_, i) => ({ width: 100, height: i % 2 === 0 ? 100 : 50 }))
const FLOW = layOutPages(SIZES, 2)

test('pages stand one under the other with room between, and the flow is as high as all of them', () => {
  expect(FLOW.boxes[0]).toEqual({ top: PAGE_GAP, width: 200, height: 200 })
  expect(FLOW.boxes[1]?.top).toBe(PAGE_GAP + 200 + PAGE_GAP)
  expect(FLOW.height).toBe(600 * PAGE_GAP + PAGE_GAP + 300 * 300)
})

test('each place belongs to the page it is in, and above and below there is the first and the last', () => {
  for (const [index, box] of FLOW.boxes.entries()) {
    expect(findPageAt(FLOW, box.top)).toBe(index)
    expect(findPageAt(FLOW, box.top + box.height)).toBe(index)
  }
  expect(findPageAt(FLOW, -50)).toBe(0)
  expect(findPageAt(FLOW, FLOW.height + 50)).toBe(599)
  expect(findPageAt(layOutPages([], 1), 10)).toBe(0)
})

test('of 600 pages only those in sight and two on either side are drawn', () => {
  for (let top = 0; top < FLOW.height; top += 997) {
    const [first, last] = findDrawn(FLOW, top, 800, 2)
    expect(last - first).toBeLessThan(12)
    expect(first).toBeGreaterThanOrEqual(0)
    expect(last).toBeLessThan(600)
  }
})

test('a place is the same page and the same share of it at another zoom', () => {
  const place = readPlace(FLOW, FLOW.boxes[301]!.top + 25)
  expect(place).toEqual({ index: 301, share: 0.25 })
  const larger = layOutPages(SIZES, 4)
  expect(findTop(larger, place)).toBe(larger.boxes[301]!.top + 50)
})

test('one reads the page most of which is seen, and at the very end the last', () => {
  expect(findRead(FLOW, 0, 250)).toBe(0)
  expect(findRead(FLOW, FLOW.boxes[4]!.top - 20, 250)).toBe(4)
  expect(findRead(FLOW, FLOW.height - 900, 900)).toBe(599)
  expect(findRead(layOutPages(SIZES.slice(0, 2), 1), 0, 900)).toBe(0)
})
