import { PAGE_GAP, type PageSize } from './page-flow.ts'

/** A number is a scale, 1 for the size on paper (96 CSS pixels an inch). */
export type Zoom = 'width' | 'page' | number

export const ZOOM_MIN = 0.25
export const ZOOM_MAX = 5
const STEPS = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5]
/** Rounding must not make a step look like the one before it. */
const SAME = 0.01

export interface Area {
  /** CSS pixels. */
  width: number
  height: number
}

/** @param size Of the page in sight, at a scale of 1. */
export function toScale(zoom: Zoom, area: Area, size: PageSize): number {
  if (typeof zoom === 'number') return zoom
  const fitsWidth = (area.width - 2 * PAGE_GAP) / size.width
  const fitsHeight = (area.height - 2 * PAGE_GAP) / size.height
  return clampScale(zoom === 'width' ? fitsWidth : Math.min(fitsWidth, fitsHeight))
}

/** The next larger step, or the next smaller one. */
export function stepScale(scale: number, direction: 1 | -1): number {
  const next =
    direction === 1 ? STEPS.find((step) => step > scale + SAME) : STEPS.findLast((step) => step < scale - SAME)
  return next ?? clampScale(scale)
}

function clampScale(scale: number): number {
  // An area that has no size yet fits nothing.
  if (!Number.isFinite(scale) || scale <= 0) return ZOOM_MIN
  return Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, scale))
}
