import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listTicketRights, seesAllTickets, whyNotCreateTicket, type TicketFacts } from './permissions.ts'
import { ticketFace, ticketStatusAfter, ticketTileParameters, TicketStatus, type TicketFace } from './status.ts'
import { makeViewer } from './testing/make-viewer.ts'

const nobody = makeViewer({ username: 'sam' })
const viewers = {
  visitor: null,
  ordinary: nobody,
  unverified: { ...nobody, is_email_verified: false },
  staff: { ...nobody, is_staff: true },
  admin: { ...nobody, is_admin: true },
  superuser: { ...nobody, is_superuser: true },
  'unverified staff': { ...nobody, is_staff: true, is_email_verified: false },
} as const
type Name = keyof typeof viewers

const open: TicketFacts = { is_locked: false, admin_username: null, is_own: false }
const tickets = {
  own: { ...open, is_own: true },
  'own, taken': { ...open, is_own: true, admin_username: 'olga' },
  "another's": open,
  "another's, taken by the viewer": { ...open, admin_username: 'sam' },
  "another's, taken by somebody else": { ...open, admin_username: 'olga' },
} as const
type State = keyof typeof tickets

/** Whom each state lets write; everyone else reads 'Not Allowed' or does not see it. */
const WRITERS: Record<State, Name[]> = {
  own: Object.keys(viewers) as Name[],
  'own, taken': Object.keys(viewers) as Name[],
  "another's": ['staff', 'admin', 'superuser'],
  "another's, taken by the viewer": ['staff', 'admin', 'superuser'],
  "another's, taken by somebody else": ['superuser'],
}

for (const state of Object.keys(tickets) as State[]) {
  test(`a ticket that is ${state} takes messages of ${WRITERS[state].join(', ')}, and none once it is closed`, () => {
    for (const name of Object.keys(viewers) as Name[]) {
      const mayWrite = (is_locked: boolean) => listTicketRights(viewers[name], { ...tickets[state], is_locked }).write
      assert.equal(mayWrite(false), WRITERS[state].includes(name), name)
      assert.equal(mayWrite(true), false, name)
    }
  })
}

test('whoever took a ticket closes and reopens it, and a superuser any', () => {
  const closers = (admin: string | null) =>
    (Object.keys(viewers) as Name[]).filter(
      (name) => listTicketRights(viewers[name], { ...open, admin_username: admin }).close,
    )
  assert.deepEqual(closers('sam'), ['staff', 'admin', 'superuser'])
  assert.deepEqual(closers('olga'), ['superuser'])
  assert.deepEqual(closers(null), ['superuser'])
})

test('visitors and ordinary users open tickets, verified or not; those who see all tickets do not', () => {
  const names = Object.keys(viewers) as Name[]
  assert.deepEqual(
    names.filter((name) => !whyNotCreateTicket(viewers[name])),
    ['visitor', 'ordinary', 'unverified'],
  )
  for (const name of names) {
    const viewer = viewers[name]
    if (viewer)
      assert.equal(seesAllTickets(viewer), Boolean(whyNotCreateTicket(viewer)) && viewer.is_email_verified, name)
  }
})

test('4.40 a ticket is OPEN until it is answered, ANSWERED by an answer, IN_PROGRESS by the asker’s next message', () => {
  assert.deepEqual(
    TicketStatus.options.map((status) => ticketStatusAfter(status, 'admin')),
    ['ANSWERED', 'ANSWERED', 'ANSWERED'],
  )
  assert.equal(ticketStatusAfter('OPEN', 'asker'), 'OPEN')
  assert.equal(ticketStatusAfter('ANSWERED', 'asker'), 'IN_PROGRESS')
  assert.equal(ticketStatusAfter('IN_PROGRESS', 'asker'), 'IN_PROGRESS')
})

test('each ticket stands under exactly one tile: Closed when it is locked, else that of its status', () => {
  const faces: TicketFace[] = [...TicketStatus.options, 'CLOSED']
  for (const status of TicketStatus.options) {
    for (const isLocked of [true, false]) {
      const matching = faces.filter((face) => {
        const asked = ticketTileParameters(face)
        return (asked.status ?? status) === status && asked.is_locked === String(isLocked)
      })
      assert.deepEqual(matching, [ticketFace({ status, is_locked: isLocked })])
    }
  }
})
