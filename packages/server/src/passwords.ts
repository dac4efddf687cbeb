import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { AppError } from './errors.ts'

/** Argon2id (its number in the library, which has it as a const enum), OWASP's parameters: 19 MiB, 2 passes, 1 lane. */
const ARGON2ID = 2
const PARAMETERS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** About 15 ms each: whoever comes later than this would wait for more than half a second. */
const MAX_WAITING = 64

/** Password hashing, off the main thread. Both calls throw AppError `busy` when too many are waiting. */
export interface Passwords {
  /** @returns a PHC string. */
  hash(password: string): Promise<string>
  /** @param stored Null for an unknown account: the same work is done and the answer is false. */
  matches(stored: string | null, password: string): Promise<boolean>
}

/** Leaves one core, and one thread of Node's pool, to everything else. */
export function openPasswords(atOnce = Math.max(1, Math.min(3, availableParallelism() - 1))): Passwords {
  const waiting: (() => void)[] = []
  let running = 0
  // Nobody can know its password: it is thrown away unseen.
  const decoy = hash(crypto.randomUUID(), PARAMETERS)

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= MAX_WAITING) throw new AppError('busy', { retryAfterSeconds: 2 })
      // The one who ends hands its place over, so `running` stays as it is.
      await new Promise<void>((go) => waiting.push(go))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, PARAMETERS)),
    matches: (stored, password) =>
      inTurn(async () => {
        const matched = await verify(stored ?? (await decoy), password)
        return matched && stored !== null
      }),
  }
}
