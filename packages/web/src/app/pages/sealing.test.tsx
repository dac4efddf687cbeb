import { cleanup, screen, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { makeSentCollection } from '../../testing/made-collections.ts'
import { openAs, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

/** The first seal of a process waits for the programs that make it. */
const SEALED_MS = 10_000

/** Server options with which a seal is made and not stored until it is let go. */
function holdSeals() {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  onTestFinished(() => release())
  return { options: { onApprovalStep: (step: string) => (step === 'seal-made' ? held : undefined) }, release }
}

test('while an approval is sealed its reviewers see so, its owner sees In Progress, and a superuser may withdraw it', async () => {
  const { options, release } = holdSeals()
  const server = await useRealServer(options)
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  await server.createUser({ username: 'sue', is_superuser: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  await server.settle()
  const approving = sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', expire_time: null })
  const readSealing = async () => (await sam.get(`/collections/${id}`)).json().sealing as unknown
  await expect.poll(readSealing, { timeout: SEALED_MS }).not.toBeNull()

  await openAs('ada', `/content/${id}`)
  await screen.findByText('In Progress')
  expect(screen.queryByText('Sealing')).toBeNull()
  cleanup()

  const person = await openAs('sue', `/content/${id}`)
  await screen.findByText('Sealing')
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Withdraw approval' }))
  const dialog = await screen.findByRole('dialog', { name: 'Withdraw approval' })
  await person.type(within(dialog).getByLabelText('Admin description'), 'Sealed by mistake')
  await person.click(within(dialog).getByRole('button', { name: 'Withdraw approval' }))
  await screen.findByText('Approval withdrawn')
  expect((await ada.get(`/collections/${id}`)).json()).toMatchObject({
    is_locked: false,
    admin_desc: 'Sealed by mistake',
    proofid: null,
  })
  release()
  await approving
})

test('4.35 an approval that is sealed for longer than its answer waits says so, and says when it is done', async () => {
  const { options, release } = holdSeals()
  const server = await useRealServer(options)
  server.deps.approvalWaitMs = 500
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  await server.settle()
  const person = await openAs('sam', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Approve' }))
  const dialog = await screen.findByRole('dialog', { name: 'Approve collection' })
  await person.type(within(dialog).getByLabelText('Admin description'), 'Fine')
  await person.click(within(dialog).getByLabelText('No expiry'))
  await person.click(within(dialog).getByRole('button', { name: 'Approve' }))
  await screen.findByText(/^Your approval is recorded\. The certified PDF is being sealed/)
  await screen.findByText('Sealing')
  expect(screen.queryByText('Approved!')).toBeNull()
  release()
  await screen.findByText('Approved!')
  expect(readPath()).toBe(`/content/${id}`)
})
