import { formatCanonicalJson, isTextList, parseCanonicalJson, readMembers, type JsonValue } from '../canonical-json.ts'
import type { Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { readUtf8, writeUtf8 } from '../utf8.ts'

/** What this program writes; other numbers were made by a newer one. */
const VERSION = 1
const LAYOUT = 1

const MEMBERS = new Set(['a', 'd', 'e', 'h', 'l', 'v'])

/** What our proof files carry beside the proof: with it, the entry is worked out again. */
export interface ProofExtra {
  /** Layout of the certified PDF. */
  layout: number
  /** Of the approval: seconds since 1970 UTC, and the day on which it ends, if any. */
  time: number
  expiryDay: number | null
  /** Fields that are shown, see `commit`. */
  disclosures: readonly string[]
  /** Digests of those that are not. */
  hidden: readonly string[]
  /** Confirmations from elsewhere, `kind:base64url`. Kinds that a verifier does not know say nothing to it. */
  anchors: readonly string[]
}

/**
 * Writes the `extra` of a proof file: JSON in its one form, `{"a":[…],"d":[…],"e":{"k":"approve","t":…,"v":1,"x":…},
 * "h":[…],"l":1,"v":1}`, where empty lists and an expiry that never comes are left out.
 * @throws ProofError `log_proof` for what could not be read again.
 * @see c2sp.org/tlog-proof, "Format" (opaque there); RFC 8785
 */
export function formatProofExtra(extra: ProofExtra): Bytes {
  const { layout, time, expiryDay, disclosures, hidden, anchors } = extra
  const text = formatCanonicalJson({
    ...(anchors.length > 0 && { a: anchors }),
    d: disclosures,
    e: { k: 'approve', t: time, v: 1, ...(expiryDay !== null && { x: expiryDay }) },
    ...(hidden.length > 0 && { h: hidden }),
    l: layout,
    v: VERSION,
  })
  const bytes = writeUtf8(text ?? refuse('log_proof', 'extra'))
  parseProofExtra(bytes)
  return bytes
}

/**
 * Reads the `extra` of one of our proof files. Whether it fits the log is for `openCommitment` and the entry to tell.
 * @throws ProofError `log_proof`; `newer` for another version or layout.
 */
export function parseProofExtra(bytes: Bytes): ProofExtra {
  const members = readMembers(parseCanonicalJson(readUtf8(bytes) ?? ''))
  if (!members) return refuse('log_proof', 'extra')
  const { a, d, e, h, l, v } = members
  if (!isNumber(v) || !isNumber(l)) return refuse('log_proof', 'extra')
  if (v !== VERSION || l !== LAYOUT) refuse('newer', `version ${v}, layout ${l}`)
  const [anchors, hidden, approval] = [readList(a), readList(h), readApproval(e)]
  const isKnown = Object.keys(members).every((name) => MEMBERS.has(name))
  if (!isKnown || !anchors || !hidden || !approval || !isTextList(d)) return refuse('log_proof', 'extra')
  if (!anchors.every((anchor) => /^[a-z0-9]{1,16}:[A-Za-z0-9_-]+$/.test(anchor))) refuse('log_proof', 'anchor')
  return { layout: l, ...approval, disclosures: d, hidden, anchors }
}

/** Absent when it is empty, so that there is one form. */
function readList(value: JsonValue | undefined): readonly string[] | undefined {
  if (value === undefined) return []
  return isTextList(value) && value.length > 0 ? value : undefined
}

function readApproval(value: JsonValue | undefined): { time: number; expiryDay: number | null } | undefined {
  const { k, t, v, x = null, ...others } = readMembers(value) ?? {}
  if (k !== 'approve' || v !== 1 || !isNumber(t) || Object.keys(others).length > 0) return undefined
  if (x !== null && !isNumber(x)) return undefined
  // `null` written out would be a second form of "never"
  return readMembers(value)?.['x'] === null ? undefined : { time: t, expiryDay: x }
}

function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && value >= 0
}
