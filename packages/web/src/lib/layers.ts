import { useEffect, useRef } from 'react'
import { putOffSteps } from './screen-steps.ts'

/**
 * What lies over the screen, such as a dialog: Back closes it instead of leaving the page. Each layer has an entry of its own
 * in the history, with the address of the screen below, for as long as it is open; then the history is as it was before.
 */
interface Layer {
  leave: () => void
}

/** What entries of the history hold: `idx` is the router's, `layer` counts those that lie over the screen, from 1. */
interface EntryState {
  idx?: number
  layer?: number
}

/** The last opened comes last. */
const layers: Layer[] = []
/** Steps of the router, which begin at the entry of the screen. */
const steps: (() => void)[] = []
/** Until when a way through the history may take, that was asked for here; milliseconds. */
const LONGEST_WAY_MS = 5_000
let way: ReturnType<typeof setTimeout> | undefined
let screenIndex: number | undefined

function readEntry(): EntryState {
  return (history.state ?? {}) as EntryState
}

/** Closes by Back as by Escape. @param leave May leave it open, while something is on its way. */
export function useLayer(isOpen: boolean, leave: () => void): void {
  const latest = useRef(leave)
  useEffect(() => {
    latest.current = leave
  })
  useEffect(() => {
    return isOpen ? addLayer({ leave: () => latest.current() }) : undefined
  }, [isOpen])
}

/** @returns what ends it */
function addLayer(layer: Layer): () => void {
  layers.push(layer)
  settleSoon()
  return () => {
    layers.splice(layers.indexOf(layer), 1)
    settleSoon()
  }
}

/** One layer that takes the place of another keeps its entry. */
function settleSoon(): void {
  setTimeout(settle)
}

function settle(): void {
  if (way !== undefined) return
  const { layer: depth = 0 } = readEntry()
  const wanted = steps.length > 0 ? 0 : layers.length
  if (depth > wanted) {
    way = setTimeout(endWay, LONGEST_WAY_MS, true)
    history.go(wanted - depth)
    return
  }
  if (steps.length > 0) return takeSteps()
  // The browser would scroll the screen back to where it was when the dialog opened.
  if (wanted > 0) history.scrollRestoration = 'manual'
  if (depth === 0) screenIndex = readEntry().idx
  for (let layer = depth + 1; layer <= wanted; layer++) history.pushState({ ...history.state, layer }, '')
  if (wanted === 0) history.scrollRestoration = 'auto'
}

function takeSteps(): void {
  history.scrollRestoration = 'auto'
  for (const step of steps.splice(0)) step()
  screenIndex = readEntry().idx
  if (layers.length > 0) settleSoon()
}

/** @param isLost The browser has not gone it: nobody is to be held by that. */
function endWay(isLost = false): void {
  clearTimeout(way)
  way = undefined
  if (isLost) takeSteps()
  else settle()
}

putOffSteps((step) => {
  steps.push(step)
  settle()
})

// Before the router, which need not know of a way between layers of one screen.
addEventListener(
  'popstate',
  (event) => {
    const { idx, layer: depth = 0 } = readEntry()
    const isSameScreen = idx !== undefined && idx === screenIndex
    screenIndex = idx
    if (isSameScreen) event.stopImmediatePropagation()
    if (way !== undefined) return endWay()
    if (isSameScreen) for (const { leave } of layers.slice(depth).toReversed()) leave()
    // What stays open gets its entry back, and Forward leads to nothing that is closed.
    settleSoon()
  },
  true,
)
// The page may have been loaded anew while a dialog was open.
screenIndex = readEntry().idx
settleSoon()
