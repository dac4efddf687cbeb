import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import { toNameSkeleton } from './name-skeleton.ts'

const PLACE = 'proofdesk-known-policies'

/** A policy that a person relied on with this browser. */
interface KnownPolicy {
  fingerprint: string
  organisation: string
  /** Names of its logs. */
  logs: string[]
  /** Milliseconds since 1970 UTC, by this device's clock. */
  since: number
}

/** Whether this browser has met a policy. `unkept`: it remembers nothing; `new`: nor this one, unless it is accepted. */
export type Acquaintance =
  | { kind: 'known'; since: number }
  | { kind: 'first' | 'new' | 'unkept' }
  | { kind: 'changed'; since: number; fingerprint: string; organisation: string }

/**
 * Looks a policy up; one of the same log or organisation, or of one that looks like it, with another fingerprint is `changed`.
 * @param isKept Whether one that is met for the first time is kept at once.
 */
export function meetPolicy(policy: InstancePolicy, now: number, isKept: boolean): Acquaintance {
  const known = readKnown()
  if (!known) return { kind: 'unkept' }
  const same = findSame(known, policy)
  if (same) return { kind: 'known', since: same.since }
  const rival = known.find((one) => isRival(one, policy))
  if (rival) {
    const { since, fingerprint, organisation } = rival
    return { kind: 'changed', since, fingerprint, organisation }
  }
  if (!isKept) return { kind: 'new' }
  return acceptPolicy(policy, now) ? { kind: 'first' } : { kind: 'unkept' }
}

/** Keeps a policy in the place of those of the same log or organisation. @returns false where the browser keeps nothing. */
export function acceptPolicy(policy: InstancePolicy, now: number): boolean {
  const { fingerprint, organisation } = policy
  const before = readKnown() ?? []
  const others = before.filter((one) => !isRival(one, policy))
  const since = findSame(before, policy)?.since ?? now
  const known: KnownPolicy[] = [...others, { fingerprint, organisation, logs: listLogs(policy), since }]
  try {
    localStorage.setItem(PLACE, JSON.stringify(known))
    return true
  } catch {
    return false
  }
}

const findSame = (known: readonly KnownPolicy[], policy: InstancePolicy): KnownPolicy | undefined =>
  known.find(({ fingerprint }) => fingerprint === policy.fingerprint)

function isRival({ organisation, logs }: KnownPolicy, policy: InstancePolicy): boolean {
  if (toNameSkeleton(organisation) === toNameSkeleton(policy.organisation)) return true
  const names = new Set(logs.map(toNameSkeleton))
  return listLogs(policy).some((name) => names.has(toNameSkeleton(name)))
}

const listLogs = ({ log }: InstancePolicy): string[] => log.logs.map(({ key }) => key.name)

/** @returns undefined where the browser gives no storage. What cannot be read counts as nothing. */
function readKnown(): KnownPolicy[] | undefined {
  let text: string | null
  try {
    text = localStorage.getItem(PLACE)
  } catch {
    return undefined
  }
  try {
    const known: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(known) ? known.filter(isKnownPolicy) : []
  } catch {
    return []
  }
}

function isKnownPolicy(value: unknown): value is KnownPolicy {
  const { fingerprint, organisation, logs, since } = (value ?? {}) as Record<string, unknown>
  const areTexts = typeof fingerprint === 'string' && typeof organisation === 'string'
  return areTexts && typeof since === 'number' && Array.isArray(logs) && logs.every((name) => typeof name === 'string')
}
