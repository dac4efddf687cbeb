import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { openTurns } from './turns.ts'

/** Its number in the library, which has it as a const enum. */
const ARGON2ID = 2

/** What a hash costs: memory in KiB, and passes over it. */
export interface PasswordCost {
  memoryCost: number
  timeCost: number
}

/** OWASP's parameters: 19 MiB, 2 passes, 1 lane. */
const FULL_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

/** About 15 ms each: whoever comes later than this would wait for more than half a second. */
const MAX_WAITING = 64

/** Password hashing, off the main thread. Both calls throw AppError `busy` when too many are waiting. */
export interface Passwords {
  /**
   * @param askedBy The client who waits, as the limits name it. Clients take turns, and where too many wait, those of whoever
   *   has the most waiting are sent away: a loop of one delays no other.
   * @returns a PHC string.
   */
  hash(password: string, askedBy?: string): Promise<string>
  /** @param stored Null for an unknown account: the same work is done and the answer is false. */
  matches(stored: string | null, password: string, askedBy?: string): Promise<boolean>
}

export interface PasswordOptions {
  /** Hashes at once; leaves one core, and one thread of Node's pool, to everything else when absent. */
  atOnce?: number
  /** Less is for tests alone. */
  cost?: PasswordCost
}

export function openPasswords({
  atOnce = Math.max(1, Math.min(3, availableParallelism() - 1)),
  cost = FULL_COST,
}: PasswordOptions = {}): Passwords {
  const parameters = { algorithm: ARGON2ID, parallelism: 1, ...cost }
  const queue = openTurns(MAX_WAITING)
  let running = 0
  // Nobody can know its password: it is thrown away unseen.
  const decoy = hash(crypto.randomUUID(), parameters)

  async function inTurn<T>(askedBy: string, work: () => Promise<T>): Promise<T> {
    // The one who ends hands its place over, so `running` stays as it is.
    if (running >= atOnce) await queue.wait(askedBy)
    else running += 1
    try {
      return await work()
    } finally {
      if (!queue.next()) running -= 1
    }
  }

  return {
    hash: (password, askedBy = '') => inTurn(askedBy, () => hash(password, parameters)),
    matches: (stored, password, askedBy = '') =>
      inTurn(askedBy, async () => {
        const matched = await verify(stored ?? (await decoy), password)
        return matched && stored !== null
      }),
  }
}
