import type { Notification } from '@proofdesk/contract/notifications'
import { contentPath, PATHS } from '../../lib/paths.ts'

/** Where a notification leads (specification section 2); undefined where there is no screen for it. */
export function targetOf({ type, path }: Notification): string | undefined {
  switch (type) {
    case 'APPROVED_COLLECTION':
      return PATHS.serverContent
    case 'REJECTED_COLLECTION':
      return path === null ? undefined : contentPath(path)
    case 'ANSWER_TICKET':
      return undefined
  }
}
