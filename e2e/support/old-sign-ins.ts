import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Makes every sign-in too old for sensitive changes. */
export function forgetSignIns(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'proofdesk.sqlite'), { timeout: 5000 })
  database.exec('update sessions set confirmed_at = 1')
  database.close()
}
