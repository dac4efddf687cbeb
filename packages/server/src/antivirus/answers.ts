/** What clamd says of a file. */
export type ScanVerdict =
  | { found: false }
  /** By the name its signature has. */
  | { found: true; signature: string }
  /** Not looked at as a whole: longer than clamd's `StreamMaxLength`, or beyond its other limits with `AlertExceedsMax`. */
  | { found: 'not-whole'; limit: string }

/** What clamd is, as it says itself. */
export interface ScannerVersion {
  /** Such as `ClamAV 1.4.6`. */
  version: string
  /** When its official signatures were made, in milliseconds; undefined where it has none. */
  signaturesAt: number | undefined
}

/** clamd's own finds where a file goes beyond a limit, such as `Heuristics.Limits.Exceeded.MaxFileSize`. */
const LIMIT_FIND = /^Heuristics\.Limits\.Exceeded\.?(\w*)$/

/**
 * Reads an answer to INSTREAM, without the zero at its end. Whatever is not known for a verdict is none.
 * @throws Error with clamd's words
 */
export function readVerdict(answer: string): ScanVerdict {
  if (answer === 'stream: OK') return { found: false }
  if (/^INSTREAM size limit exceeded\. ERROR$/.test(answer)) return { found: 'not-whole', limit: 'StreamMaxLength' }
  const signature = /^stream: ([\x21-\x7e]{1,200}) FOUND$/.exec(answer)?.[1]
  if (signature === undefined) throw refuseAnswer(answer)
  const limit = LIMIT_FIND.exec(signature)?.[1]
  return limit === undefined ? { found: true, signature } : { found: 'not-whole', limit: limit || 'a limit' }
}

/** Reads an answer to VERSION: `ClamAV 1.4.6/27500/Mon Nov 23 09:12:00 2026`, without signatures its first part alone. */
export function readVersion(answer: string): ScannerVersion {
  const [version = '', , made = ''] = answer.split('/')
  if (!/^ClamAV [\w.+~-]{1,40}$/.test(version)) throw refuseAnswer(answer)
  // In the time of clamd's machine, which it does not name; taken for UTC it is off by some hours of many days.
  const at = Date.parse(`${made} UTC`)
  return { version, signaturesAt: Number.isNaN(at) ? undefined : at }
}

function refuseAnswer(answer: string): Error {
  return new Error(`clamd answered: ${answer.slice(0, 200).replace(/[^\x20-\x7e]/g, '?')}`)
}
