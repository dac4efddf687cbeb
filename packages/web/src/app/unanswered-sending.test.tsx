import type { TestServer } from '@proofdesk/server/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from '../lib/query-client.ts'
import { QUERY_KEYS } from '../lib/query-keys.ts'
import { useGateway } from '../testing/gateway.ts'
import { makeCollection } from '../testing/made-collections.ts'
import { openAs } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

/** Sends the only collection there is, from its own screen. @param prepare What goes wrong with it. */
async function sendCollection(server: TestServer, prepare: (id: number) => void) {
  const { id } = await makeCollection(await server.signIn('ada'), 'Degree')
  const person = await openAs('ada', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Send for review' }))
  const question = within(await screen.findByRole('alertdialog'))
  prepare(id)
  await person.click(question.getByRole('button', { name: 'Send for review' }))
  return id
}

test.each([
  ['whose answer gets lost on the way', 'lost'],
  ['that a proxy gave up before it was answered', 'overdue'],
  ['after which the server failed', 'faulty'],
] as const)('a collection %s is told as sent where it shows that it was', async (_, trouble) => {
  const server = await useRealServer()
  const gateway = await useGateway()
  await sendCollection(server, (id) => gateway.trouble(`POST /collections/${id}/save/`, trouble))
  await screen.findByRole('alertdialog', { name: 'Sent!' })
  await screen.findByRole('heading', { name: 'Your Collection is Locked : Degree' })
  expect(screen.queryByText(/^Failed to send collection/)).toBeNull()
})

test('where the collection cannot be asked for either, its failure is taken back once it shows to be sent', async () => {
  const server = await useRealServer()
  const gateway = await useGateway()
  const id = await sendCollection(server, (sentId) => {
    gateway.trouble(`POST /collections/${sentId}/save/`, 'lost')
    gateway.trouble(`GET /collections/${sentId}`, 'refused')
  })
  await screen.findByText(/^Failed to send collection/)
  gateway.mend(`GET /collections/${id}`)
  void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.collections })
  await screen.findByText('Sent!')
  await screen.findByRole('heading', { name: 'Your Collection is Locked : Degree' })
  await waitFor(() => expect(screen.queryByText(/^Failed to send collection/)).toBeNull())
})
