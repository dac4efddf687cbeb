import { toHex, type Bytes } from './bytes.ts'
import { formatCanonicalJson, isTextList, parseCanonicalJson, readMembers } from './canonical-json.ts'
import { refuse } from './errors.ts'
import { parsePolicy, type Policy } from './log/policy.ts'
import { hashSha256 } from './sha256.ts'
import { readUtf8, writeUtf8 } from './utf8.ts'

const VERSION = 1
const MAX_BYTES = 200_000
const MAX_NAME_LENGTH = 255
const PIN = /^[0-9a-f]{64}$/

/** What an instance asks strangers to trust, as it is written down. */
export interface InstancePolicySource {
  /** Who runs the instance, for people to read. */
  organisation: string
  /** A policy of c2sp.org/tlog-policy: the logs, the witnesses, the quorum. */
  logPolicy: string
  /** Names of the keys of those witnesses that others than the organisation run. */
  independentWitnesses: readonly string[]
  /** SHA-256 (lower-case hex) of the certificates, or of the authorities, that may seal. At least one. */
  pins: readonly string[]
  /** Where status pages are; the number of the page is put behind it. */
  statusUrl: string | null
}

/** A policy that was read. */
export interface InstancePolicy extends InstancePolicySource {
  log: Policy
  /** SHA-256 of the file, lower-case hex: what people compare. */
  fingerprint: string
}

/**
 * Writes the policy file of an instance: JSON in its one form with the members of `InstancePolicySource` and `"v":1`.
 * @throws ProofError `instance_policy`, `log_policy`, `log_note` for what could not be read again.
 * @see RFC 8785
 */
export function formatInstancePolicy(source: InstancePolicySource): Bytes {
  const { organisation, logPolicy, independentWitnesses, pins, statusUrl } = source
  const members = { organisation, logPolicy, independentWitnesses, pins, statusUrl, v: VERSION }
  const bytes = writeUtf8(formatCanonicalJson(members) ?? refuse('instance_policy', 'no JSON'))
  parseInstancePolicy(bytes)
  return bytes
}

/**
 * Reads the policy file of an instance.
 * @throws ProofError `instance_policy`, `log_policy`, `log_note`; `newer` for another version.
 * @see RFC 8785; c2sp.org/tlog-policy, "Policy file syntax and structure"
 */
export function parseInstancePolicy(bytes: Bytes): InstancePolicy {
  const text = bytes.length <= MAX_BYTES ? readUtf8(bytes) : undefined
  const members = readMembers(parseCanonicalJson(text ?? '')) ?? refuse('instance_policy', 'no JSON in its one form')
  const { organisation, logPolicy, independentWitnesses, pins, statusUrl, v, ...others } = members
  if (typeof v === 'number' && v !== VERSION) refuse('newer', `version ${v} of a policy`)
  if (v !== VERSION || Object.keys(others).length > 0) refuse('instance_policy', 'members')
  if (typeof organisation !== 'string' || organisation === '' || organisation.length > MAX_NAME_LENGTH) {
    return refuse('instance_policy', 'organisation')
  }
  if (!isTextList(pins) || pins.length === 0 || !pins.every((pin) => PIN.test(pin))) {
    return refuse('instance_policy', 'pins')
  }
  if (statusUrl !== null && !isWebAddress(statusUrl)) return refuse('instance_policy', 'statusUrl')
  if (typeof logPolicy !== 'string') return refuse('instance_policy', 'logPolicy')
  const log = parsePolicy(logPolicy)
  const names = new Set([...log.witnesses.values()].map(({ key }) => key.name))
  if (!isTextList(independentWitnesses) || !independentWitnesses.every((name) => names.has(name))) {
    return refuse('instance_policy', 'independentWitnesses')
  }
  const fingerprint = toHex(hashSha256(bytes))
  return { organisation, logPolicy, independentWitnesses, pins, statusUrl, log, fingerprint }
}

function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
}
