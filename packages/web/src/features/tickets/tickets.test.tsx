import { screen, waitFor, within } from '@testing-library/react'
import type { TestClient, TestServer } from '@proofdesk/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useGateway } from '../../testing/gateway.ts'
import { holdIntervals } from '../../testing/hold-timers.ts'
import { goBack, openApp, openAs, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'
import { CONVERSATION_POLL_MS, LIST_POLL_MS } from './api.ts'

async function openTicketOf(server: TestServer, username: string, title: string, messages: string[] = []) {
  const owner = await server.signIn(username)
  const { id } = (await owner.post('/ticket/', { title })).json() as { id: number }
  for (const text of messages) await owner.post('/conversation/', { text, ticket: id })
  return id
}

async function answer(staff: TestClient, ticket: number, text = 'Here you are.') {
  expect((await staff.post('/conversation/', { text, ticket })).status).toBe(201)
}

function columnHeads(): (string | null)[] {
  return screen.getAllByRole('columnheader').map((head) => head.textContent)
}

test('2.110 2.113 2.117 2.119 2.122 2.123 2.124 2.126 2.127 5.27 5.28 8.68 an ordinary user adds a ticket, writes in it, and reads the answer that comes in', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/ticket')
  await screen.findByRole('heading', { name: 'Ticket Management' })
  await screen.findByRole('heading', { name: 'Your Tickets' })
  await screen.findByText("You Don't Have Any Ticket Here...!")
  expect(columnHeads()).toEqual(['Title', 'Status'])
  expect(screen.queryByText(/^Page/)).toBeNull()

  await person.click(screen.getByRole('button', { name: '+ Add Ticket' }))
  await person.click(await screen.findByRole('button', { name: 'Create ticket' }))
  await screen.findByText('Ticket title is required.')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Title')))
  await person.type(screen.getByLabelText('Title'), 'Lost seal')
  await person.click(screen.getByRole('button', { name: 'Create ticket' }))

  await screen.findByRole('heading', { name: 'Conversation of: Lost seal' })
  await screen.findByText('No Conversation available.')
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText('Message cannot be empty')
  await person.type(screen.getByPlaceholderText('Add a comment...'), 'Where is it?')
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText('Message sent!')
  const log = screen.getByRole('log')
  await within(log).findByText('Where is it?')
  expect(within(log).getByText('(User)')).toBeTruthy()

  const staff = await server.signIn('sam', { is_staff: true })
  const [ticket] = (await staff.get('/ticket/')).json().results as { id: number }[]
  await answer(staff, ticket?.id ?? 0)
  // By itself, within a few seconds.
  await within(log).findByText('Here you are.', undefined, { timeout: 10_000 })
  expect(within(log).getByText('(Admin)')).toBeTruthy()
}, 40_000)

test('a ticket with an answer one has not seen says so until it is opened, and tells when it was opened', async () => {
  const server = await useRealServer()
  await openTicketOf(server, 'ada', 'Lost seal')
  const unread = await openTicketOf(server, 'ada', 'Stamp')
  const staff = await server.signIn('sam', { is_staff: true })
  await answer(staff, unread)
  const person = await openAs('ada', '/ticket')
  const cellOf = (title: string) => screen.getByRole('button', { name: title }).closest('td')
  const button = await screen.findByRole('button', { name: 'Stamp' })
  expect(cellOf('Stamp')?.querySelector('time')?.dateTime).toMatch(/^\d{4}-\d{2}-\d{2}T/)
  expect(cellOf('Stamp')?.textContent).toContain('Unread')
  expect(cellOf('Lost seal')?.textContent).not.toContain('Unread')
  await person.click(button)
  await screen.findByText('Here you are.')
  await waitFor(() => expect(cellOf('Stamp')?.textContent).not.toContain('Unread'))
  const { db } = server.deps
  const seen = await db.selectFrom('ticket_reads').select('seen').where('ticket_id', '=', unread).execute()
  expect(seen.map((row) => row.seen)).toContain(1)
})

