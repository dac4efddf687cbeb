import type { Remark, Step, StepName } from '@proofdesk/proof/document-verdict'
import type { ProofFields } from '@proofdesk/proof/log/commitment'
import type { Growth } from './check-growth.ts'
import { isUnlogged } from '@proofdesk/proof/document-verdict'
import { findStep, type Judgement } from './judge-document.ts'

/** All that the page and the command say, in English. */
export const WORDS = {
  title: 'Check a certified PDF',
  lead: 'This page judges a file or a printed page by itself, on this device. Nothing is uploaded, and it needs no network.',
  policyTitle: 'Whom you trust',
  policyLabel: 'Policy file of the organisation',
  policyHint: 'proofdesk-policy.json, as the organisation offers it on its page “Transparency log”.',
  policyFetched: 'Taken from this instance just now.',
  policyBroken: 'This is no policy file that this page can read.',
  policyKept: ' The one before stays.',
  policyNewer: 'This policy file was made by a newer version. A newer page can read it.',
  policyOrganisation: 'Organisation',
  policyFingerprint: 'Fingerprint of the policy',
  policyCompare: 'Compare it with what the organisation told you another way: on paper, by telephone.',
  policyKnown: (since: string) => `The same as since ${since} on this device.`,
  policyFirst: 'Met for the first time on this device, and remembered from now on.',
  policyNew: 'Not met on this device before.',
  policyUnkept: 'This browser remembers nothing here: compare the fingerprint each time.',
  policyChanged: 'This is another policy than before',
  policyChangedText: (since: string) =>
    `Since ${since} this device knew another policy for the same log or organisation. Keys and witnesses change at times; somebody who wants to deceive you would change them, too. Compare the fingerprint before you rely on any answer.`,
  policyReplaced: 'The policy was replaced by another',
  policyReplacedText:
    'Until now this page judged by the policy that is named here. Somebody who wants to deceive you would have you take another. Compare the fingerprint of the new one before you rely on any answer.',
  policyOrganisationBefore: 'Organisation until now',
  policyBefore: 'Fingerprint until now',
  policyBack: 'Go back to the one before',
  policyAccept: 'I have compared it: remember this one',
  policyOffered: 'This file is a policy, no document',
  policyOfferedText:
    'It says whose signatures count, and nothing was judged by it. A document that somebody gave you is never one: use it only if you know that it comes from the organisation.',
  policyUse: 'Use it as the policy',
  policyReplace: (organisation: string) => `Replace the policy of ${organisation} by it`,
  jsonUnknown: 'This is neither a policy file that this page can read nor a signed receipt.',
  documentTitle: 'What you want to check',
  documentLabel: 'Certified PDF',
  documentHint: 'Or a signed receipt. You can also drop it and the policy file anywhere on this page.',
  dropNow: 'Let go of the files to check them',
  severalDropped: 'Several documents at once: only the last one was checked.',
  unread: 'The file cannot be read.',
  waiting: 'Choose the policy file, and a certified PDF or a printed page. What can be said about it will stand here.',
  waitingPolicy:
    'Now choose the policy file of the organisation: without it nobody’s signature can be told from another’s.',
  waitingDocument: 'Now choose the certified PDF, or read a printed page.',
  checking: 'Checking …',
  policyDoubt: 'This answer relies on a policy that changed. See “Whom you trust”.',
  remarksTitle: 'What this does not vouch for',
  fieldsTitle: 'What was approved',
  stepsTitle: 'How this was worked out',
  stepsHint: 'Each step can be opened.',
  stepCode: 'Code',
  noDetails: 'Nothing more is known about this step.',
  fileTitle: 'The file',
  fileName: 'Name',
  fileSize: 'Size',
  fileSha256: 'SHA-256',
  bytes: (count: number) => `${count.toLocaleString('en')} bytes`,
  checkedAt: 'Checked',
  byClock: (time: string) => `${time}, by the clock of this device`,
  copy: 'Copy both signed heads',
  copied: 'Copied',
  copyFailed: 'This browser does not copy: select the text instead.',
  growthTitle: 'The log as it is now',
  saveReceipt: 'Save receipt',
  receiptHint: 'A small file with what stands here. Nobody signs it.',
  receiptSigned: 'Signed by',
  receiptExpires: 'Holds until',
  receiptRevoked: 'Revoked',
  receiptHead: 'Newest head of the log then',
  receiptTitle: 'What it says',
  receiptVerdicts: {
    valid: 'Signed receipt: valid then',
    expired: 'Signed receipt: expired then',
    revoked: 'Signed receipt: revoked then',
  },
  receiptThen: (organisation: string) =>
    `${organisation} signed this when it was asked. How its document is now, a receipt does not tell.`,
  receiptRefused: 'This receipt does not hold',
  receiptBroken: 'This is no receipt that the organisation of the policy has signed.',
  receiptNote: 'Written by the page that made the check, and signed by nobody: it proves nothing to others.',
  pageTitle: 'About this page',
  pageText:
    'Its bytes are the same for every instance of one release. Whoever gives you this page could give you one that lies: compare its SHA-256 with the one published with the release, from somewhere else than here.',
  pageCommands:
    'Commands that print it: sha256sum verify.html (Linux), shasum -a 256 verify.html (macOS), certutil -hashfile verify.html SHA256 (Windows).',
  pageSave: 'Save this page',
  pageSaveHint: 'Use this link rather than the browser’s “Save as”, which changes the file.',
  pageSum: 'What this instance says its SHA-256 is',
  pagePolicy: 'Save the policy file',
  none: 'None',
  never: 'Never',
  noExpiry: 'No expiry',
  noScript: 'This page works by its own script, which this browser does not run.',
} as const

