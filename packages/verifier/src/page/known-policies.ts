import type { InstancePolicy } from '@proofdesk/proof/instance-policy'

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

/** Whether this browser has met a policy. `unkept`: it remembers nothing. */
export type Acquaintance =
  | { kind: 'known'; since: number }
  | { kind: 'first' }
  | { kind: 'changed'; since: number; fingerprint: string }
  | { kind: 'unkept' }

/** Looks a policy up; one of the same log or organisation with another fingerprint is `changed`. A new one is kept at once. */
export function meetPolicy(policy: InstancePolicy, now: number): Acquaintance {
  const known = readKnown()
  if (!known) return { kind: 'unkept' }
  const same = known.find(({ fingerprint }) => fingerprint === policy.fingerprint)
  if (same) return { kind: 'known', since: same.since }
  const rival = known.find((one) => isRival(one, policy))
  if (rival) return { kind: 'changed', since: rival.since, fingerprint: rival.fingerprint }
  return acceptPolicy(policy, now) ? { kind: 'first' } : { kind: 'unkept' }
}

/** Keeps a policy in the place of those of the same log or organisation. @returns false where the browser keeps nothing. */
export function acceptPolicy(policy: InstancePolicy, now: number): boolean {
  const { fingerprint, organisation } = policy
  const others = (readKnown() ?? []).filter((one) => !isRival(one, policy))
  const known: KnownPolicy[] = [...others, { fingerprint, organisation, logs: listLogs(policy), since: now }]
  try {
    localStorage.setItem(PLACE, JSON.stringify(known))
    return true
  } catch {
    return false
  }
}

function isRival({ organisation, logs }: KnownPolicy, policy: InstancePolicy): boolean {
  return organisation === policy.organisation || listLogs(policy).some((name) => logs.includes(name))
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
  return areTexts && typeof since === 'number' && Array.isArray(logs)
}
