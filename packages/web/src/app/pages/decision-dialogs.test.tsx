import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { keepExpiryChoice } from '../../features/reviews/expiry-choice.ts'
import { readPersonId } from '../../lib/session.ts'
import { useGateway } from '../../testing/gateway.ts'
import { makeSentCollection } from '../../testing/made-collections.ts'
import { openApp, openAs, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'

async function typeReason(person: UserEvent, reason: string) {
  await person.click(await screen.findByRole('button', { name: 'Reject' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reject collection' }))
  await person.type(dialog.getByLabelText('Admin description'), reason)
  return dialog
}

test('an expiry that was entered outlives the dialog as the description does, also where another term is the usual one', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  await signIn('sam')
  keepExpiryChoice(readPersonId() ?? 0, '10')
  const person = openApp(`/content/${id}`)
  const openDialog = async () => {
    await person.click(await screen.findByRole('button', { name: 'Approve' }))
    return within(await screen.findByRole('dialog', { name: 'Approve collection' }))
  }
  const first = await openDialog()
  await person.type(first.getByLabelText('Admin description'), 'Fine')
  expect(first.getByRole<HTMLInputElement>('radio', { name: '10 years' }).checked).toBe(true)
  fireEvent.change(first.getByLabelText('Expire time'), { target: { value: '2099-01-31T18:00' } })
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  const again = await openDialog()
  expect(again.getByLabelText<HTMLInputElement>('Expire time').value).toBe('2099-01-31T18:00')
  await person.click(again.getByRole('radio', { name: 'No expiry' }))
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  const last = await openDialog()
  expect(last.getByRole<HTMLInputElement>('radio', { name: 'No expiry' }).checked).toBe(true)
})

test('a decision that is on its way keeps its dialog, and a refusal is told', async () => {
  const server = await useRealServer()
  const [ada, sue] = [await server.signIn('ada'), await server.signIn('sue', { is_superuser: true })]
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const gateway = await useGateway()
  gateway.trouble(`POST /admin/${id}/reject/`, 'late')
  const person = await openAs('sam', `/content/${id}`)
  const dialog = await typeReason(person, 'Page 3 is missing')
  await person.click(dialog.getByRole('button', { name: 'Reject' }))
  await person.keyboard('{Escape}')
  expect(screen.getByRole('dialog', { name: 'Reject collection' })).toBeDefined()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true)

  await sue.post(`/admin/${id}/reject/`, { admin_desc: 'Page 4 is missing' })
  gateway.release()
  await screen.findByText('This collection is no longer waiting for a decision. Please reload.')
})

test.each([
  ['whose answer gets lost on the way', 'lost'],
  ['that a proxy gave up before it was answered', 'overdue'],
  ['after which the server failed', 'faulty'],
] as const)('2.176 a decision %s is told as done once it shows that it was', async (_, trouble) => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const gateway = await useGateway()
  gateway.trouble(`POST /admin/${id}/reject/`, trouble)
  const person = await openAs('sam', `/content/${id}`)
  const dialog = await typeReason(person, 'Page 3 is missing')
  await person.click(dialog.getByRole('button', { name: 'Reject' }))
  await screen.findByText('Rejected!')
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  expect(screen.queryByText(/Nothing of yours was sent/)).toBeNull()
  expect((await ada.get(`/collections/${id}`)).json()).toMatchObject({ admin_desc: 'Page 3 is missing' })
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
})

test('2.176 a decision that was taken at the first try, and refused at the second, is told as done', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const gateway = await useGateway()
  const [rejection, look] = [`POST /admin/${id}/reject/`, `GET /collections/${id}`]
  const person = await openAs('sam', `/content/${id}`)
  const dialog = await typeReason(person, 'Page 3 is missing')
  gateway.trouble(rejection, 'lost')
  gateway.trouble(look, 'refused')
  await person.click(dialog.getByRole('button', { name: 'Reject' }))
  await dialog.findByRole('alert')
  gateway.mend(rejection)
  await person.click(dialog.getByRole('button', { name: 'Reject' }))
  await waitFor(() => expect(gateway.calls.filter((call) => call === rejection)).toHaveLength(2))
  gateway.mend(look)
  await screen.findByText('Rejected!')
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  expect(screen.queryByText(/in another window/)).toBeNull()
})

test('a decision that is taken at the second try is told once', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const gateway = await useGateway()
  const person = await openAs('sam', `/content/${id}`)
  const dialog = await typeReason(person, 'Page 3 is missing')
  gateway.trouble(`POST /admin/${id}/reject/`, 'refused')
  await person.click(dialog.getByRole('button', { name: 'Reject' }))
  await dialog.findByText('Failed to reject collection')
  gateway.mend(`POST /admin/${id}/reject/`)
  await person.click(dialog.getByRole('button', { name: 'Reject' }))
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  await screen.findByText('Nothing waits for your decision')
  expect(screen.getAllByText('Rejected!')).toHaveLength(1)
})

test('what one has decided in another window is told as one’s own, and the text stays to be copied', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const person = await openAs('sam', `/content/${id}`)
  const dialog = await typeReason(person, 'The stamp is another')
  const sam = await server.signIn('sam')
  await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is missing' })
  await dialog.findByText(/^You decided on this collection meanwhile, in another window\./)
  expect(dialog.getByLabelText<HTMLTextAreaElement>('Admin description').value).toBe('The stamp is another')
})