// Of the check, not of what it found: sentences such as `It has expired` follow.
const STATES: Record<Step['state'], string> = { passed: 'Passed', failed: 'Failed', unknown: 'Undecided' }

export const sayState = ({ state }: Step): string => STATES[state]

/** @param seconds since 1970 UTC */
export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return String(seconds)
  // A year has four digits, or a sign and six.
  return `${date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')} UTC`
}

/** The verdict in large words. `valid` stands alone only where nothing is left open. */
export function sayVerdict({ verdict, remarks, steps }: Pick<Judgement, 'verdict' | 'remarks' | 'steps'>): string {
  switch (verdict) {
    case 'unavailable':
      return 'Unavailable: not checked'
    case 'newer':
      return 'Made by a newer version'
    case 'not_found':
      return isUnlogged(steps) ? 'Sealed, but not in the log' : 'Not found'
    case 'altered':
      return 'Altered'
    case 'not_yet':
      return 'Not yet approved then'
    case 'revoked':
      return 'Revoked'
    case 'expired':
      return 'Expired'
    case 'valid':
      return sayValid(remarks)
  }
}

function sayValid(remarks: readonly Remark[]): string {
  if (remarks.includes('fields_hidden')) return 'Valid, not all of it shown'
  if (remarks.includes('not_witnessed')) return 'Valid, not witnessed'
  if (remarks.includes('time_outside') || remarks.includes('time_stated')) return 'Valid, time not confirmed'
  return remarks.length > 0 ? 'Valid, revocation unknown' : 'Valid'
}

/** Why nothing is said of a file. */
export function explainUnjudged(verdict: 'unavailable' | 'newer'): string {
  return verdict === 'unavailable'
    ? 'What runs this check lacks the cryptography it needs (WebCrypto with Ed25519). That says nothing about the file: use a current browser, or the command.'
    : 'Its form is not known here yet, which says nothing against it. A newer page can check it.'
}

/** One or two sentences under the verdict. */
export function explainVerdict(judgement: Judgement): string {
  const { organisation } = judgement.policy
  const genuine = `It was certified by ${organisation}, and not a byte of what was certified was changed since.`
  switch (judgement.verdict) {
    case 'unavailable':
    case 'newer':
      return explainUnjudged(judgement.verdict)
    case 'not_found':
      return isUnlogged(judgement.steps)
        ? `The seal is one of ${organisation}, and whole. The file carries no proof that the log has it.`
        : `There is no proof of ${organisation} in this file. It may be some other file, another organisation’s, or a certified one that is not whole or was saved anew by some program: ask for the file as it was issued.`
    case 'altered':
      return 'It is not what was approved. Do not rely on it.'
    case 'not_yet':
      return `${genuine} ${sayNotYet(Number(findStep(judgement.steps, 'expiry')?.details['approvedAt']))}.`
    case 'revoked':
      return `It was certified by ${organisation} and revoked since, or ended before the day that it states. Do not rely on it.`
    case 'expired':
      return `${genuine} It was in force until ${formatTime(Number(findStep(judgement.steps, 'expiry')?.details['endsAt']))}.`
    case 'valid':
      return genuine
  }
}

/** @param approvedAt seconds since 1970 UTC */
export const sayNotYet = (approvedAt: number): string =>
  `It was approved on ${formatTime(approvedAt)}, after the time that was asked about`

