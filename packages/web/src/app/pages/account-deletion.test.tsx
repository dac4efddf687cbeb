import type { TestServer } from '@proofdesk/server/testing'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { goBack, openApp, openAs, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

const TITLE = 'Please delete my account and everything that belongs to it'
const section = async () => within(await screen.findByRole('region', { name: 'Delete your account' }))

async function ask(server: TestServer, verified = true) {
  await server.createUser({ username: 'ada', verified })
  const person = await openAs('ada', '/profile', ['/about'])
  await person.click((await section()).getByRole('link', { name: 'Ask for the deletion of my account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New ticket' }))
  return { person, dialog }
}

test('23.15 the profile leads to a ticket that asks for the deletion of the account, also before its e-mail is verified', async () => {
  const server = await useRealServer()
  const { person, dialog } = await ask(server, false)
  expect(dialog.getByLabelText<HTMLInputElement>('Title').value).toBe(TITLE)
  await person.click(dialog.getByRole('button', { name: 'Create ticket' }))
  await screen.findByLabelText('Message')
  expect(screen.queryByRole('dialog')).toBeNull()
  const tickets = await server.deps.db.selectFrom('tickets').select('title').execute()
  expect(tickets).toEqual([{ title: TITLE }])
  goBack()
  await waitFor(() => expect(readPath()).toBe('/profile'))
})

test('23.15 whoever thinks better of it has asked for nothing, and is not asked again', async () => {
  const server = await useRealServer()
  const { person, dialog } = await ask(server)
  await person.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await person.click(screen.getByRole('button', { name: '+ Add Ticket' }))
  const own = within(await screen.findByRole('dialog', { name: 'New ticket' }))
  expect(own.getByLabelText<HTMLInputElement>('Title').value).toBe('')
  await person.type(own.getByLabelText('Title'), 'Lost seal')
  cleanup()
  openApp('/ticket')
  await screen.findByRole('button', { name: '+ Add Ticket' })
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await server.deps.db.selectFrom('tickets').select('id').execute()).toEqual([])
})

test('23.15 what goes and what stays is said; staff, who open no tickets, read whom to ask', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sam', is_staff: true })
  await openAs('sam', '/profile')
  const staff = await section()
  expect(staff.getByText('What stays')).toBeDefined()
  expect(staff.getByText(/What you decided on documents of others, with your name/)).toBeDefined()
  expect(staff.getByText(/when its owner asks them for it/)).toBeDefined()
  expect(staff.queryByRole('link')).toBeNull()
})
