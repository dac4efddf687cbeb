import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import { formatTime, WORDS } from '../words.ts'
import { make, makeFacts } from './element.ts'
import type { Acquaintance } from './known-policies.ts'

/** What is known of a policy that is relied on. */
export interface PolicyState {
  policy: InstancePolicy
  acquaintance: Acquaintance
  /** It came from the instance that served the page. */
  isFetched: boolean
}

/** Shows whose policy it is, and how it goes with what this browser has met. */
export function showPolicy({ policy, acquaintance, isFetched }: PolicyState, onAccept: () => void): Node[] {
  const { organisation, fingerprint } = policy
  const facts = makeFacts([
    [WORDS.policyOrganisation, organisation],
    [WORDS.policyFingerprint, groupDigits(fingerprint)],
  ])
  const said = isFetched ? [make('p', { class: 'hint' }, WORDS.policyFetched)] : []
  if (acquaintance.kind === 'changed') return [warnOfChange(acquaintance, onAccept), facts, ...said]
  return [facts, make('p', { class: 'hint' }, sayAcquaintance(acquaintance), ' ', WORDS.policyCompare), ...said]
}

function sayAcquaintance(acquaintance: Exclude<Acquaintance, { kind: 'changed' }>): string {
  switch (acquaintance.kind) {
    case 'known':
      return WORDS.policyKnown(formatTime(acquaintance.since / 1000))
    case 'first':
      return WORDS.policyFirst
    case 'unkept':
      return WORDS.policyUnkept
  }
}

function warnOfChange(
  { since, fingerprint }: { since: number; fingerprint: string },
  onAccept: () => void,
): HTMLElement {
  const accept = make('button', { type: 'button' }, WORDS.policyAccept)
  accept.addEventListener('click', onAccept)
  return make(
    'div',
    { class: 'alarm', role: 'alert' },
    make('h3', {}, WORDS.policyChanged),
    make('p', {}, WORDS.policyChangedText(formatTime(since / 1000))),
    makeFacts([[WORDS.policyBefore, groupDigits(fingerprint)]]),
    accept,
  )
}

/** In groups of eight, as people read it aloud. */
const groupDigits = (hex: string): string => hex.replace(/.{8}(?=.)/g, '$& ')
