// For `node --test --test-global-setup`: one real PostgreSQL for all test files of a run, where the machine has one; one
// real S3, once a file asks for it; and after them, whether docs/sql holds what they made the server send.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offerS3, S3_SOCKET_VARIABLE } from './one-s3.ts'
import { findPostgresPrograms, startPrivatePostgres, type PrivatePostgres } from './private-postgres.ts'
import { POSTGRES_URL_VARIABLE } from './real-postgres.ts'
import { compareCollected } from './sql/compare.ts'
import { STATEMENTS_FOLDER_VARIABLE } from './sql/variables.ts'

/** Set where all tests of the server run. */
const WHOLE_VARIABLE = 'PROOFDESK_TEST_WHOLE'

let postgres: PrivatePostgres | undefined
let s3: { path: string; stop(): Promise<void> } | undefined
let s3Folder: string | undefined
let statementsFolder: string | undefined

export async function globalSetup(): Promise<void> {
  if (process.env[STATEMENTS_FOLDER_VARIABLE] === undefined) {
    statementsFolder = await mkdtemp(join(tmpdir(), 'proofdesk-statements-'))
    process.env[STATEMENTS_FOLDER_VARIABLE] = statementsFolder
  }
  s3Folder = await mkdtemp(join(tmpdir(), 'proofdesk-s3-'))
  s3 = await offerS3(s3Folder)
  process.env[S3_SOCKET_VARIABLE] = s3.path
  const programs = findPostgresPrograms()
  if (programs === undefined) return
  postgres = await startPrivatePostgres(programs)
  process.env[POSTGRES_URL_VARIABLE] = postgres.url
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop()
  await s3?.stop()
  if (s3Folder !== undefined) await rm(s3Folder, { recursive: true })
  if (statementsFolder === undefined) return
  const differences = compareCollected(statementsFolder, process.env[WHOLE_VARIABLE] !== undefined)
  await rm(statementsFolder, { recursive: true })
  if (differences.length === 0) return
  for (const difference of differences) console.error(difference)
  console.error('Write docs/sql anew: node packages/server/src/testing/sql/write-docs.ts [paths of tests]')
  process.exitCode = 1
}
