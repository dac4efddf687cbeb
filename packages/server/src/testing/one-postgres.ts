// For `node --test --test-global-setup`: one real PostgreSQL for all test files of a run, where the machine has one.
import { findPostgresPrograms, startPrivatePostgres, type PrivatePostgres } from './private-postgres.ts'
import { POSTGRES_URL_VARIABLE } from './real-postgres.ts'

let postgres: PrivatePostgres | undefined

export async function globalSetup(): Promise<void> {
  const programs = findPostgresPrograms()
  if (programs === undefined) return
  postgres = await startPrivatePostgres(programs)
  process.env[POSTGRES_URL_VARIABLE] = postgres.url
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop()
}
