import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useGateway } from '../../testing/gateway.ts'
import { goBack, openAs, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

test('a day typed digit by digit is asked for once, and leaves no years of few digits in the history', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'root', is_superuser: true })
  const gateway = await useGateway()
  const listed = () => gateway.calls.filter((call) => call === 'GET /audit/').length
  await openAs('root', '/audit', ['/profile'])
  const from = await screen.findByLabelText<HTMLInputElement>('From day')
  await waitFor(() => expect(listed()).toBe(1))
  // What the field of a browser is worth after each digit of the year.
  for (const value of ['0002-01-05', '0020-01-05', '0202-01-05', '2026-01-05'])
    fireEvent.change(from, { target: { value } })
  expect(from.value).toBe('2026-01-05')
  expect(readPath()).toBe('/audit')
  await waitFor(() => expect(readPath()).toBe('/audit?from=2026-01-05'))
  await waitFor(() => expect(listed()).toBe(2))
  goBack()
  await screen.findByRole('heading', { name: 'Change Password' })
  expect(readPath()).toBe('/profile')
})

test('a filter that is left, or confirmed by Enter, is asked for at once', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'root', is_superuser: true })
  const person = await openAs('root', '/audit')
  const collection = await screen.findByLabelText<HTMLInputElement>('Collection number')
  await person.type(collection, 'no 0017{Enter}')
  expect(collection.value).toBe('17')
  expect(readPath()).toBe('/audit?collection=17')
  fireEvent.change(screen.getByLabelText('To day'), { target: { value: '2026-01-05' } })
  fireEvent.blur(screen.getByLabelText('To day'))
  expect(readPath()).toBe('/audit?collection=17&to=2026-01-05')
})

test('whoever goes to the newest entries keeps the focus there', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'root', is_superuser: true })
  const person = await openAs('root', '/audit?before=1')
  const newest = await screen.findByRole('button', { name: 'Newest' })
  await person.click(newest)
  expect(readPath()).toBe('/audit')
  await waitFor(() => expect(newest.getAttribute('aria-disabled')).toBe('true'))
  expect(document.activeElement).toBe(newest)
  const older = screen.getByRole<HTMLButtonElement>('button', { name: 'Older' })
  expect([older.disabled, older.getAttribute('aria-disabled')]).toEqual([false, 'true'])
})
