// For `node --test --test-global-setup`: one real PostgreSQL for all test files of a run, where the machine has one; and
// after them, whether docs/sql holds what they made the server send.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgresPrograms, startPrivatePostgres, type PrivatePostgres } from './private-postgres.ts'
import { POSTGRES_URL_VARIABLE } from './real-postgres.ts'
import { compareCollected } from './sql/compare.ts'
import { STATEMENTS_FOLDER_VARIABLE } from './sql/variables.ts'

/** Set where all tests of the server run. */
const WHOLE_VARIABLE = 'PROOFDESK_TEST_WHOLE'

let postgres: PrivatePostgres | undefined
let statementsFolder: string | undefined

export async function globalSetup(): Promise<void> {
  if (process.env[STATEMENTS_FOLDER_VARIABLE] === undefined) {
    statementsFolder = await mkdtemp(join(tmpdir(), 'proofdesk-statements-'))
    process.env[STATEMENTS_FOLDER_VARIABLE] = statementsFolder
  }
  const programs = findPostgresPrograms()
  if (programs === undefined) return
  postgres = await startPrivatePostgres(programs)
  process.env[POSTGRES_URL_VARIABLE] = postgres.url
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop()
  if (statementsFolder === undefined) return
  const differences = compareCollected(statementsFolder, process.env[WHOLE_VARIABLE] !== undefined)
  await rm(statementsFolder, { recursive: true })
  if (differences.length === 0) return
  for (const difference of differences) console.error(difference)
  console.error('Write docs/sql anew: node packages/server/src/testing/sql/write-docs.ts [paths of tests]')
  process.exitCode = 1
}
