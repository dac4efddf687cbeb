import { screen, waitFor, within } from '@testing-library/react'
import type { TestServer } from '@proofdesk/server/testing'
import { expect, test } from 'vitest'
import { useGateway } from '../../testing/gateway.ts'
import { openApp, openAs, readPath } from '../../testing/open-app.tsx'
import { leaveServer, useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'

const FLAGS = ['Active', 'Email Verified', '2FA', 'Admin', 'Staff']

async function addPeople(server: TestServer): Promise<void> {
  await server.createUser({ username: 'sue', is_superuser: true })
  await server.createUser({ username: 'amy', is_admin: true })
  await server.createUser({ username: 'sam', is_staff: true })
  await server.createUser({ username: 'una', verified: false })
  await server.createUser({ username: 'ada' })
}

/** Which flags of a row are toggles, and which of these can be turned. */
async function readToggles(username: string) {
  const row = (await screen.findByText(`${username}@example.org`)).closest('tr')
  if (!row) throw new Error(`no row of ${username}`)
  const names = (switches: HTMLElement[]) =>
    switches.map((one) => one.getAttribute('aria-label')?.replace(`: ${username}`, ''))
  const switches = within(row).queryAllByRole('switch')
  return {
    shown: names(switches),
    idle: names(switches.filter((one) => one.hasAttribute('disabled'))),
    values: within(row).queryAllByText(/^(Yes|No)$/).length,
  }
}

function readNames(): (string | undefined)[] {
  return screen.getAllByText(/@example\.org$/).map((email) => email.textContent.split('@')[0])
}

test('6.33 a superuser toggles all five flags of verified accounts, of an unverified one only that it is verified', async () => {
  await addPeople(await useRealServer())
  await openAs('sue', '/users')
  expect(await readToggles('ada')).toEqual({ shown: FLAGS, idle: [], values: 0 })
  expect(await readToggles('una')).toEqual({ shown: ['Email Verified', '2FA'], idle: ['2FA'], values: 3 })
  expect(await readToggles('sue')).toEqual({ shown: FLAGS, idle: ['Active', 'Email Verified', '2FA'], values: 0 })
})

test('6.34 an admin reads the values and toggles staff of verified accounts, not their own and not a superuser’s', async () => {
  await addPeople(await useRealServer())
  await openAs('amy', '/users')
  expect(await readToggles('ada')).toEqual({ shown: ['Staff'], idle: [], values: 4 })
  for (const other of ['amy', 'sue', 'una'])
    expect(await readToggles(other)).toEqual({ shown: [], idle: [], values: 5 })
})

test('a toggle holds on the server, and the tiles count anew', async () => {
  const server = await useRealServer()
  await addPeople(server)
  const user = await openAs('amy', '/users')
  await user.click(await screen.findByRole('switch', { name: 'Staff: ada', checked: false }))
  await screen.findByRole('switch', { name: 'Staff: ada', checked: true })
  await screen.findByRole('button', { name: /^Staff Users\s*2$/ })
  const row = await server.deps.db.selectFrom('users').selectAll().where('username', '=', 'ada').executeTakeFirst()
  expect(row).toMatchObject({ is_staff: 1, is_admin: 0 })
})

test('6.33 whoever is deactivated by the toggle is asked about first; that it was done is said', async () => {
  const server = await useRealServer()
  await addPeople(server)
  const user = await openAs('sue', '/users')
  const readActive = async () => {
    const ada = server.deps.db.selectFrom('users').select('is_active').where('username', '=', 'ada')
    return Boolean((await ada.executeTakeFirstOrThrow()).is_active)
  }
  await user.click(await screen.findByRole('switch', { name: 'Active: ada', checked: true }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Are you sure?' }))
  question.getByText('ada is signed out everywhere at once and can no longer sign in.')
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(await readActive()).toBe(true)
  await user.click(screen.getByRole('switch', { name: 'Active: ada', checked: true }))
  const again = within(await screen.findByRole('alertdialog', { name: 'Are you sure?' }))
  await user.click(again.getByRole('button', { name: 'Deactivate' }))
  await screen.findByText('Active turned off for ada')
  expect(await readActive()).toBe(false)
  // Giving it back ends nothing.
  await user.click(await screen.findByRole('switch', { name: 'Active: ada', checked: false }))
  await screen.findByText('Active turned on for ada')
  expect(await readActive()).toBe(true)
})

test('6.35 8.44 a refusal says which field the viewer may not update, any other failure which one failed, and why', async () => {
  const server = await useRealServer()
  await addPeople(server)
  const user = await openAs('sue', '/users')
  await user.click(await screen.findByRole('switch', { name: '2FA: ada' }))
  await screen.findByText('Failed to update gfa_is_enabled.')
  await screen.findByText('This person has not set up an authenticator app.')
  expect(screen.getByRole('switch', { name: '2FA: ada', checked: false })).toBeTruthy()

  const { db } = server.deps
  await db.updateTable('users').set({ is_superuser: 0, is_admin: 1 }).where('username', '=', 'sue').execute()
  await user.click(screen.getByRole('switch', { name: 'Admin: ada' }))
  await screen.findByText('You lack permission to update is_admin.')
  expect(screen.queryByText('Failed to update gfa_is_enabled.')).toBeNull()
  expect(screen.getByRole('switch', { name: 'Admin: ada', checked: false })).toBeTruthy()
})

test('6.35 a refusal that has a reason of its own says it, and one for want of the right alone says no more', async () => {
  const server = await useRealServer()
  await addPeople(server)
  const user = await openAs('sue', '/users')
  const { db } = server.deps
  await db.updateTable('users').set({ email: 'ada@example.org' }).where('username', '=', 'una').execute()
  await user.click(await screen.findByRole('switch', { name: 'Email Verified: una' }))
  const banner = await screen.findByRole('alert')
  expect([...banner.querySelectorAll('span')].map((line) => line.textContent)).toEqual([
    'You lack permission to update is_email_verified.',
    'A user with that email already exists.',
  ])

  await db.updateTable('users').set({ is_superuser: 0, is_admin: 1 }).where('username', '=', 'sue').execute()
  await user.click(screen.getByRole('switch', { name: 'Admin: ada' }))
  await screen.findByText('You lack permission to update is_admin.')
  expect(screen.getByRole('alert').textContent).toBe('You lack permission to update is_admin.')
})

test('8.44 a refusal that is told again and again leaves the screen in use, and lets the viewer leave it', async () => {
  await addPeople(await useRealServer())
  const user = await openAs('sue', '/users')
  for (const flag of ['2FA: ada', '2FA: sam', '2FA: ada']) {
    await user.click(await screen.findByRole('switch', { name: flag, checked: false }))
    await screen.findByText('Failed to update gfa_is_enabled.')
  }
  await user.click(screen.getByRole('button', { name: /^Staff Users/ }))
  await waitFor(() => expect(readNames()).toEqual(['sam']))
  await user.click(screen.getByRole('link', { name: 'Profile' }))
  await screen.findByRole('heading', { name: 'Profile Management' })
  expect(screen.queryByText(/Something went wrong/)).toBeNull()
})

test('until one right is taken away the menu of a person offers no other to be taken', async () => {
  const server = await useRealServer()
  await addPeople(server)
  const { id } = await server.createUser({ username: 'max', is_admin: true, is_staff: true })
  const gateway = await useGateway()
  const user = await openAs('sue', '/users')
  const openMenu = async () => user.click(await screen.findByRole('button', { name: 'Options for max' }))
  await openMenu()
  gateway.trouble(`PATCH /admin/users/${id}/`, 'late')
  await user.click(await screen.findByRole('menuitem', { name: 'Take staff away' }))
  const question = within(await screen.findByRole('alertdialog'))
  await user.click(question.getByRole('button', { name: 'Take staff away' }))
  await expect.poll(() => gateway.calls).toContain(`PATCH /admin/users/${id}/`)
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await openMenu()
  const other = await screen.findByRole('menuitem', { name: 'Take admin away' })
  expect(other.getAttribute('aria-disabled')).toBe('true')
  gateway.release()
  await waitFor(() => expect(other.getAttribute('aria-disabled')).toBeNull())
})

test('2.101 the tiles Admin Users, Staff Users and All Users narrow the list, and so does the search', async () => {
  await addPeople(await useRealServer())
  const user = await openAs('amy', '/users')
  await user.click(await screen.findByRole('button', { name: /^Admin Users\s*1$/ }))
  await waitFor(() => expect(readNames()).toEqual(['amy']))
  await user.click(screen.getByRole('button', { name: /^Staff Users\s*1$/ }))
  await waitFor(() => expect(readNames()).toEqual(['sam']))
  await user.click(screen.getByRole('button', { name: /^All Users\s*5$/ }))
  await waitFor(() => expect(readNames()).toEqual(['ada', 'una', 'sam', 'amy', 'sue']))
  await user.type(screen.getByLabelText('Search by username or e-mail'), 'SAM@')
  await waitFor(() => expect(readNames()).toEqual(['sam']))
  await user.clear(screen.getByLabelText('Search by username or e-mail'))
  await user.type(screen.getByLabelText('Search by username or e-mail'), 'nobody')
  await screen.findByText('No users found')
})

test('2.102 9.23 9.24 exactly the five columns sort, each through ascending, descending and none', async () => {
  await addPeople(await useRealServer())
  const user = await openAs('amy', '/users')
  await screen.findByText('ada@example.org')
  const sortable = [...document.querySelectorAll('th button')].map((button) => button.textContent)
  expect(sortable).toEqual(['Active', 'Email Verified', 'Admin', 'Staff', 'Date Joined'])
  for (const [word, field] of [
    ['Active', 'is_active'],
    ['Email Verified', 'is_email_verified'],
    ['Admin', 'is_admin'],
    ['Staff', 'is_staff'],
    ['Date Joined', 'date_joined'],
  ] as const) {
    const head = screen.getByRole('button', { name: word })
    await user.click(head)
    await waitFor(() => expect(readPath()).toBe(`/users?ordering=${field}`))
    expect(head.closest('th')?.getAttribute('aria-sort')).toBe('ascending')
    await user.click(head)
    await waitFor(() => expect(readPath()).toBe(`/users?ordering=-${field}`))
    expect(head.closest('th')?.getAttribute('aria-sort')).toBe('descending')
    await user.click(head)
    await waitFor(() => expect(readPath()).toBe('/users'))
  }
  await user.click(screen.getByRole('button', { name: 'Date Joined' }))
  await waitFor(() => expect(readNames()[0]).toBe('sue'))
})

test('2.102 the list has Previous and Next once it fills more than a page', async () => {
  const server = await useRealServer()
  await addPeople(server)
  for (let n = 1; n <= 6; n += 1) await server.createUser({ username: `extra${n}` })
  const user = await openAs('amy', '/users')
  await screen.findByText('Page 1 of 2')
  expect(readNames()).toHaveLength(10)
  await user.click(screen.getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(readNames()).toEqual(['sue']))
  await user.click(screen.getByRole('button', { name: 'Previous' }))
  await waitFor(() => expect(readNames()).toHaveLength(10))
})

test.each(['ada', 'sam'])(
  '2.103 2.104 %s may not view the page: they are told so and redirected to /dashboard',
  async (name) => {
    await addPeople(await useRealServer())
    await openAs(name, '/users')
    await screen.findByText('You do not have permission to view this page.')
    await waitFor(() => expect(readPath()).toBe('/dashboard'))
    expect(screen.queryByRole('link', { name: 'Users' })).toBeNull()
  },
)

test('2.13 who is not signed in is sent to /login', async () => {
  await useRealServer()
  openApp('/users')
  await waitFor(() => expect(readPath()).toBe('/login'))
})

test('8.43 a list that cannot be loaded says so in the words of the specification', async () => {
  await addPeople(await useRealServer())
  await signIn('amy')
  leaveServer()
  openApp('/users')
  await screen.findByText('Failed to load users. Please check your permissions or try again.', {}, { timeout: 10_000 })
})

test.each([
  ['sue', 'a superuser', true],
  ['amy', 'an admin', true],
  ['sam', 'staff', false],
  ['ada', 'an ordinary user', false],
])('2.42 %s, %s, finds the way to Users in the sidebar: %s', async (name, _role, isShown) => {
  await addPeople(await useRealServer())
  await openAs(name, '/dashboard')
  const greeting = await screen.findByRole('heading', { level: 1 })
  expect(greeting.textContent).toContain(name)
  expect(screen.queryAllByRole('link', { name: 'Users' })).toHaveLength(isShown ? 1 : 0)
})
