import { type DerElement, readElement } from '@proofdesk/proof/der'
import { refuse } from '@proofdesk/proof/errors'

/**
 * The first elements inside one, at most `most`: a container of some megabytes can hold a million of them, and each costs more
 * memory than it takes in the file.
 * @throws ProofError `der`.
 */
export function readFirst(element: DerElement | undefined, tag: number, most: number): DerElement[] {
  if (element?.tag !== tag) return refuse('der', `element of tag ${tag} expected`)
  const children: DerElement[] = []
  for (let at = 0; at < element.contents.length && children.length < most;) {
    const child = readElement(element.contents, at)
    children.push(child)
    at += child.whole.length
  }
  return children
}
