import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeCollection } from '../testing/made-collections.ts'
import { openApp, openAs } from '../testing/open-app.tsx'
import { useGateway } from '../testing/gateway.ts'
import { useRealServer } from '../testing/real-server.ts'

test('8.66 8.67 8.75 8.76 a deleted content and a deleted comment each ask first and say Deleted!', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Degree')
  await ada.post('/comments/', { collection: id, text: 'Look here' })
  const person = await openAs('ada', `/content/${id}`)
  for (const [button, list] of [
    [/^Delete TYPE1/, `/contents/?collection=${id}`],
    [/^Delete your comment/, `/comments/?collection=${id}`],
  ] as const) {
    const count = async () => (await ada.get(list)).json().count
    await person.click(await screen.findByRole('button', { name: button }))
    const first = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
    await person.click(within(first).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(await count()).toBe(1)
    const saidBefore = screen.queryAllByText('Deleted!').length
    await person.click(screen.getByRole('button', { name: button }))
    const second = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
    await person.click(within(second).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryAllByText('Deleted!')).toHaveLength(saidBefore + 1))
    expect(await count()).toBe(0)
  }
})

test('8.7 a reset without a message says Password Reset', async () => {
  await useRealServer()
  const gateway = await useGateway()
  gateway.trouble('POST /password/reset/', 'garbled', '{"message":""}')
  const person = openApp('/login')
  await person.click(await screen.findByRole('button', { name: 'Reset it' }))
  await person.type(await screen.findByLabelText('Email'), 'ada@example.org')
  await person.click(screen.getByRole('button', { name: 'Reset Password' }))
  const notice = await screen.findByRole('alertdialog', { name: 'Successfully!' })
  expect(within(notice).getByText('Password Reset')).toBeDefined()
})
