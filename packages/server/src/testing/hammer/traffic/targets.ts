import type { Random } from '../seeded-random.ts'
import type { Person } from './people.ts'

/** A collection that clients work on, and what the last answers said of it: enough to ask what is often granted. */
export interface Target {
  id: number
  owner: Person
  phase: 'open' | 'sent' | 'claimed' | 'published'
  isRevoked: boolean
  /** Ids and SHA-256 of files that were acknowledged. */
  files: Map<number, string>
  fileCount: number
  digest: string | undefined
  proofId: string | undefined
  changeCount: number
  rounds: number
  /** How many calls were about it. */
  asked: number
}

/** So many calls, and others are worked on: a history stays short enough to be judged. */
const CALLS = 80
/** So many are worked on at once: few, so that clients meet. */
const AT_ONCE = 5

export interface Targets {
  all: Map<number, Target>
  /** undefined while too few are open: then one is to be created. */
  choose(random: Random): Target | undefined
  add(id: number, owner: Person): void
}

export function makeTargets(): Targets {
  const all = new Map<number, Target>()
  let current: Target[] = []
  return {
    all,
    add: (id, owner) => {
      if (all.has(id)) return
      const target: Target = {
        id,
        owner,
        phase: 'open',
        isRevoked: false,
        files: new Map(),
        fileCount: 0,
        digest: undefined,
        proofId: undefined,
        changeCount: 0,
        rounds: 0,
        asked: 0,
      }
      all.set(id, target)
      current.push(target)
    },
    choose: (random) => {
      // What was left is looked at now and then: it must stay as it was.
      if (all.size > AT_ONCE && random.chance(0.03)) return random.pick([...all.values()])
      current = current.filter(({ asked }) => asked < CALLS)
      return current.length < AT_ONCE ? undefined : random.pick(current)
    },
  }
}
