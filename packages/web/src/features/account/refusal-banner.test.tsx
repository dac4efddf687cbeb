import { MAIL_REFUSAL_SHOWN_MS } from '@proofdesk/contract/limits'
import { screen } from '@testing-library/react'
import type { TestServer } from '@proofdesk/server/testing'
import { expect, test } from 'vitest'
import { openAs, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

async function refuseMails(server: TestServer, at: number): Promise<void> {
  await server.deps.db
    .updateTable('users')
    .set({ mail_refused_at: at, mail_refused_words: '550 5.1.1 no such user' })
    .execute()
}

test('8.87 whom no mail reaches is told on every screen, in the words of the mail server, and led to the profile', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await refuseMails(server, Date.now())
  const person = await openAs('ada', '/collection')
  await screen.findByText(/do not arrive/)
  expect(document.querySelector('main')?.textContent).toContain('Mails to ada@example.org do not arrive')
  await screen.findByText(/550 5.1.1 no such user/)
  await person.click(screen.getByRole('link', { name: 'To the profile' }))
  expect(readPath()).toBe('/profile')
  expect(screen.getByRole('link', { name: 'To the profile' })).toBeTruthy()
})

test('8.87 after a month nothing is told any more', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await refuseMails(server, Date.now() - MAIL_REFUSAL_SHOWN_MS)
  await openAs('ada', '/dashboard')
  await screen.findByRole('heading', { name: /Welcome, ada/ })
  expect(screen.queryByText(/do not arrive/)).toBeNull()
})
