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
  /** What this page relied on until now, unless nobody has confirmed the new one yet. */
  before?: PolicyState
}

/** What a person may say to a policy that took the place of another. */
export interface PolicyChoices {
  onAccept: () => void
  onBack: () => void
}

/** Whether somebody has to compare it before an answer is worth anything. */
export const isPolicyInDoubt = ({ acquaintance, before }: PolicyState): boolean =>
  acquaintance.kind === 'changed' || before !== undefined

/** Shows whose policy it is, and how it goes with what this browser has met. */
export function showPolicy(state: PolicyState, choices: PolicyChoices): Node[] {
  const { policy, acquaintance, isFetched } = state
  const said = isFetched ? [make('p', { class: 'hint' }, WORDS.policyFetched)] : []
  return [
    ...(isPolicyInDoubt(state) ? [warnOfChange(state, choices)] : []),
    makePolicyFacts(policy, WORDS.policyOrganisation, WORDS.policyFingerprint),
    ...(acquaintance.kind === 'changed'
      ? []
      : [make('p', { class: 'hint' }, sayAcquaintance(acquaintance), ' ', WORDS.policyCompare)]),
    ...said,
  ]
}

function sayAcquaintance(acquaintance: Exclude<Acquaintance, { kind: 'changed' }>): string {
  switch (acquaintance.kind) {
    case 'known':
      return WORDS.policyKnown(formatTime(acquaintance.since / 1000))
    case 'first':
      return WORDS.policyFirst
    case 'new':
      return WORDS.policyNew
    case 'unkept':
      return WORDS.policyUnkept
  }
}

function warnOfChange({ acquaintance, before }: PolicyState, { onAccept, onBack }: PolicyChoices): HTMLElement {
  const changed = acquaintance.kind === 'changed' ? acquaintance : undefined
  // Often the one that the page relied on is the one that the browser remembers: said once.
  const replaced = before && before.policy.fingerprint !== changed?.fingerprint ? before.policy : undefined
  return make(
    'div',
    { class: 'alarm', role: 'alert' },
    ...(changed
      ? sayChange(WORDS.policyChanged, WORDS.policyChangedText(formatTime(changed.since / 1000)), changed)
      : []),
    ...(replaced ? sayChange(WORDS.policyReplaced, WORDS.policyReplacedText, replaced) : []),
    make(
      'div',
      { class: 'choices' },
      makeButton(WORDS.policyAccept, onAccept),
      before && makeButton(WORDS.policyBack, onBack),
    ),
  )
}

const sayChange = (title: string, text: string, known: NamedPolicy): Node[] => [
  make('h3', {}, title),
  make('p', {}, text),
  makePolicyFacts(known, WORDS.policyOrganisationBefore, WORDS.policyBefore),
]

/** A policy that was handed in where documents are: told as what it is, and relied on only when that is said. */
export function offerPolicy(
  { name, policy }: { name: string; policy: InstancePolicy },
  inUse: InstancePolicy | undefined,
  onUse: () => void,
): HTMLElement {
  const words = inUse ? WORDS.policyReplace(inUse.organisation) : WORDS.policyUse
  return make(
    'div',
    { class: inUse ? 'alarm' : 'offer', role: 'alert' },
    make('h3', {}, WORDS.policyOffered),
    make('p', {}, WORDS.policyOfferedText),
    makeFacts([[WORDS.fileName, name]]),
    makePolicyFacts(policy, WORDS.policyOrganisation, WORDS.policyFingerprint),
    make('div', { class: 'choices' }, makeButton(words, onUse)),
  )
}

type NamedPolicy = Pick<InstancePolicy, 'organisation' | 'fingerprint'>

const makePolicyFacts = ({ organisation, fingerprint }: NamedPolicy, ...names: [string, string]): HTMLElement =>
  makeFacts([
    [names[0], organisation],
    [names[1], groupDigits(fingerprint)],
  ])

function makeButton(words: string, onPress: () => void): HTMLButtonElement {
  const button = make('button', { type: 'button' }, words)
  button.addEventListener('click', onPress)
  return button
}

/** In groups of eight, as people read it aloud. */
const groupDigits = (hex: string): string => hex.replace(/.{8}(?=.)/g, '$& ')
