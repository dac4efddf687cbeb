/** Numbers that a seed decides, so that a run can be had again as far as machines allow. */
export interface Random {
  /** From 0 up to 1, which it never is. */
  next(): number
  /** A whole number from 0 up to `count`, which it never is. */
  below(count: number): number
  between(least: number, most: number): number
  chance(part: number): boolean
  pick<T>(from: readonly T[]): T
  /** One of the keys, each as often as its weight says. */
  weigh<T extends string>(weights: Partial<Record<T, number>>): T
}

/** Mulberry32: 32 bits of state, good enough to choose by. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    between: (least, most) => least + next() * (most - least),
    chance: (part) => next() < part,
    pick: (from) => {
      if (from.length === 0) throw new Error('there is nothing to pick from')
      return from[below(from.length)]!
    },
    weigh: (weights) => {
      const entries = Object.entries<number | undefined>(weights)
      let left = next() * entries.reduce((sum, [, weight = 0]) => sum + weight, 0)
      for (const [key, weight = 0] of entries) if ((left -= weight) < 0) return key as keyof typeof weights
      throw new Error('nothing has a weight')
    },
  }
}
