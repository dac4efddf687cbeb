import type { TestServer } from '@proofdesk/server/testing'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useGateway } from '../testing/gateway.ts'
import { makeCollection } from '../testing/made-collections.ts'
import { goBack, openAs, readPath } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

// A text that is on its way while the person leaves its screen and comes back to it.

const SEND_MESSAGE = 'POST /conversation/'
const SEND_COMMENT = 'POST /comments/'

async function openTickets(server: TestServer, ...titles: string[]) {
  const ada = await server.signIn('ada')
  for (const title of titles) await ada.post('/ticket/', { title })
  return openAs('ada', '/ticket')
}

const findField = (label: string) => screen.findByLabelText<HTMLTextAreaElement>(label)
const sendButton = () => screen.getByRole('button', { name: 'Send' })

test('a message that is on its way is not offered to be sent once more in its ticket, and is gone once it is there', async () => {
  const server = await useRealServer()
  const gateway = await useGateway()
  const person = await openTickets(server, 'Lost seal', 'Stamp')
  const choose = async (title: string) => {
    await person.click(await screen.findByRole('button', { name: title }))
    await screen.findByRole('heading', { name: `Conversation of: ${title}` })
  }
  await choose('Lost seal')
  await person.type(await findField('Message'), 'Where is it?')
  gateway.trouble(SEND_MESSAGE, 'late')
  await person.click(sendButton())
  await expect.poll(() => gateway.calls).toContain(SEND_MESSAGE)
  await choose('Stamp')
  expect((await findField('Message')).value).toBe('')
  expect((await findField('Message')).readOnly).toBe(false)
  await choose('Lost seal')
  expect((await findField('Message')).value).toBe('Where is it?')
  expect((await findField('Message')).readOnly).toBe(true)
  await person.click(screen.getByRole('button', { name: 'Posting...' }))
  gateway.release()
  await screen.findByText('Message sent!')
  await waitFor(async () => expect((await findField('Message')).value).toBe(''))
  await person.type(await findField('Message'), 'And when?')
  const sent = await server.deps.db.selectFrom('ticket_messages').select('text').execute()
  expect(sent.map(({ text }) => text)).toEqual(['Where is it?'])
})

test('a comment that fails while the person looks at something else is told, and its text is kept', async () => {
  const server = await useRealServer()
  const { id } = await makeCollection(await server.signIn('ada'), 'Degree')
  const gateway = await useGateway()
  const person = await openAs('ada', `/content/${id}`)
  await person.type(await findField('Comment'), 'Half a sentence')
  gateway.trouble(SEND_COMMENT, 'late')
  await person.click(sendButton())
  await expect.poll(() => gateway.calls).toContain(SEND_COMMENT)
  await person.click(screen.getByRole('link', { name: 'Dashboard' }))
  await expect.poll(readPath).toBe('/dashboard')
  await server.deps.db.updateTable('users').set({ is_email_verified: 0 }).execute()
  gateway.release()
  await screen.findByText('Please verify your Email and login Again')
  await server.deps.db.updateTable('users').set({ is_email_verified: 1 }).execute()
  await person.click(await screen.findByRole('link', { name: 'Degree' }))
  await waitFor(async () => expect((await findField('Comment')).value).toBe('Half a sentence'))
  await person.click(sendButton())
  await screen.findByText('Comment created')
})

test('the title of a collection that is on its way is not offered once more to whoever comes back', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const gateway = await useGateway()
  const person = await openAs('ada', '/collection')
  await person.type(await findField('Collection title'), 'Degree')
  gateway.trouble('POST /collections/', 'late')
  await person.keyboard('{Enter}')
  await expect.poll(() => gateway.calls).toContain('POST /collections/')
  await person.click(screen.getByRole('link', { name: 'Dashboard' }))
  await screen.findByRole('heading', { level: 1, name: /^Welcome/ })
  await person.click(screen.getAllByRole('link', { name: 'Collection' })[0]!)
  expect((await findField('Collection title')).readOnly).toBe(true)
  gateway.release()
  await waitFor(async () => expect((await findField('Collection title')).value).toBe(''))
  await waitFor(async () => expect((await findField('Collection title')).readOnly).toBe(false))
})

test('whoever leaves a ticket’s dialog before it is there is told that it is, and stays where they are', async () => {
  const server = await useRealServer()
  const gateway = await useGateway()
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/ticket', ['/dashboard'])
  await person.click(await screen.findByRole('button', { name: '+ Add Ticket' }))
  await person.type(await findField('Title'), 'Lost seal')
  gateway.trouble('POST /ticket/', 'late')
  await person.click(screen.getByRole('button', { name: 'Create ticket' }))
  await expect.poll(() => gateway.calls).toContain('POST /ticket/')
  goBack()
  await screen.findByRole('heading', { level: 1, name: /^Welcome/ })
  gateway.release()
  await screen.findByText('Ticket created. Now write your message.')
  expect(readPath()).toBe('/dashboard')
})
