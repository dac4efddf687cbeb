import { expect, test } from 'vitest'
import { stepScale, toScale, ZOOM_MAX, ZOOM_MIN } from './zoom.ts'

const A4 = { width: 794, height: 1123 }

test('a page fits the width, or is seen whole, within what zooming allows', () => {
  expect(toScale('width', { width: 818, height: 400 }, A4)).toBe(1)
  expect(toScale('page', { width: 818, height: 585.5 }, A4)).toBe(0.5)
  expect(toScale('width', { width: 0, height: 0 }, A4)).toBe(ZOOM_MIN)
  expect(toScale('width', { width: 100_000, height: 10 }, A4)).toBe(ZOOM_MAX)
  expect(toScale(1.25, { width: 1, height: 1 }, A4)).toBe(1.25)
})

test('steps lead up and down by way of 100 %, from anywhere, and end at the limits', () => {
  expect(stepScale(0.93, 1)).toBe(1)
  expect(stepScale(1.07, -1)).toBe(1)
  let scale = 1
  for (let i = 0; i < 30; i++) scale = stepScale(scale, 1)
  expect(scale).toBe(ZOOM_MAX)
  for (let i = 0; i < 30; i++) scale = stepScale(scale, -1)
  expect(scale).toBe(ZOOM_MIN)
})
