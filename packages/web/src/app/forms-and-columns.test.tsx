import { cleanup, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeApprovedCollection, makeCollection } from '../testing/made-collections.ts'
import { openApp, openAs } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

const CONTENT = ['Title', 'File', 'Type', 'Active', 'Actions']

const listHeads = () => screen.getAllByRole('columnheader').map((head) => head.textContent)

test.each([
  { role: '2.91 an owner', username: 'ada', flags: {}, heads: CONTENT },
  { role: '2.92 staff', username: 'sam', flags: { is_staff: true }, heads: [...CONTENT, 'Username'] },
  { role: '2.93 a superuser', username: 'sue', flags: { is_superuser: true }, heads: [...CONTENT, 'Username'] },
])('$role sees the content columns of that role', async ({ username, flags, heads }) => {
  const server = await useRealServer()
  await makeCollection(await server.signIn('ada'), 'Degree')
  if (username !== 'ada') await server.createUser({ username, ...flags })
  await openAs(username, '/content/1')
  await screen.findByRole('button', { name: /^View TYPE1/ })
  expect(listHeads()).toEqual(heads)
})

test('5.15 5.19 5.20 9.8 9.9 9.10 the content form offers TYPE1, TYPE2 and OTHER, PDF, JPG, JPEG and PNG, and labels 5MB', async () => {
  const server = await useRealServer()
  await makeCollection(await server.signIn('ada'), 'Degree', 0)
  const person = await openAs('ada', '/content/1')
  const types = await screen.findByLabelText<HTMLSelectElement>('Title type')
  expect([...types.options].map((option) => option.value)).toEqual(['TYPE1', 'TYPE2', 'OTHER'])
  expect(types.value).toBe('TYPE1')
  const accept = screen.getByLabelText<HTMLInputElement>('File').accept.split(',')
  for (const ending of ['.pdf', '.jpg', '.jpeg', '.png']) expect(accept).toContain(ending)
  expect(screen.getByText(/5MB/)).toBeDefined()
  const large = new File([new Uint8Array(6 * 1024 * 1024)], 'large.pdf', { type: 'application/pdf' })
  await person.upload(screen.getByLabelText('File'), large)
  expect(screen.getByText('large.pdf')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  { role: '2.74 an ordinary user', flags: {}, placeholder: 'Search by title or Proof ID' },
  { role: '2.75 staff', flags: { is_staff: true }, placeholder: 'Search by title, username or Proof ID' },
  { role: '2.76 a superuser', flags: { is_superuser: true }, placeholder: 'Title, username, staff or Proof ID' },
])('$role reads the search placeholder of that role', async ({ flags, placeholder }) => {
  const server = await useRealServer()
  await server.createUser({ username: 'viewer', ...flags })
  await openAs('viewer', '/collection')
  expect(await screen.findByPlaceholderText(placeholder)).toBeDefined()
})

test('2.81 6.13 the options of a row hold Open, and for its owner what its state allows', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  await makeCollection(ada, 'Open one')
  await makeApprovedCollection(ada, sam, 'Done one')
  const person = await openAs('ada', '/collection')
  for (const [title, entries] of [
    ['Open one', ['Open', 'Send for review', 'Edit', 'Delete']],
    ['Done one', ['Open']],
  ] as const) {
    await person.click(await screen.findByRole('button', { name: `Options of ${title}` }))
    expect((await screen.findAllByRole('menuitem')).map((entry) => entry.textContent)).toEqual(entries)
    await person.keyboard('{Escape}')
    await expect.poll(() => screen.queryAllByRole('menuitem')).toEqual([])
  }
})

test('2.116 2.122 tickets have a pager once they fill more than a page, and a lock where they are closed', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  for (let n = 1; n <= 11; n += 1) await ada.post('/ticket/', { title: `Ticket ${n}` })
  await server.deps.db.updateTable('tickets').set({ is_locked: 1 }).where('title', '=', 'Ticket 11').execute()
  const person = await openAs('ada', '/ticket')
  const closed = (await screen.findByRole('button', { name: 'Ticket 11' })).closest('tr') as HTMLElement
  expect(closed.querySelector('.lucide-lock')).not.toBeNull()
  const open = screen.getByRole('button', { name: 'Ticket 10' }).closest('tr') as HTMLElement
  expect(open.querySelector('.lucide-lock')).toBeNull()
  await screen.findByText('Page 1 of 2')
  await person.click(screen.getByRole('button', { name: 'Next' }))
  await screen.findByRole('button', { name: 'Ticket 1' })
  await screen.findByText('Page 2 of 2')
  await person.click(screen.getByRole('button', { name: 'Previous' }))
  await screen.findByRole('button', { name: 'Ticket 11' })
})

test('2.126 each message of a conversation shows who wrote it, as what, and when', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await ada.post('/ticket/', { title: 'Lost seal' })
  await ada.post('/conversation/', { text: 'Where is it?', ticket: 1 })
  const person = await openAs('ada', '/ticket')
  await person.click(await screen.findByRole('button', { name: 'Lost seal' }))
  const message = (await screen.findByText('Where is it?')).closest('li') as HTMLElement
  expect(within(message).getByText('ada')).toBeDefined()
  expect(within(message).getByText('(User)')).toBeDefined()
  expect(message.querySelector('time')?.dateTime).toMatch(/^\d{4}-\d{2}-\d{2}T/)
})

test('2.52 2.59 2.60 2.61 2.136 registration and profile name their fields, the dialogs of the sign-in their buttons', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  openApp('/register')
  await screen.findByRole('heading', { name: 'Create an Account' })
  for (const label of ['First Name', 'Last Name', 'Email', 'Username', 'Password', 'Confirm Password', 'Phone Number'])
    expect(screen.getByLabelText<HTMLInputElement>(label).required, label).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Birthdate')).toMatchObject({ type: 'date', required: false })
  cleanup()

  const person = openApp('/login')
  await person.click(await screen.findByRole('button', { name: 'Reset it' }))
  const dialog = await screen.findByRole('dialog', { name: 'Reset Password' })
  const buttons = within(dialog).getAllByRole('button')
  expect(buttons.map((button) => button.textContent)).toEqual(['Cancel', 'Reset Password'])
  expect(within(dialog).getByLabelText<HTMLInputElement>('Email').type).toBe('email')
  cleanup()

  await openAs('ada', '/profile')
  await screen.findByRole('heading', { name: 'Profile Management' })
  for (const label of ['Username', 'Email', 'First Name', 'Last Name', 'Phone Number', 'Birthdate'])
    expect(await screen.findByLabelText(label)).toBeDefined()
  for (const section of ['Change Password', 'Two-Factor Authentication', 'Email Verification'])
    expect(screen.getByRole('heading', { name: section })).toBeDefined()
})
