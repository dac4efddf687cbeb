import { isIP, isIPv6 } from 'node:net'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../errors.ts'

const MINUTES = 60
const HOUR = 60 * MINUTES

/** How many failures within how many seconds; the figures are those of the decisions, Accounts. */
const RULES = {
  /** Key: client address and account. */
  sign_in_account: { points: 10, duration: 15 * MINUTES },
  /** Key: client address. */
  sign_in_address: { points: 100, duration: 15 * MINUTES },
  /** Key: client address and account. */
  code_account: { points: 10, duration: 15 * MINUTES },
  /** Key: client address. */
  code_address: { points: 100, duration: 15 * MINUTES },
  /** Key: client address. */
  registration: { points: 100, duration: HOUR },
  /** Key: the account that is mailed. */
  verification_mail: { points: 5, duration: HOUR },
  /** Key: the address that was typed, case-folded. */
  reset_mail: { points: 5, duration: HOUR },
  /** Key: client address. */
  reset_mail_address: { points: 100, duration: HOUR },
  /** Key: client address. */
  proof_miss_address: { points: 60, duration: HOUR },
  /** Key: Proof ID as asked for, normalised. */
  proof_miss_proof_id: { points: 200, duration: HOUR },
  /** Tickets of visitors. Key: client address. */
  ticket_address: { points: 100, duration: HOUR },
  /** The same. Key: the visitor's e-mail address. */
  ticket_visitor: { points: 30, duration: HOUR },
  /** Tickets of people. Key: the account. */
  ticket_account: { points: 100, duration: HOUR },
  /** Messages of askers. Key: the account or the visitor's cookie. */
  ticket_message: { points: 200, duration: HOUR },
  /** Mailed links to tickets. Key: client address. */
  ticket_link_address: { points: 60, duration: HOUR },
  /** The same. Key: the address that is mailed. */
  ticket_link_target: { points: 5, duration: HOUR },
  /** Test mails. Key: the account. */
  mail_test: { points: 10, duration: 15 * MINUTES },
  /** Waiting mails tried at once. Key: the account. */
  mail_retry: { points: 30, duration: 15 * MINUTES },
} as const

export type LimitName = keyof typeof RULES

/** An attempt under way; it counts as a failure until `forgive` says that it was none. */
export interface Attempt {
  forgive(): Promise<void>
}

/**
 * Limits that count failures, not use. An attempt is counted before its work begins and forgiven after it succeeded:
 * otherwise a burst of guesses sent at once would all pass before the first failure is known.
 */
export interface Limits {
  /**
   * Begins an attempt under one or several limits, the widest first.
   * @throws AppError `rate_limited` with the seconds to wait, when one of them is used up; then none is counted.
   */
  attempt(...counts: { name: LimitName; key: string | number }[]): Promise<Attempt>
}

/** Counts in this process's memory: there is one process. */
export function openLimits(): Limits {
  const counters = new Map(
    Object.entries(RULES).map(([name, rule]) => [
      name as LimitName,
      new RateLimiterMemory({ keyPrefix: name, ...rule }),
    ]),
  )
  const forgive = async (counted: { name: LimitName; key: string | number }[]) => {
    for (const { name, key } of counted) await counters.get(name)?.reward(key)
  }
  return {
    attempt: async (...counts) => {
      const counted: typeof counts = []
      for (const { name, key } of counts) {
        counted.push({ name, key })
        try {
          await counters.get(name)?.consume(key)
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal
          await forgive(counted)
          throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000) || 1 })
        }
      }
      return { forgive: () => forgive(counted) }
    },
  }
}

/** One client for the limits: an IPv4 address, or the /64 that one IPv6 customer is usually given. */
export function nameClient(address: string): string {
  const bare = address.replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped) return mapped
  if (!isIPv6(bare)) return isIP(bare) === 4 ? bare : 'unknown'
  // The URL parser writes every IPv6 address in one form, in hexadecimal only.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}
