import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAs, readPath } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'

test('the profile lists one’s sessions, marks this one, and ends one or all of the others', async () => {
  const server = await useRealServer()
  const [phone, desk, tablet] = [await server.signIn('ada'), await server.signIn('ada'), await server.signIn('ada')]
  const user = await openAs('ada', '/profile')
  const list = await screen.findByRole('list', { name: 'Sessions' })
  const rows = within(list).getAllByRole('listitem')
  expect(rows).toHaveLength(4)
  expect(rows.filter((row) => row.textContent.includes('This session'))).toHaveLength(1)
  const [first] = within(list).getAllByRole('button', { name: /^End the session/ })
  if (!first) throw new Error('no button')
  await user.click(first)
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(3))
  // What was pressed is gone: the next one has the focus.
  expect(list.contains(document.activeElement)).toBe(true)
  expect((await tablet.get('/user/info')).status).toBe(401)
  expect((await desk.get('/user/info')).status).toBe(200)
  await user.click(screen.getByRole('button', { name: 'End all others' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'End all others' }))
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1))
  for (const client of [phone, desk]) expect((await client.get('/user/info')).status).toBe(401)
  expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull()
  await waitFor(() => expect(document.activeElement?.contains(list)).toBe(true))
  expect(document.activeElement).not.toBe(document.body)
})

test('after a change of the password the profile lists no sessions that it has ended', async () => {
  const server = await useRealServer()
  await server.signIn('ada')
  const user = await openAs('ada', '/profile')
  const list = await screen.findByRole('list', { name: 'Sessions' })
  expect(within(list).getAllByRole('listitem')).toHaveLength(2)
  await user.type(screen.getByLabelText('Old Password'), 'Secret1!')
  await user.type(screen.getByLabelText('New Password'), 'Another1!')
  await user.type(screen.getByLabelText('Confirm New Password'), 'Another1!{Enter}')
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(1))
})

test.each(['/dashboard', '/collection', '/ticket'])(
  'where two-factor is demanded staff without it are led from %s to its set-up, and told why',
  async (path) => {
    const server = await useRealServer({ config: { requireTwoFactor: true } })
    await server.createUser({ username: 'sam', is_staff: true })
    await openAs('sam', path)
    await screen.findByText('Your role asks for a second step when signing in. Set it up to go on.')
    expect(readPath()).toBe('/2fa-setup')
    await screen.findByRole('img', { name: 'QR code to scan with an authenticator app' })
  },
)

test('who signs in over the screen of somebody led to two-factor is not led there as well', async () => {
  const server = await useRealServer({ config: { requireTwoFactor: true } })
  await server.createUser({ username: 'sam', is_staff: true })
  await server.createUser({ username: 'ada' })
  const person = await openAs('sam', '/dashboard')
  await screen.findByText(/^Your role asks for a second step/)
  await act(() => signIn('ada'))
  await waitFor(() => expect(screen.queryByText(/^Your role asks/)).toBeNull(), { timeout: 4000 })
  await person.click((await screen.findAllByRole('link', { name: 'Collection' }))[0]!)
  await screen.findByLabelText('Collection title')
  expect(readPath()).toBe('/collection')
})
