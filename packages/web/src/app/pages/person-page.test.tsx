import { screen, waitFor, within } from '@testing-library/react'
import type { TestServer } from '@proofdesk/server/testing'
import { expect, test } from 'vitest'
import { useGateway } from '../../testing/gateway.ts'
import { openAs, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

Element.prototype.scrollIntoView = () => {}

async function addPeople(server: TestServer) {
  await server.createUser({ username: 'sue', is_superuser: true })
  await server.createUser({ username: 'amy', is_admin: true })
  return server.createUser({ username: 'una', verified: false, is_staff: true })
}

function readUser(server: TestServer, username: string) {
  return server.deps.db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
}

test('a superuser takes rights of an unverified account away by the menu of its row', async () => {
  const server = await useRealServer()
  await addPeople(server)
  const user = await openAs('sue', '/users')
  await user.click(await screen.findByRole('button', { name: 'Options for una' }))
  const menu = await screen.findByRole('menu')
  expect(
    within(menu)
      .getAllByRole('menuitem')
      .map((entry) => entry.textContent),
  ).toEqual(['Open', 'Deactivate', 'Take staff away'])
  await user.click(within(menu).getByRole('menuitem', { name: 'Take staff away' }))
  const dialog = await screen.findByRole('alertdialog')
  within(dialog).getByText('Are you sure?')
  expect((await readUser(server, 'una')).is_staff).toBe(1)
  await user.click(within(dialog).getByRole('button', { name: 'Take staff away' }))
  await waitFor(async () => expect((await readUser(server, 'una')).is_staff).toBe(0))
})

test('6.35 a right that one may not take any more is refused in the words for it', async () => {
  const server = await useRealServer()
  await addPeople(server)
  const other = await server.signIn('tess', { is_superuser: true })
  // Else the page would know of it before the press.
  const gateway = await useGateway()
  gateway.trouble('GET /events/', 'refused')
  const user = await openAs('sue', '/users')
  await user.click(await screen.findByRole('button', { name: 'Options for una' }))
  await user.click(within(await screen.findByRole('menu')).getByRole('menuitem', { name: 'Take staff away' }))
  const dialog = await screen.findByRole('alertdialog')
  const { id } = await readUser(server, 'sue')
  expect((await other.patch(`/admin/users/${id}/`, { is_superuser: false })).status).toBe(200)
  await user.click(within(dialog).getByRole('button', { name: 'Take staff away' }))
  await screen.findByRole('alertdialog', { name: 'You lack permission to update is_staff.' })
  expect((await readUser(server, 'una')).is_staff).toBe(1)
})

test('an admin has no menu there, and one person’s screen is not theirs', async () => {
  const una = await addPeople(await useRealServer())
  await openAs('amy', `/users/${una.id}`)
  await screen.findByText('You do not have permission to view this page.')
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
})

test('one person’s screen shows account and sessions, ends them, and deactivates whatever the e-mail’s state', async () => {
  const server = await useRealServer()
  const una = await addPeople(server)
  const elsewhere = await server.signIn('una')
  const user = await openAs('sue', `/users/${una.id}`)
  await screen.findByRole('heading', { level: 1, name: 'una' })
  screen.getByText('una@example.org')
  expect(within(screen.getByRole('list', { name: 'Sessions' })).getAllByRole('listitem')).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'End all sessions' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'End all sessions' }))
  await screen.findByText('Not signed in anywhere.')
  expect((await elsewhere.get('/user/info')).status).toBe(401)
  await user.click(screen.getByRole('button', { name: 'Deactivate' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Deactivate' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Deactivate' })).toBeNull())
  expect((await readUser(server, 'una')).is_active).toBe(0)
})

test('nobody is offered to take away their own superuser or active flag', async () => {
  const server = await useRealServer()
  await addPeople(server)
  await openAs('sue', `/users/${(await readUser(server, 'sue')).id}`)
  await screen.findByRole('heading', { level: 1, name: 'sue' })
  expect(screen.queryByRole('button', { name: 'Deactivate' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Take superuser away' })).toBeNull()
})
