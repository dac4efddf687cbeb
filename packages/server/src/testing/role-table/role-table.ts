import { nameRoute } from '@proofdesk/contract/routes'
import { AUTH_ROWS, NOTIFICATION_ROWS, PROFILE_ROWS } from './account-rows.ts'
import { COLLECTION_ROWS, COMMENT_ROWS, CONTENT_ROWS } from './collection-rows.ts'
import { CERTIFICATE_ROWS, PROOF_CHANGE_ROWS, QUEUE_ROWS, REVIEW_ROWS } from './review-rows.ts'
import { ROLE_NAMES, ROLES, type RoleRow } from './role-row.ts'
import { TICKET_ROWS } from './ticket-rows.ts'
import { AUDIT_ROWS, EVENT_ROWS, HEALTH_ROWS, MAIL_ROWS, USER_ROWS } from './user-rows.ts'

/** Who may do what: every call, in every state that matters to it, for every role. */
export const ROLE_TABLE: { title: string; rows: RoleRow[] }[] = [
  { title: 'Accounts and sessions', rows: AUTH_ROWS },
  { title: 'Profile and two-factor', rows: PROFILE_ROWS },
  { title: 'Users', rows: USER_ROWS },
  { title: 'Notifications', rows: NOTIFICATION_ROWS },
  { title: 'Collections', rows: COLLECTION_ROWS },
  { title: 'Contents', rows: CONTENT_ROWS },
  { title: 'Comments', rows: COMMENT_ROWS },
  { title: 'Reviews', rows: [...QUEUE_ROWS, ...REVIEW_ROWS] },
  { title: 'Certified PDFs', rows: [...CERTIFICATE_ROWS, ...PROOF_CHANGE_ROWS] },
  { title: 'Tickets', rows: TICKET_ROWS },
  { title: 'Health', rows: HEALTH_ROWS },
  { title: 'Mail', rows: MAIL_ROWS },
  { title: 'Audit', rows: AUDIT_ROWS },
  { title: 'Events', rows: EVENT_ROWS },
]

/** What a row is called in tests: `PATCH /collections/:id/, sent`. */
export function nameRow({ route, state }: RoleRow): string {
  return state === '' ? nameRoute(route) : `${nameRoute(route)}, ${state}`
}

const INTRODUCTION = `# Who may do what

Every call of the API, in every state that matters to it, with the HTTP status each role is answered with. This page is
written from the table in \`packages/server/src/testing/role-table/\`, and a test plays every cell of it against a whole
server on both databases.

2xx is done; 400 that something is wrong with what was sent; 401 that nobody is signed in; 403 that role or state forbid
it; 404 that there is none, or that it is not theirs to know of; 409 that its state does not allow it (any more); 410 that
it has ended.
`

/** The table as a page of the documentation. */
export function writeRoleTable(): string {
  const roles = ROLE_NAMES.map((role) => `- **${role}**: ${ROLES[role]}`).join('\n')
  const parts = ROLE_TABLE.map(({ title, rows }) => {
    const cells = rows.map(({ route, state, statuses }) => [
      `\`${nameRoute(route)}\``,
      state,
      ...statuses.map((status) => String(status)),
    ])
    return `## ${title}\n\n${writeTable(['Call', 'State', ...ROLE_NAMES], cells)}`
  })
  return `${[`${INTRODUCTION}\n${roles}`, ...parts].join('\n\n')}\n`
}

/** In columns of one width, as the formatter of this project writes them. */
function writeTable(head: string[], rows: string[][]): string {
  const widths = head.map((title, at) =>
    Math.max(...[title, ...rows.map((row) => row[at] ?? '')].map((cell) => cell.length)),
  )
  const writeLine = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [writeLine(head), writeLine(widths.map((width) => '-'.repeat(width))), ...rows.map(writeLine)].join('\n')
}
