import { toHex, type Bytes } from './bytes.ts'
import { formatCanonicalJson, isTextList, parseCanonicalJson, readMembers, type JsonValue } from './canonical-json.ts'
import { refuse } from './errors.ts'
import { parsePolicy, type Policy } from './log/policy.ts'
import { parsePaperKey } from './paper/paper-key.ts'
import { hashSha256 } from './sha256.ts'
import { readUtf8, writeUtf8 } from './utf8.ts'

/** The second names keys for paper; what has none is written in the first, which older verifiers read, too. */
const VERSIONS = { withoutPaper: 1, withPaper: 2 } as const
const MAX_BYTES = 200_000
const MAX_NAME_LENGTH = 255
/** Keys are exchanged one after the other. */
const MAX_PAPER_KEYS = 16
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
  /** Keys that sign the codes on paper, as `formatPaperKey` writes them; none when absent. */
  paperKeys?: readonly string[]
}

/** A policy that was read. */
export interface InstancePolicy extends InstancePolicySource {
  log: Policy
  paperKeys: readonly string[]
  /** SHA-256 of the file, lower-case hex: what people compare. */
  fingerprint: string
}

/**
 * Writes the policy file of an instance: JSON in its one form with the members of `InstancePolicySource` and `"v":1`, or `"v":2` with
 * `paperKeys`.
 * @throws ProofError `instance_policy`, `log_policy`, `log_note` for what could not be read again.
 * @see RFC 8785
 */
export function formatInstancePolicy(source: InstancePolicySource): Bytes {
  const { organisation, logPolicy, independentWitnesses, pins, statusUrl, paperKeys = [] } = source
  const common = { organisation, logPolicy, independentWitnesses, pins, statusUrl }
  const members =
    paperKeys.length > 0 ? { ...common, paperKeys, v: VERSIONS.withPaper } : { ...common, v: VERSIONS.withoutPaper }
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
  const { organisation, logPolicy, independentWitnesses, pins, statusUrl, paperKeys, v, ...others } = members
  if (typeof v === 'number' && !Object.values<number>(VERSIONS).includes(v)) refuse('newer', `version ${v} of a policy`)
  if (typeof v !== 'number' || Object.keys(others).length > 0) refuse('instance_policy', 'members')
  if (typeof organisation !== 'string' || organisation.length > MAX_NAME_LENGTH || !isPlainName(organisation)) {
    return refuse('instance_policy', 'organisation')
  }
  if (!isTextList(pins) || pins.length === 0 || !pins.every((pin) => PIN.test(pin))) {
    return refuse('instance_policy', 'pins')
  }
  if (statusUrl !== null && !isWebAddress(statusUrl)) return refuse('instance_policy', 'statusUrl')
  if (!arePaperKeys(paperKeys, v === VERSIONS.withPaper)) return refuse('instance_policy', 'paperKeys')
  if (typeof logPolicy !== 'string') return refuse('instance_policy', 'logPolicy')
  const log = parsePolicy(logPolicy)
  const names = new Set([...log.witnesses.values()].map(({ key }) => key.name))
  if (!isTextList(independentWitnesses) || !independentWitnesses.every((name) => names.has(name))) {
    return refuse('instance_policy', 'independentWitnesses')
  }
  const fingerprint = toHex(hashSha256(bytes))
  return {
    organisation,
    logPolicy,
    independentWitnesses,
    pins,
    statusUrl,
    log,
    paperKeys: paperKeys ?? [],
    fingerprint,
  }
}

/** What shows nothing, ends a line, or has the rest of it read in another order: two names would look the same. */
const UNSHOWN = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u

/** Words of scripts without capitals, such as Persian and Hindi, are written with a joiner after a letter or its marks. */
const JOINED = /(\p{Lo}\p{M}*)[\u200c\u200d]/gu

/** Whether a name of an organisation shows all that it is made of. */
export function isPlainName(name: string): boolean {
  return name.trim() !== '' && !UNSHOWN.test(name.replace(JOINED, '$1'))
}

/** A policy that says it has some has some. */
function arePaperKeys(value: JsonValue | undefined, isExpected: boolean): value is readonly string[] | undefined {
  if (value === undefined || !isExpected) return value === undefined && !isExpected
  const isRight = isTextList(value) && value.length > 0 && value.length <= MAX_PAPER_KEYS
  return isRight && value.every((key) => parsePaperKey(key) !== undefined)
}

function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
}