/** A sentence for each thing that the verdict leaves open. */
export function sayRemark(remark: Remark, { steps }: Judgement): string {
  const timeOf = (name: StepName, detail: string) => formatTime(Number(findStep(steps, name)?.details[detail]))
  switch (remark) {
    case 'fields_hidden':
      return 'Not all that was approved is shown in the file. What is not shown may speak of another document: whoever made the entry can use it for both. Ask the organisation.'
    case 'not_witnessed':
      return 'Not witnessed: nobody but the organisation itself vouches for the log. Whoever holds older documents would notice if its past were changed.'
    case 'time_stated':
      return `The time, ${timeOf('time', 'statedAt')}, is stated by the issuer and not independently confirmed.`
    case 'time_outside':
      return `The stated time, ${timeOf('time', 'statedAt')}, is not confirmed. It existed by ${timeOf('time', 'seenAt')}.`
    case 'revocation_unknown': {
      const step = findStep(steps, 'revocation')
      if (step !== undefined && step.code !== 'no_status') return `${sayUnknownRevocation(step)}. Ask the organisation.`
      return `Whether it was revoked is unknown as of ${timeOf('entry', 'time')}, when it was approved: the file cannot tell what came later. Ask the organisation.`
    }
  }
}

type StepWords = string | ((step: Step, organisation: string) => string)

const timeIn = ({ details }: Step, name: string): string => formatTime(Number(details[name]))
const listWitnesses = ({ details }: Step): string =>
  (details['cosignatures'] as { name: string; isIndependent: boolean }[])
    .filter(({ isIndependent }) => isIndependent)
    .map(({ name }) => name)
    .join(', ')

/** A page of revocations was there, and said less than how it is now. */
const isPartlyKnown = (step: Step | undefined): boolean => step?.code?.startsWith('status_') ?? false

function sayPartlyKnown(step: Step | undefined): string {
  const time = formatTime(Number(step?.details['asOf']))
  const list = `The list of revocations, of ${time},`
  switch (step?.code) {
    case 'status_replayed':
      return `${list} is older than one that was seen before: how it is now is being kept back`
    case 'status_silent':
      return `It is newer than the list of revocations, of ${time}`
    case 'status_behind':
      return `${list} was given out before this document: a newer one is needed`
    case 'status_ahead':
      return `${list} is dated in the future: one of today is needed, or the clock here is wrong`
    case 'status_unwitnessed':
      return `${list} or the log of this document was not seen by the witnesses that the policy names: others may be shown another`
    case 'status_later': {
      const said =
        step.details['isRevoked'] === true
          ? 'says that it is revoked, but not since when'
          : 'does not tell how it was then'
      return `${list} was made after the time that was asked about and ${said}`
    }
    default:
      return `It was not revoked as of ${time}; a newer list of revocations, as there should be each day, was not given`
  }
}

function sayUnknownRevocation(step: Step): string {
  if (isPartlyKnown(step)) return sayPartlyKnown(step)
  const unknown = 'Whether it was revoked is not known here'
  if (step.code === 'log_consistency')
    return `${unknown}: the log has signed a tree for the list of revocations that contradicts the one for this document. Both heads prove it, with the list and the document: keep them, and tell others`
  return step.code === 'no_status' ? unknown : `${unknown}: the list of revocations that was given cannot be used`
}

const NOT_LOOKED_AT = 'What else there is to check was not looked at, since a step before it failed'

const STEPS: Record<StepName, Partial<Record<Step['state'], StepWords>>> = {
  seal: {
    passed: 'The seal is whole: not a byte that it covers was changed since',
    failed: 'The seal does not fit: this is not a file that was sealed, or not as it was sealed',
  },
  proof: {
    passed: 'The file carries the proof of its entry in the log',
    failed: 'The file carries no readable proof of an entry in the log',
  },
  entry: {
    passed: 'The entry commits to this very document, and to what was approved',
    unknown: 'The entry commits to this very document, and to something that is not shown',
    failed: 'The entry commits to something else than this document',
  },
  inclusion: {
    passed: ({ details: { index, size } }) => `It is entry ${Number(index)} of a log of ${Number(size)}`,
    failed: 'The entry is not in the tree that the file names',
  },
  checkpoint: {
    passed: (_step, organisation) => `The log of ${organisation} signed that tree`,
    failed: 'The log’s signature is wrong, or that of another log',
  },
  witnesses: {
    passed: (step) => `Independent witnesses saw it: ${listWitnesses(step)}`,
    unknown: 'No independent witness has signed it',
  },
  time: {
    passed: (step) => `Others saw it on ${timeIn(step, 'seenAt')}, as it states`,
    unknown: 'Its time is stated by the issuer, and not independently confirmed',
    failed: (step) => `Its stated time is not confirmed; it existed by ${timeIn(step, 'seenAt')}`,
  },
  signer: {
    passed: 'The certificate that sealed it is one that the policy names',
    failed: 'The certificate that sealed it is none of those that the policy names',
  },
  expiry: {
    passed: ({ details: { endsAt } }) =>
      `${endsAt === null ? 'It never expires' : `It is in force until ${formatTime(Number(endsAt))}`}, as it was approved; a later change of that is not seen here`,
    failed: (step) =>
      step.code === 'not_yet'
        ? sayNotYet(Number(step.details['approvedAt']))
        : `It expired on ${timeIn(step, 'endsAt')}, as it was approved; a later change of that is not seen here`,
  },
  revocation: {
    passed: (step) => `It was not revoked, as of ${timeIn(step, 'asOf')}`,
    unknown: sayUnknownRevocation,
    failed: (step) => `It was revoked, or its expiry was moved to a day that has passed, as of ${timeIn(step, 'asOf')}`,
  },
}

