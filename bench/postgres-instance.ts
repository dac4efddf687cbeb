import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillInstance } from './fill/fill.ts'
import { readFacts } from './fill/filled.ts'
import { makeRealOnes } from './fill/real-ones.ts'
import { CERTIFIED, type Instance } from './instances.ts'
import { withPostgres, type BenchPostgres } from './processes/postgres.ts'

export interface PostgresInstance extends Instance {
  postgres: BenchPostgres
  /** Beside `DATA_DIR`, for each server of it. */
  env: NodeJS.ProcessEnv
}

/** Lends an instance on a PostgreSQL of its own; both go with the work. @param certified How many proofs can be fetched. */
export async function withPostgresInstance<T>(
  { collections, certified }: { collections: number; certified: number },
  work: (instance: PostgresInstance) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'proofdesk-bench-'))
  try {
    return await withPostgres(async (postgres) => {
      const postgresUrl = postgres.url
      await makeRealOnes({ folder, postgresUrl, certified: { ...CERTIFIED, count: certified } })
      await fillInstance({ collections, folder, postgresUrl })
      return work({ folder, postgres, env: { DATABASE_URL: postgresUrl }, ...readFacts(folder) })
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
