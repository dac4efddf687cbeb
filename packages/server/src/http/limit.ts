/** How many failures are let happen within how long. One value is one limit, however many use it. */
export interface Limit {
  /** What it is counted under where several processes count together; no other limit has it. */
  name: string
  points: number
  /** Seconds. */
  duration: number
  /** Once the points are used up one attempt in so many seconds is still looked at; absent: none is. */
  thenEvery?: number
}

/** Seconds. */
export const MINUTES = 60
export const HOUR = 60 * MINUTES
export const DAY = 24 * HOUR
