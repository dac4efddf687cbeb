import { ProofError } from '@proofdesk/proof/errors'
import { formatVerifierKey } from '@proofdesk/proof/log/note'
import { parsePolicy, type Policy } from '@proofdesk/proof/log/policy'

/** Verifiers take 16 signatures, that of the log among them. c2sp.org/signed-note, "Signatures". */
const MOST_WITNESSES = 15
/** Each has a row of state, and nobody looks after more. */
const MOST_LOGS = 100

/** What a file says cannot be used; the message goes behind "NAME is wrong: ". */
export class WitnessSettingError extends Error {
  override readonly name = 'WitnessSettingError'
}

/**
 * Whom to ask for signatures on our heads: witnesses with their addresses, groups, and a quorum.
 * @returns the lines without comments. The log's own is added where they are published.
 * @throws WitnessSettingError
 * @see c2sp.org/tlog-policy, "Policy file syntax and structure"
 */
export function readWitnessPolicy(text: string): string {
  const { lines, policy } = readPolicy(text)
  const witnesses = [...policy.witnesses.values()]
  if (policy.logs.length > 0) throw new WitnessSettingError('a log stands in it, which is added by itself')
  if (witnesses.length === 0 || witnesses.length > MOST_WITNESSES)
    throw new WitnessSettingError(`from 1 to ${MOST_WITNESSES} lines "witness NAME KEY ADDRESS" are expected in it`)
  if (new Set(witnesses.map(({ key }) => key.name)).size < witnesses.length)
    throw new WitnessSettingError('two of its keys have one name')
  if (!witnesses.every(({ url }) => url !== null && isAddress(url)))
    throw new WitnessSettingError('each witness in it needs an address such as https://witness.example/log/witness')
  return lines
}

/**
 * The logs that we sign for: lines `log KEY`, as `/log/policy` of each shows it; its `quorum none` may stay.
 * @returns their verifier keys. @throws WitnessSettingError
 */
export function readWitnessedLogs(text: string): string[] {
  const { policy } = readPolicy(`${text.replace(/^quorum none\r?$/m, '').trimEnd()}\nquorum none\n`)
  const { logs, witnesses, groups } = policy
  if (logs.length === 0 || logs.length > MOST_LOGS || witnesses.size > 0 || groups.size > 0)
    throw new WitnessSettingError(`from 1 to ${MOST_LOGS} lines "log KEY" are expected in it, and no other`)
  return logs.map(({ key }) => formatVerifierKey(key.name, key.publicKey))
}

function readPolicy(text: string): { lines: string; policy: Policy } {
  const words = text.split(/\r?\n/).map((line) => line.replace(/(^|[ \t])#.*$/, '').trim())
  const lines = words.filter((line) => line !== '').join('\n') + '\n'
  try {
    return { lines, policy: parsePolicy(lines) }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    throw new WitnessSettingError(`its lines are no policy of witnesses (${error.message})`)
  }
}

/** Where `/add-checkpoint` is put behind. */
function isAddress(text: string): boolean {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return !url.search && !url.hash && !url.username && !url.password
}
