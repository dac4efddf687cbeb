import { watchPerson } from '../lib/session.ts'

/** The links of rows of lists. */
const ROW_LINKS = 'main tr a, main li a'

interface LedAway {
  /** Several rows may lead to one address, as those of tickets do: their words tell them apart. */
  href: string
  words: string
  /** Which of those that are alike. */
  place: number
}

/** By the entry of the history whose screen was left. */
const led = new Map<string, LedAway>()

// What rows say is for the person alone who read it.
watchPerson(() => led.clear())

/** Remembers, for whoever goes back, which row leads away from a screen. @param entry Key of its entry of the history. */
export function noteRowLink(entry: string, pressed: EventTarget | null): void {
  const link = pressed instanceof Element ? pressed.closest<HTMLElement>(ROW_LINKS) : null
  led.delete(entry)
  if (!link) return
  const like = describeLink(link)
  led.set(entry, { ...like, place: listLike(like).indexOf(link) })
}

/**
 * The link of the row that led away from a screen, for whoever is back; where it was no link, the only one that leads to the page
 * that was left.
 */
export function findRowLink(entry: string, leftPath: string | undefined): HTMLElement | undefined {
  const left = led.get(entry)
  if (left && left.href.split(/[?#]/)[0] === leftPath) return listLike(left)[left.place]
  const links = listRowLinks(({ href }) => href === leftPath)
  return links.length === 1 ? links[0] : undefined
}

const describeLink = (link: HTMLElement) => ({ href: link.getAttribute('href') ?? '', words: link.textContent ?? '' })

function listLike({ href, words }: Pick<LedAway, 'href' | 'words'>): HTMLElement[] {
  return listRowLinks((link) => link.href === href && link.words === words)
}

function listRowLinks(isMeant: (link: Pick<LedAway, 'href' | 'words'>) => boolean): HTMLElement[] {
  const links = document.querySelectorAll<HTMLElement>(ROW_LINKS)
  return [...links].filter((link) => isMeant(describeLink(link)))
}