test('a ticket whose mark as read failed is marked at the next look', async () => {
  const passIntervals = holdIntervals(CONVERSATION_POLL_MS)
  const server = await useRealServer()
  const id = await openTicketOf(server, 'ada', 'Stamp')
  await answer(await server.signIn('sam', { is_staff: true }), id)
  const gateway = await useGateway()
  const mark = `POST /ticket/${id}/read/`
  gateway.trouble(mark, 'refused')
  const person = await openAs('ada', '/ticket')
  await person.click(await screen.findByRole('button', { name: 'Stamp' }))
  await waitFor(() => expect(gateway.calls).toContain(mark))
  expect(screen.getByText('Unread')).toBeDefined()
  gateway.mend(mark)
  passIntervals()
  await waitFor(() => expect(screen.queryByText('Unread')).toBeNull())
})

test('Skip to content keeps the open conversation, and whoever closes it goes on at its row', async () => {
  const server = await useRealServer()
  await openTicketOf(server, 'ada', 'Stamp')
  const person = await openAs('ada', '/ticket')
  await person.click(await screen.findByRole('button', { name: 'Stamp' }))
  await screen.findByRole('heading', { name: 'Conversation of: Stamp' })
  await person.click(screen.getByRole('link', { name: 'Skip to content' }))
  expect(document.activeElement).toBe(screen.getByRole('main'))
  // What the browser does with the address by itself would be an entry of the history that holds no ticket.
  expect(location.hash).toBe('')
  expect(screen.getByRole('heading', { name: 'Conversation of: Stamp' })).toBeDefined()

  await person.click(screen.getByRole('button', { name: 'Close conversation' }))
  await waitFor(() => expect(screen.queryByRole('heading', { name: /^Conversation of/ })).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Stamp' }))
})

test('2.111 2.112 2.128 each tile shows the tickets of its status and how many; choosing one clears the conversation', async () => {
  const server = await useRealServer()
  await openTicketOf(server, 'ada', 'Fresh')
  const answered = await openTicketOf(server, 'ada', 'Done')
  const closed = await openTicketOf(server, 'ada', 'Over')
  const staff = await server.signIn('sam', { is_staff: true })
  await answer(staff, answered)
  await answer(staff, closed)
  await staff.patch(`/ticket/${closed}/`, { is_locked: true })
  const person = await openAs('ada', '/ticket')
  await screen.findByRole('button', { name: 'Fresh' })
  const tiles = within(screen.getByRole('group', { name: 'Show by status' }))
  await waitFor(() =>
    expect(tiles.getAllByRole('button').map((tile) => tile.textContent)).toEqual([
      'Opened 1',
      'In Progress 0',
      'Answered 1',
      'Closed 1',
      'All Tickets 3',
    ]),
  )
  await person.click(screen.getByRole('button', { name: 'Over' }))
  await screen.findByRole('heading', { name: 'Conversation of: Over' })
  await screen.findByText('This ticket is closed and takes no more messages.')
  expect(screen.queryByPlaceholderText('Add a comment...')).toBeNull()

  await person.click(tiles.getByRole('button', { name: /Answered/ }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Fresh' })).toBeNull())
  expect(screen.getByRole('button', { name: 'Done' })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: /^Conversation of/ })).toBeNull()
  expect(readPath()).toBe('/ticket?status=ANSWERED')
})

test('2.114 2.118 2.121 staff see everyone’s by username, search by it, answer, close and reopen; they add none', async () => {
  const server = await useRealServer()
  await openTicketOf(server, 'ada', 'Of Ada', ['Hello?'])
  await openTicketOf(server, 'eve', 'Of Eve')
  await server.createUser({ username: 'sam', is_staff: true })
  const person = await openAs('sam', '/ticket')
  await screen.findByRole('heading', { name: 'List of Tickets of Users' })
  await screen.findByRole('button', { name: 'Of Eve' })
  expect(columnHeads()).toEqual(['Title', 'Username', 'Status'])
  expect(screen.queryByRole('button', { name: '+ Add Ticket' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Tickets' })).toBeNull()

  const search = screen.getByPlaceholderText('Search By Username...')
  await person.type(search, 'ada')
  await person.click(screen.getByRole('button', { name: 'Search' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Of Eve' })).toBeNull())
  await person.click(screen.getByRole('button', { name: 'Clear search' }))
  await screen.findByRole('button', { name: 'Of Eve' })

  await person.click(screen.getByRole('button', { name: 'Of Ada' }))
  await screen.findByText('Hello?')
  expect(screen.queryByRole('button', { name: 'Close ticket' })).toBeNull()
  await person.type(screen.getByPlaceholderText('Add a comment...'), 'Hi Ada')
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await person.click(await screen.findByRole('button', { name: 'Close ticket' }))
  await screen.findByText('This ticket is closed and takes no more messages.')
  await person.click(screen.getByRole('button', { name: 'Reopen ticket' }))
  await screen.findByPlaceholderText('Add a comment...')
})

test('2.130 where another has taken the ticket, staff read Not Allowed in place of the form', async () => {
  const server = await useRealServer()
  const id = await openTicketOf(server, 'ada', 'Of Ada')
  await answer(await server.signIn('olga', { is_staff: true }), id)
  await server.createUser({ username: 'sam', is_staff: true })
  const person = await openAs('sam', '/ticket')
  await person.click(await screen.findByRole('button', { name: 'Of Ada' }))
  await screen.findByText('Not Allowed')
  expect(screen.queryByPlaceholderText('Add a comment...')).toBeNull()
})

test('2.115 2.120 an admin sees who took a ticket, and searches by either name', async () => {
  const server = await useRealServer()
  const id = await openTicketOf(server, 'ada', 'Of Ada')
  await answer(await server.signIn('olga', { is_staff: true }), id)
  await server.createUser({ username: 'adam', is_admin: true })
  await openAs('adam', '/ticket')
  await screen.findByRole('cell', { name: /olga/ })
  expect(columnHeads()).toEqual(['Title', 'Username', 'Admin', 'Status'])
  expect(screen.getByPlaceholderText('Username/Admin')).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'Tickets' }).length).toBeGreaterThan(0)
})

test('8.15 a message that is refused stays in the field, and says why', async () => {
  const server = await useRealServer()
  const id = await openTicketOf(server, 'ada', 'Of Ada')
  const staff = await server.signIn('sam', { is_staff: true })
  await answer(staff, id)
  const person = await openAs('ada', '/ticket')
  await person.click(await screen.findByRole('button', { name: 'Of Ada' }))
  const field = await screen.findByPlaceholderText<HTMLTextAreaElement>('Add a comment...')
  await person.type(field, 'One more thing')
  await server.deps.db.updateTable('tickets').set({ message_count: 500 }).execute()
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText('A ticket holds at most 500 messages. Please open a new one.')
  expect(field.value).toBe('One more thing')
  await waitFor(() => expect(document.activeElement).toBe(field))
})

test('2.6 a visitor is asked for an e-mail by prompt, and may leave it', async () => {
  await useRealServer()
  const person = openApp('/ticket')
  const prompt = await screen.findByRole('dialog', { name: 'Your e-mail address' })
  await person.type(within(prompt).getByLabelText('Email'), 'nonsense')
  await person.click(within(prompt).getByRole('button', { name: 'Continue' }))
  await within(prompt).findByText('Enter a valid email address.')
  await waitFor(() => expect(document.activeElement).toBe(within(prompt).getByLabelText('Email')))
  await person.click(within(prompt).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByRole('button', { name: '+ Add Ticket' })).toBeNull()

  await person.click(screen.getByRole('button', { name: 'Enter e-mail address' }))
  await person.type(await screen.findByLabelText('Email'), 'vera@example.net')
  await person.click(screen.getByRole('button', { name: 'Continue' }))
  await screen.findByText('vera@example.net')
  await screen.findByText("You Don't Have Any Ticket Here...!")
  expect(screen.getByRole('button', { name: '+ Add Ticket' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Ticket' })).toBeTruthy()
})

test('6.45 a visitor leaves a browser: nothing of them stays in it', async () => {
  await useRealServer()
  localStorage.setItem('ticket-email', 'vera@example.net')
  sessionStorage.setItem('draft:visitor:ticket', 'Half a sentence')
  const gateway = await useGateway()
  gateway.trouble('DELETE /ticket/session/', 'refused')
  const person = openApp('/ticket')
  const leave = await screen.findByRole('button', { name: 'Leave this browser' })
  await person.click(leave)
  await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Leave this browser' }))
  await waitFor(() => expect(gateway.calls).toContain('DELETE /ticket/session/'))
  expect(localStorage.getItem('ticket-email')).toBe('vera@example.net')
  gateway.mend('DELETE /ticket/session/')
  await waitFor(() => expect(leave.getAttribute('aria-busy') ?? 'false').toBe('false'))
  await person.click(leave)
  await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Leave this browser' }))
  await screen.findByText('This browser does not open your tickets any more; a mailed link does.')
  await screen.findByText('Tickets need an e-mail address')
  expect(localStorage.getItem('ticket-email')).toBeNull()
  expect(sessionStorage.getItem('draft:visitor:ticket')).toBeNull()
})

test('6.45 … nor in the other tabs of it', async () => {
  await useRealServer()
  const told: unknown[] = []
  const otherTab = new BroadcastChannel('session')
  otherTab.addEventListener('message', ({ data }) => told.push(data))
  onTestFinished(() => otherTab.close())
  localStorage.setItem('ticket-email', 'vera@example.net')
  const person = openApp('/ticket')
  const leave = await screen.findByRole('button', { name: 'Leave this browser' })
  await screen.findByText("You Don't Have Any Ticket Here...!")
  const listKept = () => queryClient.getQueryCache().findAll({ queryKey: QUERY_KEYS.tickets })
  expect(listKept()).not.toEqual([])
  dispatchEvent(new StorageEvent('storage', { key: 'ticket-email', newValue: null }))
  expect(listKept()).toEqual([])
  await person.click(leave)
  await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Leave this browser' }))
  await waitFor(() => expect(told).toContainEqual({ hasLoggedOut: true }))
})

test('what one visitor has typed and not sent is not there for the next', async () => {
  await useRealServer()
  localStorage.setItem('ticket-email', 'vera@example.net')
  const person = openApp('/ticket')
  const openDialog = async () => {
    await person.click(await screen.findByRole('button', { name: '+ Add Ticket' }))
    return screen.findByLabelText<HTMLInputElement>('Title')
  }
  const goBy = async (email: string) => {
    await person.keyboard('{Escape}')
    await person.click(await screen.findByRole('button', { name: 'Use another address' }))
    const field = await screen.findByLabelText('Email')
    await person.clear(field)
    await person.type(field, email)
    await person.click(screen.getByRole('button', { name: 'Continue' }))
    await screen.findByText(email)
  }
  await person.type(await openDialog(), 'Lost seal')
  await goBy('zoe@example.net')
  expect((await openDialog()).value).toBe('')
  await goBy('vera@example.net')
  expect((await openDialog()).value).toBe('Lost seal')
})

test('a ticket of another address is not left open, nor asked for again and again, and can be closed', async () => {
  const passIntervals = holdIntervals(LIST_POLL_MS, CONVERSATION_POLL_MS)
  await useRealServer()
  const gateway = await useGateway()
  const person = openApp('/ticket')
  const goBy = async (email: string) => {
    const field = await screen.findByLabelText('Email')
    await person.clear(field)
    await person.type(field, email)
    await person.click(screen.getByRole('button', { name: 'Continue' }))
    await screen.findByText(email)
  }
  const addTicket = async () => {
    await person.click(await screen.findByRole('button', { name: '+ Add Ticket' }))
    await person.type(await screen.findByLabelText('Title'), 'Lost seal')
    await person.click(screen.getByRole('button', { name: 'Create ticket' }))
    return screen.findByRole('button', { name: 'Close conversation' })
  }
  await goBy('vera@example.net')
  // This browser keeps no cookies: it is refused the ticket like any other.
  await addTicket()
  await person.click(screen.getByRole('button', { name: 'Use another address' }))
  await goBy('zoe@example.net')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Close conversation' })).toBeNull())

  const leave = await addTicket()
  const countCalls = (call: string) => gateway.calls.filter((name) => name === call).length
  const [lists, looks] = ['GET /ticket/', 'GET /ticket/2/'].map(countCalls)
  passIntervals()
  await waitFor(() => expect(countCalls('GET /ticket/')).toBeGreaterThan(lists!))
  expect(countCalls('GET /ticket/2/')).toBe(looks)
  await person.click(leave)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Close conversation' })).toBeNull())
})

test('a ticket that is on its way keeps its dialog, and what was typed while it is refused', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const gateway = await useGateway()
  gateway.trouble('POST /ticket/', 'late')
  const person = await openAs('ada', '/ticket')
  await person.click(await screen.findByRole('button', { name: '+ Add Ticket' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.type(dialog.getByLabelText('Title'), 'Lost seal')
  await person.click(dialog.getByRole('button', { name: 'Create ticket' }))
  await person.keyboard('{Escape}')
  await person.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(dialog.getByLabelText<HTMLInputElement>('Title').value).toBe('Lost seal')
  await server.app.close()
  gateway.release()
  await dialog.findByText(/server does not answer/)
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Title')))
  expect(dialog.getByLabelText<HTMLInputElement>('Title').value).toBe('Lost seal')
})

test('the link of a mail is used up by a press, not by being opened', async () => {
  const server = await useRealServer()
  await server.stranger.post('/ticket/?email=vera@example.net', { title: 'Of Vera' })
  await server.stranger.post('/ticket/link/', { email: 'vera@example.net' })
  const [mail] = await server.mails()
  const path = /\/ticket\/open\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
  const person = openApp(path)
  await screen.findByRole('heading', { name: 'Open your tickets' })
  expect(await server.deps.db.selectFrom('ticket_links').selectAll().execute()).toHaveLength(1)
  await person.click(screen.getByRole('button', { name: 'Open my tickets' }))
  await screen.findByText('vera@example.net')
  expect(readPath()).toBe('/ticket')
  expect(await server.deps.db.selectFrom('ticket_links').selectAll().execute()).toHaveLength(0)
})

test('an old link says so and leads to the page where a new one is asked for', async () => {
  await useRealServer()
  const person = openApp(`/ticket/open/${'A'.repeat(43)}`)
  await person.click(await screen.findByRole('button', { name: 'Open my tickets' }))
  await screen.findByText('This link has expired or was already used.')
  await person.click(screen.getByRole('link', { name: 'Go to my tickets' }))
  await screen.findByRole('dialog', { name: 'Your e-mail address' })
})

test('2.15 the notification of an answer leads to the ticket', async () => {
  const server = await useRealServer()
  const id = await openTicketOf(server, 'ada', 'Of Ada')
  await answer(await server.signIn('sam', { is_staff: true }), id, 'Found it.')
  const person = await openAs('ada', '/dashboard')
  await person.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
  await person.click(await screen.findByText('ANSWER_TICKET'))
  await screen.findByRole('heading', { name: 'Conversation of: Of Ada' })
  await screen.findByText('Found it.')
  expect(readPath()).toBe('/ticket')
})

test('a session whose access runs out on the screen is renewed: nobody turns into a visitor', async () => {
  const server = await useRealServer()
  await openTicketOf(server, 'ada', 'Of Ada')
  const person = await openAs('ada', '/ticket')
  await screen.findByRole('button', { name: 'Of Ada' })
  server.clock.advance(16 * 60 * 1000)
  await person.click(screen.getByRole('button', { name: /^Closed/ }))
  await screen.findByText("You Don't Have Any Ticket Here...!")
  await person.click(screen.getByRole('button', { name: /^Opened/ }))
  await screen.findByRole('button', { name: 'Of Ada' })
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a page of tickets past the end leads to the first, and Back leads to where one came from', async () => {
  const server = await useRealServer()
  await openTicketOf(server, 'ada', 'Lost seal')
  await openAs('ada', '/ticket?page=7', ['/profile'])
  await screen.findByRole('button', { name: 'Lost seal' })
  expect(readPath()).toBe('/ticket')
  expect(screen.queryByRole('alert')).toBeNull()
  goBack()
  await screen.findByRole('heading', { name: 'Change Password' })
  expect(readPath()).toBe('/profile')
})
