import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import { NO_EXPIRY, PRINTED_FIELDS, type PrintedField } from '@proofdesk/proof/paper/compare-printed'
import type { PaperClaims } from '@proofdesk/proof/paper/paper-claims'
import { formatPrintedTime } from '@proofdesk/proof/paper/printed-time'
import { isCut } from './compare-field.ts'
import type { PaperJudgement } from './judge-paper.ts'
import { formatTime, sayNotYet } from './words.ts'

/** What the page and the command say of certificates on paper, in English. */
export const PAPER_WORDS = {
  title: 'Check a printed page',
  hint: 'The code on a certificate holds what was approved, signed. It is read and judged here, without a network.',
  cameraStart: 'Read the code with the camera',
  cameraStop: 'Close the camera',
  cameraHint: 'Hold the whole code into the picture.',
  cameraOff: 'No camera can be used here: the browser or the device does not allow it. Choose a picture instead.',
  cameraPicture: 'What the camera sees',
  pictureLabel: 'Picture of the printed page',
  pictureHint: 'A photograph or a scan, from 100 dpi: JPEG, PNG or WebP.',
  pictureEmpty: 'No code was found in this picture. Take it from closer, sharper, and with the whole code in it.',
  picturePdf:
    'This is a PDF, not a picture. A certified PDF belongs above, under “What you want to check”; a scan has to be saved as a picture.',
  pictureKind: 'This is no picture that is read here. Save it as JPEG, PNG or WebP.',
  pictureLarge: `This picture has too many pixels. At most ${IMAGE_MAX_PIXELS / 1_000_000} million are accepted.`,
  reading: 'Reading the picture …',
  textLabel: 'Text of the code',
  textHint: 'As another program read it: its address, or the letters behind #.',
  textWrong: 'This is no code of a certificate.',
  waitingPolicy:
    'The code was read. Now choose the policy file of the organisation: without it nobody’s signature can be told from another’s.',
  claimsTitle: 'What was signed',
  compareTitle: 'Compare it with the page in your hand',
  compareHint:
    'Type what is printed there, as far as you like. What differs from the code was changed on the page: do not rely on it.',
  compared: {
    same: 'says the same',
    beginning: 'begins the same; the code does not hold the rest',
    differs: 'MISMATCH: the code says something else',
  },
  mismatch: (count: number) =>
    count === 1
      ? 'One printed field says something else than the signed code. Do not rely on this page.'
      : `${count} printed fields say something else than the signed code. Do not rely on this page.`,
  limitsTitle: 'What no paper can say',
  limitRevoked: 'Whether it was revoked or its expiry changed since it was printed.',
  limitFile: 'The hash of the certified PDF and its place in the log: neither was known when the page was drawn.',
  limitTime: 'Whether the time is right: it is stated by the issuer.',
  limitPage: 'Whether the other pages belong to it: compare their contents with the PDF.',
  limitCut: (names: string) =>
    `How it goes on where only the beginning is in the code: ${names}. Anything may be printed there. Compare the whole with the certified PDF, or look the Proof ID up on the verification page of the organisation.`,
  lookUp: 'Look it up on this instance',
  lookUpHint: 'This tells the instance which proof you ask about.',
  cut: '… (only the beginning is in the code)',
  code: 'The code itself, which is the evidence',
} as const

/** The verdict in large words; `valid` alone would say more than paper can. */
export function sayPaperVerdict({ verdict }: Pick<PaperJudgement, 'verdict'>): string {
  switch (verdict) {
    case 'unavailable':
      return 'Unavailable: not checked'
    case 'newer':
      return 'Made by a newer version'
    case 'not_found':
      return 'Not signed by this organisation'
    case 'altered':
      return 'Altered'
    case 'not_yet':
      return 'Signed, but not yet approved then'
    case 'expired':
      return 'Signed, but expired'
    case 'valid':
      return 'Signed, revocation unknown'
  }
}

/** One or two sentences under the verdict. */
export function explainPaper({ verdict, claims, code, text, policy }: PaperJudgement): string {
  const { organisation, hasPaperKeys } = policy
  switch (verdict) {
    case 'unavailable':
      return 'What runs this check lacks the cryptography it needs (WebCrypto with Ed25519). That says nothing about the page: use a current browser, or the command.'
    case 'newer':
      return 'The form of the code is not known here yet, which says nothing against it. A newer page can check it.'
    case 'not_found':
      if (text === null) return PAPER_WORDS.textWrong
      return hasPaperKeys
        ? `No key of ${organisation} signed this code. It may be another organisation’s, or a forgery.`
        : `The policy of ${organisation} names no key for paper. Take its newest policy file.`
    case 'altered':
      return code === 'paper'
        ? 'What was read is no whole code, or it was changed. Do not rely on it; if it was typed, look for a slip.'
        : 'The signature does not fit what the code says. Do not rely on this page.'
    case 'not_yet':
      return `${organisation} signed what stands below. ${sayNotYet(claims?.approvedAt ?? 0)}.`
    case 'expired':
      return `${organisation} signed what stands below. It was in force until ${formatTime(claims?.expiresAt ?? 0)}.`
    case 'valid':
      return `${organisation} signed what stands below. Where the page in your hand says something else, the page was changed.`
  }
}

export const PRINTED_LABELS: Record<PrintedField, string> = {
  proofId: 'Proof ID',
  title: 'Title',
  username: 'Owner',
  organisation: 'Issued by',
  approvedAt: 'Approved',
  expiresAt: 'Valid until',
  pages: 'Pages of the files',
}

/** A claim as the certificate prints it. */
export function sayClaim(field: PrintedField, claims: PaperClaims): string {
  switch (field) {
    case 'title':
    case 'organisation':
      return claims[field] + (isCut(field, claims) ? PAPER_WORDS.cut : '')
    case 'approvedAt':
      return formatPrintedTime(claims.approvedAt * 1000)
    case 'expiresAt':
      return claims.expiresAt === null ? NO_EXPIRY : formatPrintedTime(claims.expiresAt * 1000)
    case 'pages':
      return String(claims.pages)
    case 'proofId':
    case 'username':
      return claims[field]
  }
}

/** What the code says nothing of, a sentence each. */
export function listLimits(claims: PaperClaims): string[] {
  const { limitRevoked, limitFile, limitTime, limitPage, limitCut } = PAPER_WORDS
  const cut = PRINTED_FIELDS.filter((field) => isCut(field, claims)).map((field) => PRINTED_LABELS[field])
  return [...(cut.length > 0 ? [limitCut(cut.join(', '))] : []), limitRevoked, limitFile, limitTime, limitPage]
}

/** What only a program can compare. */
export const listHashes = ({ filesRoot, reviewDocument }: PaperClaims): [name: string, value: string][] => [
  ['Root of the files’ hashes', filesRoot],
  ['Review document, SHA-256', reviewDocument],
]
