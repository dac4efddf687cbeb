import type { TestServer } from '@proofdesk/server/testing'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { useGateway, type Gateway } from '../testing/gateway.ts'
import { makeCollection } from '../testing/made-collections.ts'
import { openApp, openAs } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

// The server does its work, the connection breaks off before its answer, and the person sends once more.

interface Form {
  call: string
  path: string
  /** What stands there already. */
  prepare: (server: TestServer) => Promise<unknown>
  /** Where something has to be opened first. */
  open?: (person: UserEvent) => Promise<unknown>
  label: string
  button: string
  failed: RegExp
  done: string
  /** What was made by hand, oldest first. */
  list: (server: TestServer) => Promise<string[]>
}

const press = async (person: UserEvent, name: string) => person.click(await screen.findByRole('button', { name }))

const FORMS: Form[] = [
  {
    call: 'POST /collections/',
    path: '/collection',
    prepare: async (server) => server.createUser({ username: 'ada' }),
    label: 'Collection title',
    button: 'Create collection',
    failed: /^Failed to create collection/,
    done: 'Collection created successfully!',
    list: async ({ deps: { db } }) =>
      (await db.selectFrom('collections').select('title').orderBy('id').execute()).map(({ title }) => title),
  },
  {
    call: 'POST /comments/',
    path: '/content/1',
    prepare: async (server) => makeCollection(await server.signIn('ada'), 'Degree'),
    label: 'Comment',
    button: 'Send',
    failed: /^Failed to create comment|^Failed to post comment/,
    done: 'Comment created',
    list: async ({ deps: { db } }) =>
      (await db.selectFrom('comments').select('text').orderBy('id').execute()).map(({ text }) => text),
  },
  {
    call: 'POST /ticket/',
    path: '/ticket',
    prepare: async (server) => server.createUser({ username: 'ada' }),
    open: (person) => press(person, '+ Add Ticket'),
    label: 'Title',
    button: 'Create ticket',
    failed: /^Failed to create ticket/,
    done: 'No Conversation available.',
    list: async ({ deps: { db } }) =>
      (await db.selectFrom('tickets').select('title').orderBy('id').execute()).map(({ title }) => title),
  },
  {
    call: 'POST /conversation/',
    path: '/ticket',
    prepare: async (server) => (await server.signIn('ada')).post('/ticket/', { title: 'Lost seal' }),
    open: (person) => press(person, 'Lost seal'),
    label: 'Message',
    button: 'Send',
    failed: /^Failed to send message/,
    done: 'Message sent!',
    list: async ({ deps: { db } }) =>
      (await db.selectFrom('ticket_messages').select('text').orderBy('id').execute()).map(({ text }) => text),
  },
]

const TEXT = 'Here it is'

async function loseAnswer(
  server: TestServer,
  gateway: Gateway,
  { call, path, open, label, button, failed, list }: Form,
): Promise<UserEvent> {
  const person = await openAs('ada', path)
  await open?.(person)
  await person.type(await screen.findByLabelText(label), TEXT)
  gateway.trouble(call, 'lost')
  await press(person, button)
  await screen.findByText(failed)
  expect(await list(server)).toEqual([TEXT])
  gateway.mend(call)
  const notice = screen.queryByRole('alertdialog')
  if (notice) await person.click(within(notice).getByRole('button'))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  return person
}

test.each(FORMS)('24.12 $call whose answer got lost makes nothing twice when it is pressed again', async (form) => {
  const server = await useRealServer()
  await form.prepare(server)
  const person = await loseAnswer(server, await useGateway(), form)
  await press(person, form.button)
  await screen.findByText(form.done)
  expect(await form.list(server)).toEqual([TEXT])
})

test.each(FORMS)('24.12 nor does $call after the page was loaded anew', async (form) => {
  const server = await useRealServer()
  await form.prepare(server)
  await loseAnswer(server, await useGateway(), form)
  cleanup()
  const person = openApp(form.path)
  await form.open?.(person)
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(form.label).value).toBe(TEXT))
  await press(person, form.button)
  await screen.findByText(form.done)
  expect(await form.list(server)).toEqual([TEXT])
})

test.each(FORMS)('24.13 but $call with the same words typed anew is something else', async (form) => {
  const server = await useRealServer()
  await form.prepare(server)
  const person = await loseAnswer(server, await useGateway(), form)
  const field = await screen.findByLabelText(form.label)
  await person.clear(field)
  await person.type(field, TEXT)
  await press(person, form.button)
  await screen.findByText(form.done)
  expect(await form.list(server)).toEqual([TEXT, TEXT])
})
