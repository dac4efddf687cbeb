import type { Page } from '@playwright/test'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { RunningServer } from './running-server.ts'

/** Lets every access token run out, as a quarter of an hour does. */
export function expireAccessTokens(server: RunningServer): void {
  const database = new DatabaseSync(join(server.dataDir, 'proofdesk.sqlite'))
  database.exec("pragma busy_timeout = 5000; update session_tokens set expires_at = 1 where kind = 'access'")
  database.close()
}

/** Ends every session of a person, as deactivating them or changing their password elsewhere does. */
export function endSessions(server: RunningServer, username: string): void {
  const database = new DatabaseSync(join(server.dataDir, 'proofdesk.sqlite'))
  database.exec('pragma busy_timeout = 5000; pragma foreign_keys = on')
  database.prepare('delete from sessions where user_id = (select id from users where username = ?)').run(username)
  database.close()
}

/** What tells of a broken network is loaded before it breaks, a moment after the page. */
export async function waitForDialogs(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/dialogs-')),
  )
}