/** How a step went, in one plain sentence. */
export function sayStep(step: Step, organisation: string): string {
  if (step.code === 'not_reached') return NOT_LOOKED_AT
  if (step.code === 'unsupported') return 'It could not be checked here: the cryptography for it is missing'
  if (step.code === 'newer') return 'It was made by a newer version, which is not known here'
  const words = STEPS[step.name][step.state]
  return typeof words === 'function' ? words(step, organisation) : (words ?? NOT_LOOKED_AT)
}

const DETAILS: Record<string, string> = {
  revision0Size: 'Size of the document before its seal, bytes',
  revision0Sha256: 'SHA-256 of the document before its seal',
  claimedAt: 'Time stated in the seal',
  index: 'Number of the entry',
  layout: 'Layout',
  commitment: 'Commitment',
  leafHash: 'Hash of the entry',
  time: 'Time of the entry',
  expiryDay: 'Day of expiry, counted from 1970',
  size: 'Entries in the tree',
  root: 'Root of the tree',
  path: 'Way from the entry to the root',
  origin: 'Name of the log',
  cosignatures: 'Signatures of witnesses',
  isQuorumMet: 'As many as the policy asks for',
  statedAt: 'Stated',
  seenAt: 'Seen by others',
  certificate: 'SHA-256 of the certificate',
  endsAt: 'Expires',
  asOf: 'As of',
  isRevoked: 'Revoked in that list',
  page: 'Page',
  heads: 'Both signed heads',
  message: 'Reason, for the maker of the program',
}
const TIMES = new Set(['claimedAt', 'time', 'statedAt', 'seenAt', 'endsAt', 'asOf'])

/** What a step found, as pairs of name and value. */
export function listDetails({ details }: Step): [name: string, value: string][] {
  return Object.entries(details).map(([name, value]) => {
    const words = DETAILS[name] ?? name
    if (value === null) return [words, name === 'endsAt' ? WORDS.never : WORDS.none]
    if (TIMES.has(name) && typeof value === 'number') return [words, formatTime(value)]
    if (typeof value === 'boolean') return [words, value ? 'Yes' : 'No']
    if (Array.isArray(value)) return [words, value.map(formatOne).join('\n') || WORDS.none]
    return [words, formatOne(value)]
  })
}

const formatOne = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const FIELDS: [name: Exclude<keyof ProofFields, 'doc' | 'pid'>, words: string][] = [
  ['col', 'Title'],
  ['sub', 'Owner'],
  ['org', 'Issuer'],
  ['by', 'Reviewed by'],
  ['iat', 'Approved'],
  ['exp', 'In force until'],
  ['note', 'Words of the reviewer'],
  ['dig', 'Digest of the submission'],
]

/** What was approved, as far as the file shows it. */
export function listFields(fields: Partial<ProofFields>): [name: string, value: string][] {
  const { pid, doc = [] } = fields
  const shown = FIELDS.flatMap(([name, words]): [string, string][] => {
    const value = fields[name]
    if (value === undefined || value === '') return []
    if (value === null) return name === 'exp' ? [[words, WORDS.noExpiry]] : []
    return [[words, name === 'iat' || name === 'exp' ? formatTime(Date.parse(value) / 1000) : value]]
  })
  const files = doc
    .slice(1)
    .map(({ sha256, size, type }, at): [string, string] => [
      `Original ${at + 1}, SHA-256`,
      `${sha256} (${type}, ${WORDS.bytes(size)})`,
    ])
  return [...(pid === undefined ? [] : [['Proof ID', pid] as [string, string]]), ...shown, ...files]
}

/** How the log of today goes with the document. */
export function sayGrowth(growth: Growth): string {
  switch (growth.kind) {
    case 'continues':
      return growth.oldSize === growth.newSize
        ? `Asked just now, the log is the one in this document: ${growth.newSize} entries.`
        : `Asked just now, the log has grown from ${growth.oldSize} to ${growth.newSize} entries, and nothing from before was changed or left out.`
    case 'contradicts':
      return 'The log contradicts what it signed in this document. Both heads are signed by its key and cannot both be true: together they prove it. Keep them, and tell others.'
    case 'unproven':
      return 'This instance could not show that its log of today continues the one in this document. Both signed heads are the evidence: keep them, and ask again.'
    case 'behind':
      return 'This instance shows an older log than the one in this document, as if the newer had never been. Both signed heads are the evidence.'
    case 'unknown':
      return 'This instance did not say how its log goes on from the one in this document. That says nothing against the document.'
  }
}
