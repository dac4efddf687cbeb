import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { keepExpiryChoice } from '../features/reviews/expiry-choice.ts'
import { readPersonId } from '../lib/session.ts'
import { makeApprovedCollection, makeSentCollection } from '../testing/made-collections.ts'
import { openApp, openAs, readPath } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'
import { takeUnfinishedBack, typeUnfinished } from '../testing/type-unfinished.ts'

const NO_WHOLE_TIME = /^This date and time is not complete, or there is no such day/
const NO_DAY = 'Enter a valid date.'

test('an expiry that is typed and not complete is no term that was chosen before, and is refused', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  await signIn('sam')
  keepExpiryChoice(readPersonId() ?? 0, 'never')
  const person = openApp(`/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Approve' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Approve collection' }))
  await person.type(dialog.getByLabelText('Admin description'), 'Fine')
  const never = dialog.getByRole<HTMLInputElement>('radio', { name: 'No expiry' })
  expect(never.checked).toBe(true)

  const time = dialog.getByLabelText('Expire time')
  typeUnfinished(time)
  expect(never.checked).toBe(false)
  await person.click(dialog.getByRole('button', { name: 'Approve' }))
  expect((await dialog.findByText(NO_WHOLE_TIME)).id).toBe(time.getAttribute('aria-describedby')?.split(' ')[0])
  await waitFor(() => expect(document.activeElement).toBe(time))
  expect((await ada.get(`/collections/${id}`)).json()).toMatchObject({ proofid: null, sealing: null })

  takeUnfinishedBack(time)
  await waitFor(() => expect(dialog.queryByText(NO_WHOLE_TIME)).toBeNull())
  // Nothing is left in it, which means never.
  expect(never.checked).toBe(true)
  typeUnfinished(time)
  await person.click(never)
  expect(never.checked).toBe(true)
})

test('an expiry is not changed to one that is not complete', async () => {
  const server = await useRealServer()
  const [ada, sue] = [await server.signIn('ada'), await server.signIn('sue', { is_superuser: true })]
  await makeApprovedCollection(ada, sue, 'Degree')
  const person = await openAs('sue', '/server-content')
  await person.click(await screen.findByRole('button', { name: 'Options for the proof of Degree' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Change expiry…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change the expiry' }))
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'No expiry' }).checked).toBe(true)
  const time = dialog.getByLabelText('Expire time')
  typeUnfinished(time)
  await person.click(dialog.getByRole('button', { name: 'Change expiry' }))
  await dialog.findByText(NO_WHOLE_TIME)
  await waitFor(() => expect(document.activeElement).toBe(time))
})

test('a birthdate that is no whole day erases none, and its field says so', async () => {
  const server = await useRealServer()
  await (await server.signIn('ada')).patch('/profile/update_profile/', { birthdate: '1990-05-17' })
  const person = await openAs('ada', '/profile')
  const birthdate = await screen.findByLabelText<HTMLInputElement>('Birthdate')
  expect(birthdate.value).toBe('1990-05-17')
  typeUnfinished(birthdate)
  await person.click(screen.getByRole('button', { name: 'Update Profile' }))
  await screen.findByText(NO_DAY)
  await waitFor(() => expect(document.activeElement).toBe(birthdate))
  const { birthdate: kept } = await server.deps.db.selectFrom('users').select('birthdate').executeTakeFirstOrThrow()
  expect(kept).toBe('1990-05-17')

  takeUnfinishedBack(birthdate)
  await waitFor(() => expect(screen.queryByText(NO_DAY)).toBeNull())
  await person.click(screen.getByRole('button', { name: 'Update Profile' }))
  await screen.findByRole('alertdialog', { name: 'Profile updated successfully' })
})

test('a birthdate of a year long ago is refused in words', async () => {
  await (await useRealServer()).createUser({ username: 'ada' })
  const person = await openAs('ada', '/profile')
  const birthdate = await screen.findByLabelText('Birthdate')
  fireEvent.change(birthdate, { target: { value: '0001-01-01' } })
  await person.click(screen.getByRole('button', { name: 'Update Profile' }))
  await waitFor(() => expect(birthdate.getAttribute('aria-invalid')).toBe('true'))
  expect(document.getElementById(birthdate.getAttribute('aria-describedby') ?? '')?.textContent).toBe(NO_DAY)
})

test('nobody is registered without the birthdate they have typed in part', async () => {
  const server = await useRealServer()
  const person = openApp('/register')
  for (const [label, text] of [
    ['First Name', 'Ada'],
    ['Last Name', 'Lovelace'],
    ['Email', 'ada@example.org'],
    ['Username', 'ada'],
    ['Password', 'Secret1!'],
    ['Confirm Password', 'Secret1!'],
    ['Phone Number', '+44 20 7946 0000'],
  ] as const)
    await person.type(await screen.findByLabelText(label), text)
  const birthdate = screen.getByLabelText('Birthdate')
  typeUnfinished(birthdate)
  await person.click(screen.getByRole('button', { name: 'Register' }))
  await screen.findByText(NO_DAY)
  await waitFor(() => expect(document.activeElement).toBe(birthdate))
  expect(await server.deps.db.selectFrom('users').select('id').execute()).toEqual([])
})

test('a day to filter by stays in force until another is whole, and what is left as no day is told', async () => {
  await (await useRealServer()).createUser({ username: 'root', is_superuser: true })
  const person = await openAs('root', '/audit?from=2026-01-05')
  const from = await screen.findByLabelText('From day')
  typeUnfinished(from)
  expect(screen.queryByText(NO_DAY)).toBeNull()
  await person.click(screen.getByLabelText('Collection number'))
  await screen.findByText(NO_DAY)
  expect(readPath()).toBe('/audit?from=2026-01-05')

  from.focus()
  takeUnfinishedBack(from)
  expect(screen.queryByText(NO_DAY)).toBeNull()
  await waitFor(() => expect(readPath()).toBe('/audit'), { timeout: 3000 })
})
