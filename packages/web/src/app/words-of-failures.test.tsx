import type { TestServer } from '@proofdesk/server/testing'
import { beginSetup, setTwoFactor } from '@proofdesk/contract/two-factor'
import { codeOf } from '@proofdesk/server/testing'
import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { call } from '../lib/call.ts'
import { useGateway, type Trouble } from '../testing/gateway.ts'
import { makeCollection, makeSentCollection, PNG } from '../testing/made-collections.ts'
import { openApp, openAs } from '../testing/open-app.tsx'
import { leaveServer, useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'
import { readSpecifiedWords } from '../testing/specified-words.ts'

interface Failure {
  /** Number of the specification's item. */
  item: string
  /** Where the person reads more than the item quotes. */
  words?: string
  /** The call that goes wrong. */
  broken: string
  /** `refused` when absent: an answer without words of the server. */
  how?: Trouble
  /** The owner when absent. */
  who?: 'sam'
  path: string
  /** Where the words come by something the person does. */
  act?: (person: UserEvent) => Promise<unknown>
  /** Where something has to be there first; the collection of the person's path is 1 already. */
  prepare?: (server: TestServer) => Promise<unknown>
}

const press = async (person: UserEvent, name: string | RegExp) =>
  person.click(await screen.findByRole('button', { name }))
const fillIn = async (person: UserEvent, label: string, text: string) =>
  person.type(await screen.findByLabelText(label), text)
const pressIn = async (person: UserEvent, role: 'dialog' | 'alertdialog', name: string) =>
  person.click(within(await screen.findByRole(role)).getByRole('button', { name }))
const choose = async (person: UserEvent, entry: string) => {
  await press(person, 'Options of Degree')
  await person.click(await screen.findByRole('menuitem', { name: entry }))
}
const addFile = async (person: UserEvent) => {
  await person.upload(await screen.findByLabelText('File'), new File([PNG], 'scan.png', { type: 'image/png' }))
  await press(person, 'Add Content')
}
const decide = async (person: UserEvent, decision: 'Approve' | 'Reject') => {
  await press(person, decision)
  await fillIn(person, 'Admin description', 'Page 3')
  if (decision === 'Approve') await person.click(screen.getByLabelText('No expiry'))
  await pressIn(person, 'dialog', decision)
}
const comment = async (person: UserEvent) => {
  await fillIn(person, 'Comment', 'Here it is.')
  await press(person, 'Send')
}
const openTicket = async (server: TestServer) => (await server.signIn('ada')).post('/ticket/', { title: 'Lost seal' })
const enableTwoFactor = async (server: TestServer) => {
  const { secret } = await call(beginSetup, {})
  await call(setTwoFactor, { body: { otp: codeOf(secret, server.clock.now()) } })
}

const DETAIL = '/content/1'
const FAILURES: Failure[] = [
  { item: '8.19', broken: 'GET /collections/', path: '/collection' },
  {
    item: '8.20',
    words: 'Failed to create collection: Failed to create collection',
    broken: 'POST /collections/',
    path: '/collection',
    act: async (person) => {
      await fillIn(person, 'Collection title', 'Second')
      await press(person, 'Create collection')
    },
  },
  {
    item: '8.22',
    broken: 'PATCH /collections/1/',
    path: '/collection',
    act: async (person) => {
      await choose(person, 'Edit')
      await press(person, 'Save title')
    },
  },
  {
    item: '8.21',
    broken: 'DELETE /collections/1/',
    path: '/collection',
    act: async (person) => {
      await choose(person, 'Delete')
      await pressIn(person, 'alertdialog', 'Delete')
    },
  },
  {
    item: '8.23',
    broken: 'POST /collections/1/save/',
    path: '/collection',
    act: async (person) => {
      await choose(person, 'Send for review')
      await pressIn(person, 'alertdialog', 'Send for review')
    },
  },
  {
    item: '8.39',
    broken: 'POST /collections/1/save/',
    how: 'garbled',
    path: DETAIL,
    act: async (person) => {
      await press(person, 'Send for review')
      await pressIn(person, 'alertdialog', 'Send for review')
    },
  },
  {
    item: '8.33',
    broken: 'GET /collections/1',
    how: 'garbled',
    path: DETAIL,
  },
  { item: '8.16', broken: 'GET /contents/', path: DETAIL },
  { item: '8.34', broken: 'GET /contents/', how: 'garbled', path: DETAIL },
  { item: '8.17', broken: 'POST /contents/', path: DETAIL, act: addFile },
  {
    item: '8.18',
    broken: 'DELETE /contents/1/',
    path: DETAIL,
    act: async (person) => {
      await press(person, /^Delete TYPE1/)
      await pressIn(person, 'alertdialog', 'Delete')
    },
  },
  {
    item: '8.37',
    broken: 'GET /contents/serve/',
    path: DETAIL,
    act: (person) => press(person, /^View TYPE1/),
  },
  { item: '8.26', broken: 'GET /comments/', path: DETAIL },
  { item: '8.35', broken: 'GET /comments/', how: 'garbled', path: DETAIL },
  { item: '8.27', broken: 'POST /comments/', path: DETAIL, act: comment },
  {
    item: '8.36',
    broken: 'POST /comments/',
    how: 'garbled',
    path: DETAIL,
    act: comment,
  },
  {
    item: '8.28',
    broken: 'DELETE /comments/1/',
    path: DETAIL,
    prepare: async (server) => (await server.signIn('ada')).post('/comments/', { collection: 1, text: 'Look here' }),
    act: async (person) => {
      await press(person, /^Delete your comment/)
      await pressIn(person, 'alertdialog', 'Delete')
    },
  },
  {
    item: '8.24',
    broken: 'POST /admin/2/approve/',
    who: 'sam',
    path: '/content/2',
    prepare: async (server) => makeSentCollection(await server.signIn('ada'), 'Sent one'),
    act: (person) => decide(person, 'Approve'),
  },
  {
    item: '8.25',
    broken: 'POST /admin/2/reject/',
    who: 'sam',
    path: '/content/2',
    prepare: async (server) => makeSentCollection(await server.signIn('ada'), 'Sent one'),
    act: (person) => decide(person, 'Reject'),
  },
  { item: '8.29', broken: 'GET /ticket/', path: '/ticket' },
  {
    item: '8.30',
    broken: 'POST /ticket/',
    path: '/ticket',
    act: async (person) => {
      await press(person, '+ Add Ticket')
      await fillIn(person, 'Title', 'Lost seal')
      await press(person, 'Create ticket')
    },
  },
  {
    item: '8.31',
    broken: 'GET /conversation/',
    path: '/ticket',
    prepare: openTicket,
    act: (person) => press(person, 'Lost seal'),
  },
  {
    item: '8.49',
    broken: 'POST /conversation/',
    path: '/ticket',
    prepare: openTicket,
    act: async (person) => {
      await press(person, 'Lost seal')
      await fillIn(person, 'Message', 'Where is it?')
      await press(person, 'Send')
    },
  },
  {
    item: '8.38',
    broken: 'GET /notification/check_read',
    path: '/dashboard',
    prepare: async (server) => {
      const sam = await server.signIn('sam', { is_staff: true })
      const { id } = await makeSentCollection(await server.signIn('ada'), 'Sent one')
      await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3' })
    },
    act: async (person) => {
      await press(person, 'Notifications, 1 unread')
      await person.click(await screen.findByText('REJECTED_COLLECTION'))
    },
  },
  {
    item: '8.50',
    words: 'Failed to load profile: Something went wrong. Please try refreshing the page.',
    broken: 'GET /profile/info/',
    path: '/profile',
  },
  {
    item: '8.51',
    broken: 'PATCH /profile/update_profile/',
    path: '/profile',
    act: (person) => press(person, 'Update Profile'),
  },
  {
    item: '8.52',
    broken: 'POST /password/change/',
    path: '/profile',
    act: async (person) => {
      await fillIn(person, 'Old Password', 'Secret1!')
      await fillIn(person, 'New Password', 'Another1!')
      await fillIn(person, 'Confirm New Password', 'Another1!')
      await press(person, 'Change Password')
    },
  },
  {
    item: '8.53',
    broken: 'POST /profile/resend_verification_email/',
    path: '/profile',
    prepare: async (server) => server.deps.db.updateTable('users').set({ is_email_verified: 0 }).execute(),
    act: (person) => press(person, 'Send verification email'),
  },
  { item: '8.56', broken: 'GET /g2fa/gfa_qrcode/', path: '/2fa-setup' },
  {
    item: '8.54',
    broken: 'PATCH /g2fa/gfa_status/',
    path: '/2fa-setup',
    act: async (person) => {
      await fillIn(person, '6-digit OTP', '123456')
      await press(person, 'Enable 2FA')
    },
  },
  {
    item: '8.55',
    broken: 'PATCH /g2fa/gfa_status/',
    path: '/profile',
    prepare: enableTwoFactor,
    act: async (person) => {
      await press(person, 'Disable 2FA')
      await pressIn(person, 'alertdialog', 'Disable 2FA')
    },
  },
  {
    item: '8.5',
    broken: 'POST /password/reset/',
    path: '/login',
    act: async (person) => {
      await press(person, 'Reset it')
      await fillIn(person, 'Email', 'ada@example.org')
      await press(person, 'Reset Password')
    },
  },
  {
    item: '8.10',
    words: 'Registration failed: Try again later.',
    broken: 'POST /auth/register/',
    path: '/register',
    act: async (person) => {
      for (const label of ['First Name', 'Last Name', 'Username']) await fillIn(person, label, 'Bea')
      await fillIn(person, 'Email', 'bea@example.org')
      await fillIn(person, 'Phone Number', '+44 20 7946 0000')
      await fillIn(person, 'Password', 'Secret1!')
      await fillIn(person, 'Confirm Password', 'Secret1!')
      await press(person, 'Register')
    },
  },
]

const OPEN_PATHS = ['/login', '/register']

test.each(FAILURES)(
  '$item what is said when $broken fails',
  async ({ item, words = readSpecifiedWords(item), broken, how = 'refused', who = 'ada', path, act, prepare }) => {
    const server = await useRealServer()
    await server.createUser({ username: 'sam', is_staff: true })
    await makeCollection(await server.signIn('ada'), 'Degree')
    const gateway = await useGateway()
    if (!OPEN_PATHS.includes(path)) await signIn(who)
    await prepare?.(server)
    if (path === '/profile' && broken.includes('resend')) await signIn(who)
    gateway.trouble(broken, how)
    const person = openApp(path)
    await act?.(person)
    const shown = await screen.findAllByText(words)
    expect(shown.length).toBeGreaterThan(0)
    expect(gateway.calls).toContain(broken)
  },
)

test.each([
  ['GET /collections/1', 'Failed to load collection details'],
  ['GET /contents/', 'Failed to load contents'],
])('what %s could not load is there when it is asked for again', async (broken, words) => {
  const server = await useRealServer()
  await makeCollection(await server.signIn('ada'), 'Degree')
  const gateway = await useGateway()
  gateway.trouble(broken, 'garbled')
  const person = await openAs('ada', DETAIL)
  await screen.findByText(words)
  gateway.mend(broken)
  await press(person, 'Try again')
  await screen.findByRole('button', { name: /^View TYPE1/ })
})

test('8.41 a server that is away is told by name while a file is looked at: IDM Error', async () => {
  const server = await useRealServer()
  await makeCollection(await server.signIn('ada'), 'Degree')
  const person = await openAs('ada', DETAIL)
  await screen.findByRole('button', { name: /^View TYPE1/ })
  leaveServer()
  await press(person, /^View TYPE1/)
  const dialog = await screen.findByRole('alertdialog', { name: 'IDM Error' })
  expect(dialog.textContent).toContain('download manager such as IDM, please disable it')
})

test('8.4 a reset that is refused shows the text of the error field in its dialog', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const email = 'ada@example.org'
  let error: unknown
  for (let asked = 0; error === undefined && asked < 10; asked += 1)
    error = (await server.stranger.post('/password/reset/', { email })).json().error
  const person = openApp('/login')
  await press(person, 'Reset it')
  await fillIn(person, 'Email', email)
  await press(person, 'Reset Password')
  const dialog = within(screen.getByRole('dialog', { name: 'Reset Password' }))
  await dialog.findByText(/^Too many attempts\. Please wait and try again\. Try again in \d+ minutes\.$/)
  expect(error).toBe('Too many attempts. Please wait and try again.')
})

test('8.14 notifications that cannot be fetched are no message, only a line in the log', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const gateway = await useGateway()
  await signIn('ada')
  gateway.trouble('GET /notification/', 'refused')
  const person = openApp('/dashboard')
  await person.click(await screen.findByRole('button', { name: 'Notifications' }))
  await expect
    .poll(() => log.mock.calls.map(([words]) => words as unknown))
    .toContain('Notifications could not be fetched')
  await screen.findByText('Loading notifications...')
  expect(screen.queryByText(/could not be/)).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  log.mockRestore()
})

test('8.48 any other failure of the verification says that an error occurred', async () => {
  await useRealServer()
  const gateway = await useGateway()
  gateway.trouble('GET /service-content-servers/get-pdfs/', 'refused')
  const person = openApp('/service-content')
  await fillIn(person, 'Proof ID', 'x')
  await fillIn(person, 'Username', 'ada')
  await press(person, 'Verify Document')
  await screen.findByText('An error occurred. Please try again.')
})
