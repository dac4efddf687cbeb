import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { endSession } from '../lib/session.ts'
import { makeCollection } from '../testing/made-collections.ts'
import { goBack, openApp, openAs, readPath } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

// What is typed and not saved: it stays where it can be kept, and the tab asks before it takes anything with it.

/** Whether the browser asks whoever closes or reloads the tab now. */
function asksBeforeLeaving(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label)

test('4.46 profile edits outlive a reload and other screens until they are saved', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/profile', ['/dashboard'])
  await person.type(await field('Last Name'), ' Lovelace')
  const typed = (await field('Last Name')).value
  await person.type(await field('Birthdate'), '1990-05-17')
  expect(screen.getByText('Not saved yet.')).toBeDefined()
  goBack()
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  await person.click(screen.getAllByRole('link', { name: 'Profile' })[0]!)
  expect((await field('Last Name')).value).toBe(typed)

  cleanup()
  const again = openApp('/profile')
  await waitFor(async () => expect((await field('Last Name')).value).toBe(typed))
  expect((await field('Birthdate')).value).toBe('1990-05-17')
  await again.click(screen.getByRole('button', { name: 'Update Profile' }))
  await screen.findByRole('alertdialog', { name: 'Profile updated successfully' })
  expect(screen.queryByText('Not saved yet.')).toBeNull()
  const saved = await server.deps.db.selectFrom('users').select(['last_name', 'birthdate', 'first_name']).execute()
  expect(saved).toEqual([{ last_name: typed, birthdate: '1990-05-17', first_name: 'Test' }])

  cleanup()
  openApp('/profile')
  expect((await field('Last Name')).value).toBe(typed)
  expect(asksBeforeLeaving()).toBe(false)
})

test('4.46 profile edits can be discarded, and are nobody else’s', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'bea' })
  const person = await openAs('ada', '/profile')
  const before = (await field('First Name')).value
  await person.type(await field('First Name'), 'X')
  await person.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect((await field('First Name')).value).toBe(before)
  expect(screen.queryByRole('button', { name: 'Discard changes' })).toBeNull()
  expect(document.activeElement?.textContent).toMatch(/^Profile/)
  await person.type(await field('First Name'), 'For Ada alone')
  cleanup()
  act(() => endSession())
  await openAs('bea', '/profile')
  expect((await field('First Name')).value).toBe(before)
})

test('4.47 the tab asks before it is closed only while something in sight is not saved', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Degree', 1)
  const person = await openAs('ada', '/profile')
  const name = await field('First Name')
  expect(asksBeforeLeaving()).toBe(false)
  await person.type(name, 'X')
  expect(asksBeforeLeaving()).toBe(true)
  await person.type(name, '{Backspace}')
  expect(asksBeforeLeaving()).toBe(false)

  await person.click(screen.getAllByRole('link', { name: 'Collection' })[0]!)
  await person.type(await field('Collection title'), 'Tran')
  expect(asksBeforeLeaving()).toBe(true)
  await person.clear(await field('Collection title'))
  expect(asksBeforeLeaving()).toBe(false)
  await person.click(await screen.findByRole('button', { name: 'Options of Degree' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.type(dialog.getByLabelText('Collection title'), ' of Law')
  expect(asksBeforeLeaving()).toBe(true)
  await person.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(asksBeforeLeaving()).toBe(false))

  cleanup()
  const reader = openApp(`/content/${id}`)
  await reader.type(await field('Comment'), 'Half a sentence')
  expect(asksBeforeLeaving()).toBe(true)
  await reader.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText('Comment created')
  expect(asksBeforeLeaving()).toBe(false)
  await reader.click(await screen.findByRole('button', { name: 'Options of TYPE1, file-1.png' }))
  await reader.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  const rename = within(await screen.findByRole('dialog', { name: 'Rename file' }))
  await reader.selectOptions(rename.getByRole('combobox'), 'TYPE2')
  expect(asksBeforeLeaving()).toBe(true)
})

test('4.47 the tab asks before a registration that was begun is closed, and no more once it is sent', async () => {
  await useRealServer()
  const person = openApp('/register')
  await person.type(await field('First Name'), 'Ada')
  expect(asksBeforeLeaving()).toBe(true)
  for (const [label, text] of [
    ['Last Name', 'Lovelace'],
    ['Email', 'ada@example.org'],
    ['Username', 'ada'],
    ['Password', 'Secret1!'],
    ['Confirm Password', 'Secret1!'],
    ['Phone Number', '+44 20 7946 0001'],
  ] as const)
    await person.type(await field(label), text)
  await person.click(screen.getByRole('button', { name: 'Register' }))
  await screen.findByRole('alertdialog', { name: 'Registration Successful!' })
  expect(asksBeforeLeaving()).toBe(false)
})

test('4.48 logging out asks first while something in sight is not saved', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/profile')
  await person.type(await field('First Name'), 'X')
  await person.click(screen.getByRole('button', { name: 'Logout' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Are you sure?' }))
  await person.click(question.getByRole('button', { name: 'Cancel' }))
  expect(readPath()).toBe('/profile')
  expect((await field('First Name')).value).toMatch(/X$/)
  await person.click(screen.getByRole('button', { name: 'Discard changes' }))
  await person.click(screen.getByRole('button', { name: 'Logout' }))
  await screen.findByRole('link', { name: 'Get Started' })
})
