import type { Notification } from '@proofdesk/contract/notifications'
import { contentPath, PATHS } from '../../lib/paths.ts'

/** Where a notification leads (specification section 2); undefined where there is no screen for it. */
export function targetOf({ type, path }: Notification): { to: string; state?: object } | undefined {
  switch (type) {
    case 'APPROVED_COLLECTION':
    case 'REVOKED_PROOF':
    case 'REINSTATED_PROOF':
    case 'CHANGED_EXPIRY':
      return { to: PATHS.serverContent }
    case 'REJECTED_COLLECTION':
    case 'REMOVED_FILE':
    case 'UNDELIVERED_MAIL':
      return path === null ? undefined : { to: contentPath(path) }
    case 'ANSWER_TICKET':
    case 'UNDELIVERED_ANSWER':
      return { to: PATHS.tickets, state: { ticket: Number(path) } }
  }
}
