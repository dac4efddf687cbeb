import { cleanup, fireEvent, screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { goBack, openApp, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

const ADA = {
  'First Name': 'Ada',
  'Last Name': 'Lovelace',
  Email: 'ada@example.org',
  Username: 'ada',
  Password: 'Secret1!',
  'Confirm Password': 'Secret1!',
  'Phone Number': '+44 20 7946 0000',
}

test('5.1 all fields but the birthdate are required, and nothing is sent before they are right', async () => {
  const server = await useRealServer()
  const person = openApp('/register')
  await person.type(await screen.findByLabelText('Password'), 'secret')
  await person.click(screen.getByRole('button', { name: 'Register' }))
  await screen.findByText(/^Password must be at least 6 characters and include an uppercase letter/)
  expect(screen.getAllByText('This field is required.')).toHaveLength(6)
  expect(screen.getByLabelText('Birthdate').getAttribute('aria-invalid')).toBeNull()
  expect(await server.deps.db.selectFrom('users').select('id').execute()).toEqual([])
})

test('5.1 where nothing is filled in, the confirmation of the password is asked for like the other fields', async () => {
  await useRealServer()
  const person = openApp('/register')
  await person.click(await screen.findByRole('button', { name: 'Register' }))
  await screen.findByText(/^Password must be at least 6 characters/)
  const confirmation = screen.getByLabelText('Confirm Password')
  expect(confirmation.getAttribute('aria-invalid')).toBe('true')
  const words = document.getElementById(confirmation.getAttribute('aria-describedby')!)
  expect(words?.textContent).toBe('This field is required.')
})

test('5.1 5.4 all that is faulty is told at once: another confirmation and a birthdate to come beside a wrong username', async () => {
  await useRealServer()
  const person = openApp('/register')
  await fill(person, { ...ADA, Username: 'ada lovelace', 'Confirm Password': 'Secret2!' })
  fireEvent.change(screen.getByLabelText('Birthdate'), { target: { value: '2999-01-01' } })
  await person.click(screen.getByRole('button', { name: 'Register' }))
  await screen.findByText('Passwords do not match.')
  const isFaulty = (label: string) => screen.getByLabelText(label).getAttribute('aria-invalid')
  expect(['Username', 'Confirm Password', 'Birthdate'].map(isFaulty)).toEqual(['true', 'true', 'true'])
})

test('2.63 a registration says it was successful, mails a link and leads to the sign-in', async () => {
  const server = await useRealServer()
  const person = openApp('/register')
  await fill(person, ADA)
  await person.click(screen.getByRole('button', { name: 'Register' }))
  await screen.findByRole('alertdialog', { name: 'Registration Successful!' })
  await person.click(screen.getByRole('button', { name: 'OK' }))
  await screen.findByRole('heading', { name: 'Login' })
  expect(readPath()).toBe('/login')
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe(ADA.Username)
  const [mail] = await server.mails()
  expect(mail?.to?.[0]?.address).toBe('ada@example.org')
})

test('8.9 8.11 a taken username is told inline, in a dialog and at its field, and nothing typed is lost', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'Ada', email: 'other@example.org' })
  const person = openApp('/register')
  await fill(person, ADA)
  await person.click(screen.getByRole('button', { name: 'Register' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Registration Failed' })
  const text = 'Registration failed: A user with that username already exists.'
  expect(dialog.textContent).toContain(text)
  await person.click(screen.getByRole('button', { name: 'OK' }))
  expect(screen.getByRole('alert').textContent).toBe(text)
  await expect.poll(() => screen.getByLabelText('Username').getAttribute('aria-invalid')).toBe('true')
  for (const [label, typed] of Object.entries(ADA)) {
    expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe(typed)
  }
})

test('whoever reads the terms and comes back finds what they typed, but for the passwords', async () => {
  const server = await useRealServer()
  const person = openApp('/register')
  await fill(person, ADA)
  await person.click(screen.getByRole('link', { name: 'Terms' }))
  await screen.findByRole('heading', { name: 'Terms', level: 1 })
  goBack()
  await screen.findByLabelText('Username')
  const kept = { ...ADA, Password: '', 'Confirm Password': '' }
  for (const [label, typed] of Object.entries(kept)) {
    expect(screen.getByLabelText<HTMLInputElement>(label).value, label).toBe(typed)
  }
  await fill(person, { Password: ADA.Password, 'Confirm Password': ADA.Password })
  await person.click(screen.getByRole('button', { name: 'Register' }))
  await screen.findByRole('alertdialog', { name: 'Registration Successful!' })
  expect(await server.deps.db.selectFrom('users').select('username').execute()).toEqual([{ username: 'ada' }])
  cleanup()
  openApp('/register')
  expect((await screen.findByLabelText<HTMLInputElement>('Username')).value).toBe('')
})

async function fill(person: UserEvent, fields: Record<string, string>) {
  await screen.findByLabelText('Username')
  for (const [label, text] of Object.entries(fields)) await person.type(screen.getByLabelText(label), text)
}
