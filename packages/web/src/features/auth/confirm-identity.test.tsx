import { TEST_PASSWORD, type TestServer } from '@proofdesk/server/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { useGateway } from '../../testing/gateway.ts'
import { openApp } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'

/** As if the sign-in were hours old. */
async function forgetSignIns(server: TestServer): Promise<void> {
  await server.deps.db.updateTable('sessions').set({ confirmed_at: 1 }).execute()
}

async function changeEmail(person: UserEvent, email: string): Promise<void> {
  const field = await screen.findByRole('textbox', { name: /^Email/ })
  await person.clear(field)
  await person.type(field, email)
  await person.click(screen.getByRole('button', { name: 'Update Profile' }))
}

const readEmail = async (server: TestServer) =>
  (await server.deps.db.selectFrom('users').select('email').executeTakeFirstOrThrow()).email

test('a sensitive change asks in place who it is, and goes on by itself', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  await forgetSignIns(server)
  const person = openApp('/profile')
  await changeEmail(person, 'new@example.org')
  const dialog = await screen.findByRole('dialog', { name: 'Is it you?' })
  const password = await within(dialog).findByLabelText('Password')
  await person.type(password, 'Wrong1!')
  await person.click(within(dialog).getByRole('button', { name: 'Confirm' }))
  expect(await within(dialog).findByText('The password is wrong.')).toBeTruthy()
  expect(await readEmail(server)).toBe('ada@example.org')
  await person.clear(password)
  await person.type(password, TEST_PASSWORD)
  await person.click(within(dialog).getByRole('button', { name: 'Confirm' }))
  await waitFor(async () => expect(await readEmail(server)).toBe('new@example.org'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('whoever would rather not is told, and what they typed stays', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  await forgetSignIns(server)
  const person = openApp('/profile')
  await changeEmail(person, 'new@example.org')
  const dialog = await screen.findByRole('dialog', { name: 'Is it you?' })
  await person.click(await within(dialog).findByRole('button', { name: 'Cancel' }))
  const notice = await screen.findByRole('alertdialog')
  expect(notice.textContent).toContain('Please confirm that it is you.')
  await person.click(within(notice).getByRole('button', { name: 'OK' }))
  expect(await readEmail(server)).toBe('ada@example.org')
  expect(screen.getByDisplayValue('new@example.org')).toBeTruthy()
})

test('where it is not known how they can show it, they may try again or leave it', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  await forgetSignIns(server)
  const gateway = await useGateway()
  gateway.trouble('GET /auth/confirm/', 'refused')
  const person = openApp('/profile')
  await changeEmail(person, 'new@example.org')
  const dialog = within(await screen.findByRole('dialog', { name: 'Is it you?' }))
  await dialog.findByRole('alert')
  gateway.mend('GET /auth/confirm/')
  await person.click(dialog.getByRole('button', { name: 'Try again' }))
  // Whatever is wrong in a field is led to, and so read out.
  const password = await dialog.findByLabelText('Password')
  await person.click(dialog.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(document.activeElement).toBe(password))
  await person.type(password, 'Wrong1!')
  dialog.getByRole('button', { name: 'Confirm' }).focus()
  await person.keyboard('{Enter}')
  await dialog.findByText('The password is wrong.')
  await waitFor(() => expect(document.activeElement).toBe(password))
  await person.click(dialog.getByRole('button', { name: 'Cancel' }))

  await screen.findByRole('alertdialog')
  await person.click(screen.getByRole('button', { name: 'OK' }))
  gateway.trouble('GET /auth/confirm/', 'refused')
  await person.click(screen.getByRole('button', { name: 'Update Profile' }))
  const again = within(await screen.findByRole('dialog', { name: 'Is it you?' }))
  await again.findByRole('alert')
  await person.click(again.getByRole('button', { name: 'Cancel' }))
  await screen.findByRole('alertdialog')
})

test('somebody else who signs in meanwhile is not asked, and the change of the one before is not made to them', async () => {
  const server = await useRealServer()
  for (const username of ['ada', 'bob']) await server.createUser({ username })
  await signIn('ada')
  await forgetSignIns(server)
  const person = openApp('/profile')
  await changeEmail(person, 'new@example.org')
  await screen.findByRole('dialog', { name: 'Is it you?' })
  await act(() => signIn('bob'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), { timeout: 4000 })
  const emails = await server.deps.db.selectFrom('users').select('email').execute()
  expect(emails.map(({ email }) => email).toSorted()).toEqual(['ada@example.org', 'bob@example.org'])
})
