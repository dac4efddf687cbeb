const PLACES = '[data-place], [role=dialog], [role=alertdialog], section, main'

/**
 * As the `ref` of a button, or a form, that goes away with the part of the screen it stands in, such as one to try again.
 * Whoever is on it then goes on at the heading of that part, or waits there for one to come: a focus that is gone with what had it begins at
 * the top of the page again.
 */
export function goOnAtHeading(control: HTMLElement | null): (() => void) | undefined {
  if (!control) return undefined
  return () => {
    if (!control.contains(document.activeElement)) return
    // What comes in place of it is there then.
    queueMicrotask(rememberPlace(control))
  }
}

/**
 * @returns what leads to the heading of the part of the screen that something stands in now, or else of the whole screen, if the
 * focus is nowhere by then
 */
export function rememberPlace(start: Element): () => void {
  const places = listPlaces(start)
  return () => {
    const place = places.find(({ isConnected }) => isConnected) ?? document.querySelector('main')
    if (place && isNowhere()) leadTo(place)
  }
}

/** The nearest first. */
function listPlaces(start: Element): HTMLElement[] {
  const places: HTMLElement[] = []
  for (let at = start.parentElement; at; at = at.parentElement) if (at.matches(PLACES)) places.push(at)
  return places
}

function leadTo(place: HTMLElement): void {
  if (focusHeadingOf(place)) return
  focusAlways(place)
  const watching = new MutationObserver(() => {
    const isWaiting = place.isConnected && (document.activeElement === place || isNowhere())
    if (!isWaiting || focusHeadingOf(place)) watching.disconnect()
  })
  watching.observe(place, { childList: true, subtree: true })
}

function focusHeadingOf(place: HTMLElement): boolean {
  const heading = place.querySelector<HTMLElement>('h1, h2, h3')
  if (heading) focusAlways(heading)
  return heading !== null
}

/** The place on screen stays as it is: it was where the button stood. */
function focusAlways(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1
  element.focus({ preventScroll: true })
}

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body
