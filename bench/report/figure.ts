import type { Measured } from '../load/run-load.ts'

/** One promise of speed, measured: a ratio to a named rival, or a difference. */
export interface Figure {
  name: string
  /** What it is measured against, with the unit that is compared. */
  against: string
  value: number
  /** Empty for a score that has none. */
  unit: 'x' | 'ms' | ''
  better: 'more' | 'less'
  /** Undefined where nothing is promised. */
  must?: number
  aim?: number
  raw: RawFigure[]
}

/** The medians of one contestant over the rounds. */
export interface RawFigure {
  name: string
  /** By what they are called, with the unit in the name. */
  values: Record<string, number>
}

export interface SuiteReport {
  suite: string
  figures: Figure[]
  /** What was not measured, and why. */
  leftOut: string[]
}

export function findMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Of what was measured one after the other, the median of the ratios of each round. */
export function findRatio(ours: readonly number[], theirs: readonly number[]): number {
  return findMedian(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))
}

/** @param rounds Of one contestant. */
export function toRaw(name: string, rounds: readonly Measured[]): RawFigure {
  const rates = rounds.map(({ rate }) => rate)
  const median = (read: (one: Measured) => number) => findMedian(rounds.map(read))
  return {
    name,
    values: {
      'a second': findMedian(rates),
      'least a second': Math.min(...rates),
      'most a second': Math.max(...rates),
      'a CPU second': median(({ perCpuSecond }) => perCpuSecond),
      'p50 ms': median(({ p50 }) => p50),
      'p99 ms': median(({ p99 }) => p99),
    },
  }
}

/** What is compared: work for each second of processor time, or for each second where the system does not tell. */
export function readRates(rounds: readonly Measured[]): number[] {
  const hasCpu = rounds.every(({ perCpuSecond }) => perCpuSecond > 0)
  return rounds.map(({ rate, perCpuSecond }) => (hasCpu ? perCpuSecond : rate))
}
