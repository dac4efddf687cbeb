import { beginSetup, setTwoFactor } from '@proofdesk/contract/two-factor'
import { codeOf, type TestServer } from '@proofdesk/server/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { call } from '../../lib/call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { readSession } from '../../lib/session.ts'
import { useGateway } from '../../testing/gateway.ts'
import { holdAnswer } from '../../testing/hold-answer.ts'
import { openApp, openAs } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'

async function openProfile(server: TestServer) {
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/profile')
  await screen.findByLabelText('First Name')
  return person
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

test('4.8 5.9 8.69 empty fields are sent as null and a changed e-mail makes the session unverified', async () => {
  const server = await useRealServer()
  const person = await openProfile(server)
  await person.clear(field('Phone Number'))
  await person.clear(field('Email'))
  await person.type(field('Email'), 'new@example.org')
  await person.click(screen.getByRole('button', { name: 'Update Profile' }))
  const notice = await screen.findByRole('alertdialog', { name: 'Profile updated successfully' })
  await waitFor(() => expect(notice.isConnected).toBe(false), { timeout: 2500 })
  const rows = await server.deps.db.selectFrom('users').select(['email', 'phone_number', 'first_name']).execute()
  expect(JSON.parse(JSON.stringify(rows))).toEqual([{ email: 'new@example.org', phone_number: '', first_name: 'Test' }])
  expect(readSession()).toMatchObject({ user: { email: 'new@example.org', is_email_verified: false } })
  expect(screen.getByText('Please Verify Your Email')).toBeTruthy()
})

test('a profile is not written on while it is saved, which would wipe it', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const gateway = await useGateway()
  gateway.trouble('PATCH /profile/update_profile/', 'late')
  const person = openApp('/profile')
  await person.type(await screen.findByLabelText('Last Name'), 'X')
  await person.click(screen.getByRole('button', { name: 'Update Profile' }))
  const typed = field('Last Name').value
  await waitFor(() => expect(field('Last Name').readOnly).toBe(true))
  await person.type(field('Last Name'), 'Y')
  expect(field('Last Name').value).toBe(typed)
  gateway.release()
  await screen.findByRole('alertdialog', { name: 'Profile updated successfully' })
  expect(field('Last Name').readOnly).toBe(false)
})

test('an answer from before a change does not bring the old profile back', async () => {
  const person = await openProfile(await useRealServer())
  const { held, release } = holdAnswer('/profile/info/')
  void queryClient.refetchQueries({ queryKey: QUERY_KEYS.profile })
  await waitFor(() => expect(held).toHaveLength(1))
  await person.type(field('Last Name'), 'X')
  await person.click(screen.getByRole('button', { name: 'Update Profile' }))
  await screen.findByRole('alertdialog', { name: 'Profile updated successfully' })
  release()
  // What came late has been taken in by then.
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(queryClient.getQueryData(QUERY_KEYS.profile)).toMatchObject({ last_name: field('Last Name').value })
})

test('what was not edited is not sent: a tab that was open longer undoes nothing of a newer one', async () => {
  const server = await useRealServer()
  const person = await openProfile(server)
  const elsewhere = await server.signIn('ada')
  const saved = await elsewhere.patch('/profile/update_profile/', {
    phone_number: '+44 20 7946 0001',
    birthdate: '1990-05-17',
  })
  expect(saved.status).toBe(200)
  await person.clear(field('First Name'))
  await person.type(field('First Name'), 'Augusta')
  await person.click(screen.getByRole('button', { name: 'Update Profile' }))
  await screen.findByRole('alertdialog', { name: 'Profile updated successfully' })
  expect((await elsewhere.get('/profile/info/')).json()).toMatchObject({
    first_name: 'Augusta',
    phone_number: '+44 20 7946 0001',
    birthdate: '1990-05-17',
  })
  await waitFor(() => expect(field('Phone Number').value).toBe('+44 20 7946 0001'))
})

test('5.8 an e-mail is required, and nothing is sent without one', async () => {
  const server = await useRealServer()
  const person = await openProfile(server)
  await person.clear(field('Email'))
  await person.clear(field('First Name'))
  await person.click(screen.getByRole('button', { name: 'Update Profile' }))
  await screen.findByText('This field is required.')
  const rows = await server.deps.db.selectFrom('users').select('first_name').execute()
  expect(rows[0]?.first_name).toBe('Test')
})

test('8.52 a password change that fails keeps what was typed and shows the error field', async () => {
  const person = await openProfile(await useRealServer())
  await person.type(field('Old Password'), 'Wrong1!')
  await person.type(field('New Password'), 'Another1!')
  await person.type(field('Confirm New Password'), 'Another1!')
  await person.click(screen.getByRole('button', { name: 'Change Password' }))
  const notice = await screen.findByRole('alertdialog', { name: 'Failed to change password' })
  expect(notice.textContent).toContain('The old password is not right.')
  await person.click(screen.getByRole('button', { name: 'OK' }))
  expect(field('New Password').value).toBe('Another1!')
})

test('5.10 a password change needs all three fields', async () => {
  const server = await useRealServer()
  const person = await openProfile(server)
  await person.click(screen.getByRole('button', { name: 'Change Password' }))
  await screen.findAllByText('This field is required.')
  for (const label of ['Old Password', 'New Password', 'Confirm New Password'])
    expect(field(label).getAttribute('aria-invalid'), label).toBe('true')
  expect(server.logLines.filter((line) => line.includes('/password/change'))).toEqual([])
})

test('8.50 a profile that cannot be loaded says why and can be tried again', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  await server.deps.db.schema.alterTable('users').renameColumn('birthdate', 'gone').execute()
  const person = openApp('/profile')
  await screen.findByText(/^Failed to load profile: /, {}, { timeout: 8000 })
  await server.deps.db.schema.alterTable('users').renameColumn('gone', 'birthdate').execute()
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByLabelText('First Name')
})

test('new recovery codes stay until they are put away: no key loses them', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const { secret } = await call(beginSetup, {})
  await call(setTwoFactor, { body: { otp: codeOf(secret, server.clock.now()) } })
  const person = openApp('/profile')
  await person.click(await screen.findByRole('button', { name: 'New recovery codes' }))
  const question = within(await screen.findByRole('alertdialog'))
  await person.click(question.getByRole('button', { name: 'New recovery codes' }))
  await screen.findByRole('list', { name: 'Recovery codes' })
  await person.keyboard('{Escape}')
  await person.click(document.body)
  expect(within(screen.getByRole('list', { name: 'Recovery codes' })).getAllByRole('listitem')).toHaveLength(10)
  await person.click(screen.getByRole('button', { name: 'I have kept them' }))
  expect(screen.queryByRole('list', { name: 'Recovery codes' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Profile Management' }))
})
