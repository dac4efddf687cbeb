import { AppError } from '../errors.ts'
import { toEmailKey } from '../text/email-key.ts'
import { HOUR, type Limit } from './limit.ts'
import { nameClient, nameNeighbourhood, type Attempt, type Count, type Limits } from './limits.ts'

/** How many mails of one kind go to one address, which anybody may have typed. Every one counts. */
export interface MailLimits {
  /** Key: client and the address that is mailed. */
  asker: Limit
  /** From all clients together. Key: the address that is mailed. */
  target: Limit
  /** Once strangers have used those up. Key: the network that is asked from, and the address that is mailed. */
  newcomer: Limit
  /** All of these together: nobody is flooded from many networks either. Key: the address that is mailed. */
  newcomers: Limit
}

/** @param name What their counts are kept under. */
export function limitMails(name: string, perAsker: number): MailLimits {
  return {
    asker: { name: `${name}_asker`, points: perAsker, duration: HOUR },
    target: { name: `${name}_target`, points: 20, duration: HOUR },
    newcomer: { name: `${name}_newcomer`, points: 2, duration: HOUR },
    newcomers: { name: `${name}_newcomers`, points: 20, duration: HOUR },
  }
}

/** @param from Client address of who asks for it. */
export function byAsker({ asker }: MailLimits, email: string, from: string): Count {
  return { limit: asker, key: `${nameClient(from)} ${toEmailKey(email)}` }
}

/**
 * Counts one mail to an address. Those that all share can be used up by two strangers each hour; a network then still has
 * some of its own, or the owner of the address would never get any.
 * @param from Client address of who asks for it.
 * @param others What it counts for besides.
 * @throws AppError `rate_limited`; then nothing is counted
 */
export async function attemptMail(
  limits: Limits,
  mails: MailLimits,
  { email, from }: { email: string; from: string },
  ...others: Count[]
): Promise<Attempt> {
  const key = toEmailKey(email)
  const always = [...others, byAsker(mails, email, from)]
  try {
    return await limits.attempt(...always, { limit: mails.target, key })
  } catch (refusal) {
    const wait = secondsOf(refusal)
    if (wait === undefined) throw refusal
    const network = nameNeighbourhood(nameClient(from))
    return await limits
      .attempt(...always, { limit: mails.newcomer, key: `${network} ${key}` }, { limit: mails.newcomers, key })
      .catch((error: unknown) => {
        const other = secondsOf(error)
        // Either will do: the earlier one is worth waiting for.
        throw other === undefined ? error : new AppError('rate_limited', { retryAfterSeconds: Math.min(wait, other) })
      })
  }
}

function secondsOf(error: unknown): number | undefined {
  return error instanceof AppError && error.code === 'rate_limited' ? error.retryAfterSeconds : undefined
}
