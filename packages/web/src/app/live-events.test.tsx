import { screen } from '@testing-library/react'
import type { TestServer } from '@proofdesk/server/testing'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { endSession } from '../lib/session.ts'
import { openApp, openAs } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'

/** After a first failure. */
const LONGER_THAN_A_RETRY_MS = 10_000

afterEach(() => void vi.useRealTimers())

declare const jsdom: { reconfigure(settings: { url: string }): void }

test('2.36 a new notification shows on the bell without a reload', async () => {
  const server = await useRealServer()
  const streams = watchStreams(server)
  await server.createUser({ username: 'ada' })
  await openAs('ada', '/dashboard')
  await screen.findByRole('button', { name: 'Notifications' })
  await expect.poll(() => streams.open).toBe(1)
  await rejectCollectionOf(server, 'ada')
  await screen.findByRole('button', { name: 'Notifications, 1 unread' })
})

test('an open collection follows what others do with it', async () => {
  const server = await useRealServer()
  const streams = watchStreams(server)
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const owner = await server.signIn('ada')
  const { id } = (await owner.post('/collections/', { title: 'Papers' })).json() as { id: number }
  openApp(`/content/${id}`)
  await screen.findByRole('heading', { name: 'Collection Management: Papers' })
  await expect.poll(() => streams.open).toBe(1)
  const staff = await server.signIn('sam', { is_staff: true })
  await staff.post('/comments/', { text: 'Where is page 3?', collection: id })
  await screen.findByText('Where is page 3?')
  await owner.post(`/collections/${id}/save/`)
  await screen.findByRole('heading', { name: 'Your Collection is Locked : Papers' })
})

test('after the server was away it reconnects, and shows what was missed', async () => {
  const server = await useRealServer()
  const streams = watchStreams(server)
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const owner = await server.signIn('ada')
  const { id } = (await owner.post('/collections/', { title: 'Papers' })).json() as { id: number }
  openApp(`/content/${id}`)
  await screen.findByText('No comments yet')
  await expect.poll(() => streams.open).toBe(1)
  await server.restart()
  expect(streams.open).toBe(0)
  await owner.post('/comments/', { text: 'Said while nobody listened', collection: id })
  const later = watchStreams(server)
  jsdom.reconfigure({ url: await server.listen() })
  await screen.findByText('Said while nobody listened')
  expect(later.open).toBe(1)
})

test('signing out ends the stream, and none is asked for again', async () => {
  const server = await useRealServer()
  const streams = watchStreams(server)
  await server.createUser({ username: 'ada' })
  await openAs('ada', '/dashboard')
  await expect.poll(() => streams.open).toBe(1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  endSession()
  await expect.poll(() => streams.open).toBe(0)
  await vi.advanceTimersByTimeAsync(LONGER_THAN_A_RETRY_MS)
  vi.useRealTimers()
  // What was asked for before this has come to the server by now.
  await fetch(`${location.origin}/healthz`)
  expect(streams.asked).toBe(1)
})

/** Live streams the server has open right now, and how many were asked for. To be called before the first. */
function watchStreams(server: TestServer) {
  const streams = { open: 0, asked: 0 }
  server.app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.endsWith('/events/')) return
    streams.asked++
    streams.open++
    response.once('close', () => streams.open--)
  })
  return streams
}

async function rejectCollectionOf(server: TestServer, username: string): Promise<void> {
  const owner = await server.signIn(username)
  const staff = await server.signIn('sam', { is_staff: true })
  const { id } = (await owner.post('/collections/', { title: 'Papers' })).json() as { id: number }
  await owner.post(`/collections/${id}/save/`)
  await staff.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is unsigned.' })
}
