import { showActivity } from '@proofdesk/contract/activity'
import * as audit from '@proofdesk/contract/audit'
import * as live from '@proofdesk/contract/live'
import { showHealth } from '@proofdesk/contract/health'
import * as mail from '@proofdesk/contract/mail-delivery'
import * as directory from '@proofdesk/contract/directory'
import { plantCollection } from '../collections.ts'
import { listRows, type RoleRow } from './role-row.ts'

// Columns: visitor, unverified, owner, other, staff, admin, superuser, deactivated
export const USER_ROWS: RoleRow[] = [
  ...listRows(directory.listUsers, { '': [401, 403, 403, 403, 403, 200, 200, 401] }, () => ({})),
  ...listRows(
    directory.setUserFlag,
    {
      'is_staff of a verified user': [401, 403, 403, 403, 403, 200, 200, 401],
      'is_staff of an unverified user': [401, 403, 403, 403, 403, 403, 403, 401],
      'is_staff of an unverified user, taken': [401, 403, 403, 403, 403, 403, 200, 401],
      'is_active of an unverified user': [401, 403, 403, 403, 403, 403, 200, 401],
      'is_superuser of a superuser': [401, 403, 403, 403, 403, 403, 200, 401],
      'is_staff of a superuser': [401, 403, 403, 403, 403, 403, 200, 401],
      'is_admin of a verified user': [401, 403, 403, 403, 403, 403, 200, 401],
      'is_active of a verified user': [401, 403, 403, 403, 403, 403, 200, 401],
      'is_email_verified of an unverified user': [401, 403, 403, 403, 403, 403, 200, 401],
      'nobody there': [401, 403, 403, 403, 403, 404, 404, 401],
    },
    async ({ server, unique }, state) => {
      if (state === 'nobody there') return { params: { id: 999_999 }, body: { is_staff: true } }
      const [flag = ''] = state.split(' ')
      const { id } = await server.createUser({
        username: `target${unique}`,
        verified: !state.includes('unverified'),
        is_superuser: state.endsWith('superuser'),
      })
      const takes = flag === 'is_active' || flag === 'is_superuser' || state.endsWith('taken')
      return { params: { id }, body: { [flag]: !takes } }
    },
  ),
  ...listRows(
    directory.setUserFlag,
    {
      'one’s own is_staff': [401, 403, 403, 403, 403, 403, 200, 401],
      'one’s own is_active': [401, 403, 403, 403, 403, 403, 403, 401],
      'one’s own is_superuser': [401, 403, 403, 403, 403, 403, 403, 401],
    },
    ({ caller }, state) => {
      const flag = state.split(' ')[2] ?? ''
      return { params: { id: caller?.id ?? 1 }, body: { [flag]: flag === 'is_staff' } }
    },
  ),
  ...[directory.showPerson, directory.endSessionsOfPerson].flatMap((route) =>
    listRows(
      route,
      {
        'somebody else': [401, 403, 403, 403, 403, 403, 200, 401],
        'nobody there': [401, 403, 403, 403, 403, 403, 404, 401],
      },
      async ({ server, unique }, state) => {
        if (state === 'nobody there') return { params: { id: 999_999 } }
        return { params: { id: (await server.createUser({ username: `target${unique}` })).id } }
      },
    ),
  ),
]

export const MAIL_ROWS: RoleRow[] = [mail.showMail, mail.sendTestMail, mail.retryMails, mail.checkMailRecords].flatMap(
  (route) => listRows(route, { '': [401, 403, 403, 403, 403, 403, 200, 401] }, () => ({})),
)

export const HEALTH_ROWS: RoleRow[] = listRows(showHealth, { '': [401, 403, 403, 403, 403, 403, 200, 401] }, () => ({}))

export const AUDIT_ROWS: RoleRow[] = [
  ...listRows(audit.listAudit, { '': [401, 403, 403, 403, 403, 403, 200, 401] }, () => ({})),
  ...listRows(audit.exportAudit, { '': [401, 403, 403, 403, 403, 403, 200, 401] }, () => ({
    query: { format: 'csv' },
  })),
  ...listRows(
    showActivity,
    {
      'a collection': [401, 200, 200, 404, 200, 404, 200, 401],
      'nobody there': [401, 404, 404, 404, 404, 404, 404, 401],
    },
    async ({ server, owner }, state) => {
      const id = state === 'a collection' ? (await plantCollection(server, owner, 'opened')).id : 999_999
      return { params: { id } }
    },
  ),
]

export const EVENT_ROWS: RoleRow[] = [
  ...listRows(live.openEvents, { '': [401, 200, 200, 200, 200, 200, 200, 401] }, () => ({})),
]
