import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeCollection } from '../testing/made-collections.ts'
import { useGateway } from '../testing/gateway.ts'
import { openAs, readPath } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

const OPEN = '{Control>}k{/Control}'

const listEntries = () => screen.getAllByRole('option').map((option) => option.textContent)

test('Ctrl+K opens the way to the screens of one’s role, and the keys go there', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/dashboard')
  await screen.findByRole('heading', { level: 1 })
  await person.keyboard(OPEN)
  const field = await screen.findByRole('combobox', { name: 'Screen, or title of a collection' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(listEntries()).toEqual([
    'Home',
    'Dashboard',
    'Profile',
    'Collection',
    'Server Content',
    'Tickets',
    'Access Server Content',
  ])
  const chosen = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent
  expect(chosen()).toBe('Home')
  await person.keyboard('{ArrowUp}')
  expect(chosen()).toBe('Access Server Content')
  await person.keyboard('{ArrowDown}{ArrowDown}')
  expect(chosen()).toBe('Dashboard')
  await person.type(field, 'PROF')
  expect(listEntries()).toEqual(['Profile'])
  await person.keyboard('{Enter}')
  await screen.findByRole('heading', { name: 'Profile Management' })
  expect(readPath()).toBe('/profile')
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
})

test('it finds one’s own collections by their title and nobody else’s', async () => {
  const server = await useRealServer()
  const [ada, eve] = [await server.signIn('ada'), await server.signIn('eve')]
  const { id } = await makeCollection(ada, 'Degree of Ada', 0)
  await makeCollection(eve, 'Degree of Eve', 0)
  const person = await openAs('ada', '/dashboard')
  await screen.findByRole('heading', { level: 1 })
  await person.click(screen.getByRole('button', { name: 'Go to a screen or collection (Ctrl+K)' }))
  await person.type(await screen.findByRole('combobox'), 'degree')
  const found = await screen.findByRole('option', { name: /^Degree of Ada/ })
  expect(listEntries()).toHaveLength(1)
  expect(within(found).getByText('Opened')).toBeDefined()
  await person.click(found)
  expect(readPath()).toBe(`/content/${id}`)
})

test('Enter opens what is found for the text that stands there, not what was found for the one before', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await makeCollection(ada, 'Lease', 0)
  const { id } = await makeCollection(ada, 'Degree', 0)
  const gateway = await useGateway()
  const person = await openAs('ada', '/dashboard')
  await screen.findByRole('heading', { level: 1 })
  await person.keyboard(OPEN)
  const field = await screen.findByRole('combobox')
  await person.type(field, 'leas')
  await screen.findByRole('option', { name: /^Lease/ })
  gateway.trouble('GET /collections/', 'late')
  await person.clear(field)
  await person.type(field, 'degree{Enter}')
  expect(readPath()).toBe('/dashboard')
  gateway.release()
  await waitFor(() => expect(readPath()).toBe(`/content/${id}`))
})

test('a superuser is led to accounts and mail, and finds everybody’s collections with their owners', async () => {
  const server = await useRealServer()
  await makeCollection(await server.signIn('ada'), 'Degree', 0)
  await server.createUser({ username: 'sue', is_superuser: true })
  const person = await openAs('sue', '/dashboard')
  await screen.findByRole('heading', { level: 1 })
  await person.keyboard(OPEN)
  await screen.findByRole('combobox')
  expect(listEntries()).toEqual(expect.arrayContaining(['Users', 'Mail']))
  await person.type(screen.getByRole('combobox'), 'degr')
  expect((await screen.findByRole('option', { name: /Degree/ })).textContent).toContain('ada')
  await person.clear(screen.getByRole('combobox'))
  await person.type(screen.getByRole('combobox'), 'nothing of the kind')
  await screen.findByText('Nothing found.')
  expect(screen.queryAllByRole('option')).toEqual([])
})

test('it opens while somebody types and gives the field back; beside another dialog and to visitors it stays away', async () => {
  const server = await useRealServer()
  const { id } = await makeCollection(await server.signIn('ada'), 'Degree', 0)
  const person = await openAs('ada', `/content/${id}`)
  const comment = await screen.findByPlaceholderText<HTMLTextAreaElement>('Add a comment...')
  await person.type(comment, 'Half a word')
  await person.keyboard(OPEN)
  await screen.findByRole('combobox', { name: 'Screen, or title of a collection' })
  await person.keyboard(OPEN)
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(comment))
  expect(comment.value).toBe('Half a word')
})
