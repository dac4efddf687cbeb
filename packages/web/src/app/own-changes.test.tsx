import { showUser } from '@proofdesk/contract/account'
import type { TestServer } from '@proofdesk/server/testing'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { call } from '../lib/call.ts'
import { useGateway } from '../testing/gateway.ts'
import { makeCollection } from '../testing/made-collections.ts'
import { openAs } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

/** A hint of something else, which comes no sooner than one of what was changed before. */
async function waitForHint(server: TestServer, calls: string[]): Promise<void> {
  const before = calls.length
  const { id } = await call(showUser, {})
  server.deps.live.tell({ topics: ['notifications'], user: id })
  await expect.poll(() => calls.slice(before)).toContain('GET /notification/')
}

/** The page's own first calls are over: a later chunk's, too, and those that a hint of signing in leads to (`use-live-events`). */
async function waitForPage(calls: string[], last: string): Promise<void> {
  await expect.poll(() => calls, { timeout: 20_000 }).toEqual(expect.arrayContaining(['GET /events/', last]))
  let seen = 0
  await expect.poll(() => seen === (seen = calls.length), { interval: 800, timeout: 20_000 }).toBe(true)
}

test('a new collection is one call, and one each for the list and the counts', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const gateway = await useGateway()
  const person = await openAs('ada', '/collection')
  await person.type(await screen.findByLabelText('Collection title'), 'Degree')
  await waitForPage(gateway.calls, 'GET /collections/')
  const before = gateway.calls.length
  await person.click(screen.getByRole('button', { name: 'Create collection' }))
  await screen.findByRole('link', { name: 'Degree' })
  await screen.findByText('Degree')
  await expect.poll(() => gateway.calls.slice(before)).toContain('GET /collections/counts/')
  const asked = gateway.calls.slice(before)
  expect(asked.toSorted()).toEqual(['GET /collections/', 'GET /collections/counts/', 'POST /collections/'])
  await waitForHint(server, gateway.calls)
  // Which of the two comes first is nobody's promise.
  expect(gateway.calls.slice(before).toSorted()).toEqual([...asked, 'GET /user/info', 'GET /notification/'].toSorted())
})

test('a comment is one call: its answer is shown as it came', async () => {
  const server = await useRealServer()
  await makeCollection(await server.signIn('ada'), 'Degree')
  // Its thumbnail is told too.
  await server.settle()
  const gateway = await useGateway()
  const person = await openAs('ada', '/content/1')
  await person.type(await screen.findByLabelText('Comment'), 'Here it is.')
  await waitForPage(gateway.calls, 'GET /collections/1/submissions/')
  const before = gateway.calls.length
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByRole('button', { name: /^Delete your comment/ })
  await waitForHint(server, gateway.calls)
  expect(gateway.calls.slice(before)).toEqual(['POST /comments/', 'GET /user/info', 'GET /notification/'])
})
