import { screen, waitFor } from '@testing-library/react'
import type { TestServer } from '@proofdesk/server/testing'
import { expect, test } from 'vitest'
import { holdAnswer } from '../../testing/hold-answer.ts'
import { makeCollection } from '../../testing/made-collections.ts'
import { openAs, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

test('2.17 2.30 2.33 an unread notification stands out in bold, leads to its collection and is read from then on', async () => {
  const server = await useRealServer()
  const collection = await rejectCollectionOf(server, 'ada')
  const person = await openAs('ada', '/dashboard')
  await person.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
  const label = await screen.findByText('REJECTED_COLLECTION')
  expect(label.className).toContain('font-bold')
  expect(screen.getByText('0 minute(s) ago')).toBeTruthy()
  expect(label.closest('button')?.textContent).toContain('Papers')
  await person.click(label)
  expect(readPath()).toBe(`/content/${collection}`)
  expect(screen.queryByText('REJECTED_COLLECTION')).toBeNull()
  await screen.findByRole('button', { name: 'Notifications' })
  const read = await server.deps.db.selectFrom('notifications').select('is_read').execute()
  expect(read.map(({ is_read }) => Boolean(is_read))).toEqual([true])
})

test('2.30 all are marked read at once, here and on the server', async () => {
  const server = await useRealServer()
  await rejectCollectionOf(server, 'ada')
  await rejectCollectionOf(server, 'ada')
  const person = await openAs('ada', '/dashboard')
  await person.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
  await person.click(await screen.findByRole('button', { name: 'Mark all read' }))
  await screen.findByRole('button', { name: 'Notifications' })
  expect(screen.queryByRole('button', { name: 'Mark all read' })).toBeNull()
  const labels = screen.getAllByText('REJECTED_COLLECTION')
  expect(labels.map(({ className }) => className.includes('font-bold'))).toEqual([false, false])
  const read = await server.deps.db.selectFrom('notifications').select('is_read').execute()
  expect(read.map(({ is_read }) => Boolean(is_read))).toEqual([true, true])
})

test.each(['ANSWER_TICKET', 'Mark all read'])(
  'an answer from before it was read makes a notification unread no more: %s',
  async (pressed) => {
    const server = await useRealServer()
    const owner = await server.signIn('ada')
    const staff = await server.signIn('sam', { is_staff: true })
    const { id } = (await owner.post('/ticket/', { title: 'Lost seal' })).json() as { id: number }
    await staff.post('/conversation/', { text: 'Here you are.', ticket: id })
    const person = await openAs('ada', '/ticket')
    const bell = await screen.findByRole('button', { name: 'Notifications, 1 unread' })
    const { held, release } = holdAnswer('/notification/')
    await person.click(bell)
    await waitFor(() => expect(held).toHaveLength(1))
    await person.click(await screen.findByText(pressed))
    await screen.findByRole('button', { name: 'Notifications' })
    release()
    // What came late has been taken in by then.
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(screen.queryByRole('button', { name: 'Notifications, 1 unread' })).toBeNull()
  },
)

test('4.21 one that is gone is nothing to tell anybody', async () => {
  const server = await useRealServer()
  const collection = await rejectCollectionOf(server, 'ada')
  const person = await openAs('ada', '/dashboard')
  await person.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
  const label = await screen.findByText('REJECTED_COLLECTION')
  await server.deps.db.deleteFrom('notifications').execute()
  await person.click(label)
  await screen.findByRole('heading', { level: 1, name: /Papers/ })
  await expect.poll(() => server.logLines.some((line) => line.includes('check_read'))).toBe(true)
  expect(readPath()).toBe(`/content/${collection}`)
  expect(screen.queryByText('Failed to Check Notification')).toBeNull()
})

test('2.29 2.32 4.19 without notifications it says so, and a click outside closes it', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/dashboard')
  await person.click(await screen.findByRole('button', { name: 'Notifications' }))
  await screen.findByText('No notifications found.')
  await person.click(document.body)
  await expect.poll(() => screen.queryByText('No notifications found.')).toBeNull()
})

test('2.25 an unverified e-mail shows the yellow banner and no bell', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'newcomer', verified: false })
  await openAs('newcomer', '/dashboard')
  await screen.findByText('Please Verify Your Email')
  expect(screen.queryByRole('button', { name: /Notifications/ })).toBeNull()
})

test('2.180 of a file that a reviewer has removed the list names the file and its collection', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  const { id } = await makeCollection(ada, 'Papers', 2)
  const { results } = (await ada.get(`/contents/?collection=${id}`)).json()
  await sam.delete(`/contents/${results[1].id}/`)
  const person = await openAs('ada', '/dashboard')
  await person.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
  await screen.findByText(/^“.file-1\.png.” from “.Papers.”$/)
})

/** @returns the collection's id */
async function rejectCollectionOf(server: TestServer, username: string): Promise<number> {
  const owner = await server.signIn(username)
  const staff = await server.signIn('sam', { is_staff: true })
  const { id } = (await owner.post('/collections/', { title: 'Papers' })).json() as { id: number }
  await owner.post(`/collections/${id}/save/`)
  await staff.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is unsigned.' })
  return id
}
