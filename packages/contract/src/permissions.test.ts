import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ADMIN_DESC } from './limits.ts'
import * as may from './permissions.ts'
import { makeViewer as viewer } from './testing/make-viewer.ts'

const WHO = {
  owner: viewer(),
  'unverified owner': viewer({ is_email_verified: false }),
  'owner who became staff': viewer({ is_staff: true }),
  'owner who became admin': viewer({ is_admin: true }),
  'owner who became superuser': viewer({ is_superuser: true }),
  stranger: viewer({ id: 2, username: 'eve' }),
  staff: viewer({ id: 3, username: 'sam', is_staff: true }),
  'unverified staff': viewer({ id: 3, username: 'sam', is_staff: true, is_email_verified: false }),
  admin: viewer({ id: 4, username: 'amy', is_admin: true }),
  superuser: viewer({ id: 5, username: 'sue', is_superuser: true }),
}

const base = { username: 'ada', is_active: true, is_locked: false, proofid: null, admin_desc: DEFAULT_ADMIN_DESC }
const STATE: Record<'open' | 'answered' | 'locked' | 'approved' | 'expired', may.CollectionFacts> = {
  open: base,
  answered: { ...base, admin_desc: 'Sign page 3' },
  locked: { ...base, is_locked: true },
  approved: { ...base, is_locked: true, proofid: 'P' },
  expired: { ...base, is_locked: true, proofid: 'P', is_active: false },
}

type Who = keyof typeof WHO
type State = keyof typeof STATE

/** Specification section 6 and decisions, Roles: who may, in which states; everyone and every state left out may not. */
const RULES: [
  items: string,
  act: string,
  right: keyof ReturnType<typeof may.listCollectionRights>,
  Partial<Record<Who, State[]>>,
][] = [
  [
    '6.2 6.11',
    'rename',
    'edit',
    {
      owner: ['open', 'answered'],
      'owner who became staff': ['open', 'answered'],
      'owner who became admin': ['open', 'answered'],
    },
  ],
  [
    '6.3 6.12',
    'delete the collection',
    'delete',
    {
      owner: ['open', 'answered', 'expired'],
      'owner who became superuser': ['open', 'answered', 'expired'],
    },
  ],
  ['6.4', 'add content', 'change_contents', { owner: ['open', 'answered'] }],
  ['5.26 6.5', 'send for review', 'send', { owner: ['open', 'answered'] }],
  ['6.17 6.18', 'decide', 'review', { staff: ['locked'], superuser: ['locked'] }],
  [
    '6.21',
    'delete content',
    'delete_contents',
    {
      owner: ['open', 'answered'],
      'owner who became staff': ['open', 'answered', 'locked'],
      'owner who became admin': ['open', 'answered'],
      'owner who became superuser': ['open', 'answered', 'locked'],
      staff: ['open', 'answered', 'locked'],
      superuser: ['open', 'answered', 'locked'],
    },
  ],
]

for (const [items, act, right, allowed] of RULES) {
  for (const who of Object.keys(WHO) as Who[]) {
    const states = allowed[who] ?? []
    test(`${items} ${who} may ${act} when it is: ${states.join(', ') || 'never'}`, () => {
      for (const state of Object.keys(STATE) as State[]) {
        const facts = { ...STATE[state], is_claimed: STATE[state].proofid !== null }
        assert.equal(may.listCollectionRights(WHO[who], facts)[right], states.includes(state), state)
      }
    })
  }
}

test('nobody deletes content once an approval is claimed', () => {
  for (const who of Object.values(WHO)) assert.ok(may.whyNotDeleteContent(who, { ...STATE.locked, is_claimed: true }))
})

test('6.1 only ordinary users with a verified e-mail create collections', () => {
  const allowed = (Object.keys(WHO) as Who[]).filter((who) => may.canCreateCollection(WHO[who]))
  assert.deepEqual(allowed, ['owner', 'stranger'])
})

test('the owner, staff and superuser see a collection; admins and strangers do not', () => {
  const allowed = (Object.keys(WHO) as Who[]).filter((who) => may.canSeeCollection(WHO[who], STATE.open))
  assert.deepEqual(allowed, [
    'owner',
    'unverified owner',
    'owner who became staff',
    'owner who became admin',
    'owner who became superuser',
    'staff',
    'superuser',
  ])
})

test('only a verified superuser withdraws an approval, never of their own, while it is not yet sealed', () => {
  const claimed = { ...STATE.locked, is_claimed: true }
  const whoMay = (facts: may.ReviewFacts) =>
    (Object.keys(WHO) as Who[]).filter((who) => !may.whyNotWithdrawApproval(WHO[who], facts))
  assert.deepEqual(whoMay(claimed), ['superuser'])
  assert.deepEqual(whoMay({ ...claimed, is_claimed: false }), [])
  assert.deepEqual(whoMay({ ...claimed, proofid: 'P' }), [])
})

test('6.7 comments are deleted by who wrote them, compared by id, once their e-mail is verified', () => {
  assert.equal(may.whyNotDeleteComment(WHO.owner, { user: 1 }), undefined)
  assert.equal(may.whyNotDeleteComment(WHO['unverified owner'], { user: 1 }), 'email_not_verified')
  assert.equal(may.whyNotDeleteComment(WHO.superuser, { user: 1 }), 'forbidden')
})
