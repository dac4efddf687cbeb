import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasStatusTiles, isAdminDesk, isStaffDesk, seesProofStaff, seesTicketAdmin } from './role-views.ts'
import { makeViewer } from './testing/make-viewer.ts'

/** What is shown to whom: admin's desk, staff's desk, status tiles, the staff of a proof, the admin of a ticket. */
const SHOWN: [roles: string, shown: string][] = [
  ['', '- - tiles staff -'],
  ['staff', '- desk - - -'],
  ['admin', 'desk - - staff admin'],
  ['superuser', '- - tiles staff admin'],
  ['staff admin', 'desk - - staff admin'],
  ['staff superuser', '- - tiles staff admin'],
  ['admin superuser', '- - tiles staff admin'],
  ['staff admin superuser', '- - tiles staff admin'],
]

for (const [roles, shown] of SHOWN)
  test(`2.39 2.40 2.73 2.106 2.115 who is ${roles || 'ordinary'} sees the screens of their highest role`, () => {
    const viewer = makeViewer(
      Object.fromEntries(roles.split(' ').flatMap((role) => (role ? [[`is_${role}`, true]] : []))),
    )
    const sees = [
      isAdminDesk(viewer) && 'desk',
      isStaffDesk(viewer) && 'desk',
      hasStatusTiles(viewer) && 'tiles',
      seesProofStaff(viewer) && 'staff',
      seesTicketAdmin(viewer) && 'admin',
    ]
    assert.equal(sees.map((word) => word || '-').join(' '), shown)
  })

test('who has not verified their e-mail sees no admin of a ticket: they see their own alone', () => {
  assert.equal(seesTicketAdmin(makeViewer({ is_admin: true, is_email_verified: false })), false)
})
