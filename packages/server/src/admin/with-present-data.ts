import { readConfig, type Config } from '../config/config.ts'
import type { OpenDatabase } from '../db/open.ts'
import { openPresentData } from '../start/open-data.ts'
import type { Terminal } from './terminal.ts'

/** Works on the database of the settings, which has to be there, and closes it. @throws StartFailure */
export async function withPresentData<T>(
  { environment }: Terminal,
  work: (database: OpenDatabase, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(environment)
  const database = await openPresentData(config)
  try {
    return await work(database, config)
  } finally {
    await database.close()
  }
}
