import { areEqual } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { computeKeyId, parseVerifierKey, SIGNATURE_TYPE, type CheckedSignature, type VerifierKey } from './note.ts'

/** C2SP asks for 32 of each kind; longer text is refused unread. */
const MAX_LENGTH = 100_000
const MAX_LINES = 1000

/** The quorum that asks for no witness. */
const NONE = 'none'

/** A log, or a witness, that is trusted, and where it may be asked. */
export interface PolicyKey {
  key: VerifierKey
  url: string | null
}

/** So many of these witnesses and groups. */
export interface PolicyGroup {
  threshold: number
  members: readonly string[]
}

/** Which logs are trusted, and which witnesses must have seen a checkpoint. */
export interface Policy {
  logs: readonly PolicyKey[]
  /** By the name that they have in the policy. Keys are those of cosignatures. */
  witnesses: ReadonlyMap<string, PolicyKey>
  groups: ReadonlyMap<string, PolicyGroup>
  /** A witness or a group; null when none is asked for. */
  quorum: string | null
}

interface Draft {
  logs: PolicyKey[]
  witnesses: Map<string, PolicyKey>
  groups: Map<string, PolicyGroup>
  quorum: string | null | undefined
  /** Names that are members of a group already. */
  taken: Set<string>
}

/**
 * Reads a policy. What follows a blank and `#` is taken as comment on every line. A witness's key may be written as plain
 * Ed25519 key too: both stand for its cosignature key.
 * @throws ProofError `log_policy`; `log_note` for a key that cannot be read.
 * @see c2sp.org/tlog-policy, "Policy file syntax and structure"
 */
export function parsePolicy(text: string): Policy {
  if (text.length > MAX_LENGTH || !text.isWellFormed() || !text.endsWith('\n')) refuse('log_policy', 'no lines')
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\0-\x08\x0B-\x1F\x7F]/.test(text)) refuse('log_policy', 'a control character')
  const lines = text.slice(0, -1).split('\n', MAX_LINES + 1)
  if (lines.length > MAX_LINES) refuse('log_policy', 'too many lines')
  const draft: Draft = { logs: [], witnesses: new Map(), groups: new Map(), quorum: undefined, taken: new Set() }
  for (const line of lines) readLine(draft, splitLine(line))
  const { logs, witnesses, groups, quorum } = draft
  if (quorum === undefined) return refuse('log_policy', 'no quorum')
  checkDistinct([...logs, ...witnesses.values()])
  return { logs, witnesses, groups, quorum }
}

/** The words of a line, without its comment. */
function splitLine(line: string): string[] {
  const words = line.split(/[ \t]+/).filter((word) => word !== '')
  const comment = words.findIndex((word) => word.startsWith('#'))
  return comment < 0 ? words : words.slice(0, comment)
}

function readLine(draft: Draft, [kind, ...words]: string[]): void {
  switch (kind) {
    case undefined:
      return
    case 'log':
      return void draft.logs.push(readLog(words))
    case 'witness':
      return readWitness(draft, words)
    case 'group':
      return readGroup(draft, words)
    case 'quorum':
      return readQuorum(draft, words)
    default:
      refuse('log_policy', `a line that begins with ${kind}`)
  }
}

function readLog([key = '', url, ...others]: string[]): PolicyKey {
  const parsed = parseVerifierKey(key)
  if (others.length > 0 || parsed.type !== SIGNATURE_TYPE.ed25519) refuse('log_policy', 'log')
  return { key: parsed, url: url ?? null }
}

function readWitness(draft: Draft, [name, key = '', url, ...others]: string[]): void {
  if (others.length > 0) refuse('log_policy', 'witness')
  draft.witnesses.set(checkNewName(draft, name), { key: asCosignatureKey(parseVerifierKey(key)), url: url ?? null })
}

/** Cosignatures are by a key of their own type, whatever type the policy wrote. */
function asCosignatureKey({ name, publicKey }: VerifierKey): VerifierKey {
  const type = SIGNATURE_TYPE.cosignature
  return { name, keyId: computeKeyId(name, publicKey, type), type, publicKey }
}

function readGroup(draft: Draft, [name, threshold = '', ...members]: string[]): void {
  for (const member of members) {
    if (!isDefined(draft, member) || draft.taken.has(member)) refuse('log_policy', `member ${member}`)
    draft.taken.add(member)
  }
  const count = readThreshold(threshold, members.length)
  if (count < 1 || count > members.length) refuse('log_policy', `threshold ${threshold}`)
  draft.groups.set(checkNewName(draft, name), { threshold: count, members })
}

function readThreshold(text: string, members: number): number {
  if (text === 'all') return members
  if (text === 'any') return 1
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 0
}

function readQuorum(draft: Draft, [name, ...others]: string[]): void {
  if (name === undefined || others.length > 0 || draft.quorum !== undefined) refuse('log_policy', 'quorum')
  if (name !== NONE && !isDefined(draft, name)) refuse('log_policy', `quorum ${name}`)
  draft.quorum = name === NONE ? null : name
}

function isDefined({ witnesses, groups }: Draft, name: string): boolean {
  return witnesses.has(name) || groups.has(name)
}

function checkNewName(draft: Draft, name: string | undefined): string {
  if (name === undefined || name === NONE || isDefined(draft, name)) return refuse('log_policy', `name ${name}`)
  return name
}

/** One key under two names could witness twice, and a log's own key is no witness of it. */
function checkDistinct(keys: readonly PolicyKey[]): void {
  const distinct = new Set(keys.map(({ key }) => key.publicKey.join()))
  if (distinct.size !== keys.length) refuse('log_policy', 'a key twice')
}

/**
 * Whether the witnesses that signed are those that the policy asks for.
 * @param signatures Checked ones, as `openNote` gives them.
 * @see c2sp.org/tlog-policy, "Defining the quorum"
 */
export function isQuorumMet({ witnesses, groups, quorum }: Policy, signatures: readonly CheckedSignature[]): boolean {
  const met = new Map<string, boolean>()
  for (const [name, { key }] of witnesses)
    met.set(
      name,
      signatures.some((signature) => isSameKey(signature.key, key)),
    )
  // a group names only what stands before it
  for (const [name, { threshold, members }] of groups) {
    met.set(name, members.filter((member) => met.get(member)).length >= threshold)
  }
  return quorum === null || met.get(quorum) === true
}

function isSameKey(one: VerifierKey, other: VerifierKey): boolean {
  return one.name === other.name && one.type === other.type && areEqual(one.publicKey, other.publicKey)
}
