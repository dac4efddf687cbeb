import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readSession } from '../lib/session.ts'
import { openAs } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

test('a superuser who changes a right of their own sees that it has worked', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'root', is_superuser: true })
  const person = await openAs('root', '/users')
  await person.click(await screen.findByRole('switch', { name: 'Staff: root' }))
  await expect.poll(() => readSession()).toMatchObject({ user: { is_staff: true, mail_refusal: null } })
  await expect.poll(() => screen.getByRole('switch', { name: 'Staff: root' }).ariaChecked).toBe('true')
  // No failure is told beside it.
  await screen.findByText('Staff turned on for root')
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['Staff turned on for root'])
})
