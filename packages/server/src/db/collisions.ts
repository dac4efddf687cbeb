import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { AppError } from '../errors.ts'

/** PostgreSQL appendix A: `deadlock_detected`, `serialization_failure`. Nothing was done, and the same may pass a moment later. */
const POSTGRES_COLLISIONS = new Set(['40P01', '40001'])

/** Each collision is an accident of timing: whoever meets this many has more than bad luck, and is told to come again. */
export const MOST_TRIES = 5
/** Two that met wait for different times before they try again; milliseconds, times the tries so far. */
const SPREAD_MS = 25

/** @param attempt Of which nothing stays where it collides. @throws what the last try threw */
export async function retryCollisions<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (tries >= MOST_TRIES || !isCollision(error)) throw error
      await pause(Math.random() * SPREAD_MS * tries)
    }
  }
}

/** Whether PostgreSQL ended this because somebody else did something at the same time. */
function isCollision(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  return cause instanceof pg.DatabaseError && POSTGRES_COLLISIONS.has(cause.code ?? '')
}
