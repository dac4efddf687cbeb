import type { TestServer } from '@proofdesk/server/testing'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test } from 'vitest'
import { useGateway } from '../../testing/gateway.ts'
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
  expect(screen.getByText(/^sam has approved this collection/)).toBeDefined()
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

/** A collection waits for `sam`, whose approval is answered before it is sealed. */
async function makeWaiting(server: TestServer) {
  server.deps.approvalWaitMs = 500
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  return { ada, id }
}

async function approve(person: UserEvent) {
  await person.click(await screen.findByRole('button', { name: 'Approve' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Approve collection' }))
  await person.type(dialog.getByLabelText('Admin description'), 'Fine')
  await person.click(dialog.getByLabelText('No expiry'))
  await person.click(dialog.getByRole('button', { name: 'Approve' }))
  return dialog
}

/** A collection at whose desk Sue sits while Sam approves it, and that is not sealed until it is released. */
async function openWhileSealed(server: TestServer, release: () => void) {
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  await server.createUser({ username: 'sue', is_superuser: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const person = await openAs('sue', `/content/${id}`)
  await screen.findByRole('button', { name: 'Approve' })
  const approving = sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', expire_time: null })
  await person.click(await screen.findByRole('button', { name: 'Withdraw approval' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw approval' }))
  await person.type(dialog.getByLabelText('Admin description'), 'Sealed by mistake')
  const withdraw = () => person.click(dialog.getByRole('button', { name: 'Withdraw approval' }))
  const finish = async () => {
    release()
    await approving
  }
  return { ada, id, dialog, withdraw, finish, call: `POST /admin/${id}/withdraw/` }
}

const readTyped = () => {
  const { value, readOnly } = screen.getByLabelText<HTMLTextAreaElement>('Admin description')
  return [value, readOnly]
}

test.each(['late', 'lost', 'overdue'] as const)(
  '4.44 whoever withdraws an approval is told so, not that they decided in another window (answer: %s)',
  async (trouble) => {
    const { options, release } = holdSeals()
    const [server, gateway] = [await useRealServer(options), await useGateway()]
    const { ada, id, withdraw, finish, call } = await openWhileSealed(server, release)
    gateway.trouble(call, trouble)
    await withdraw()
    gateway.release()
    await screen.findByText('Approval withdrawn')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByText(/in another window/)).toBeNull()
    expect((await ada.get(`/collections/${id}`)).json().admin_desc).toBe('Sealed by mistake')
    expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
    await finish()
  },
)

test('4.45 what was typed to withdraw an approval stays to be copied when it is sealed meanwhile', async () => {
  const { options, release } = holdSeals()
  const server = await useRealServer(options)
  const { dialog, finish } = await openWhileSealed(server, release)
  await finish()
  await dialog.findByText(/^The approval was sealed meanwhile, and stands\./)
  expect(readTyped()).toEqual(['Sealed by mistake', true])
})

test('4.45 a withdrawal that comes too late is refused where it was typed', async () => {
  const { options, release } = holdSeals()
  const [server, gateway] = [await useRealServer(options), await useGateway()]
  const { ada, id, dialog, withdraw, finish, call } = await openWhileSealed(server, release)
  gateway.trouble(call, 'late')
  await withdraw()
  await finish()
  await waitFor(async () => expect((await ada.get(`/collections/${id}`)).json().proofid).not.toBeNull())
  await waitFor(() => expect(screen.queryByText('Sealing')).toBeNull())
  gateway.release()
  await dialog.findByText('This collection is no longer waiting for a decision. Please reload.')
  await dialog.findByText(/^The approval was sealed meanwhile, and stands\./)
  expect(readTyped()).toEqual(['Sealed by mistake', true])
})

test('4.44 whoever approved and stayed is told that the approval was withdrawn, and by whom', async () => {
  const { options, release } = holdSeals()
  const server = await useRealServer(options)
  const { id } = await makeWaiting(server)
  const sue = await server.signIn('sue', { is_superuser: true })
  const person = await openAs('sam', `/content/${id}`)
  await approve(person)
  await screen.findByText('Sealing')
  await sue.post(`/admin/${id}/withdraw/`, { admin_desc: 'Sealed by mistake' })
  const notice = await screen.findByText('sue withdrew your approval. The collection is with its owner again.')
  expect(notice.closest('[role=alert]')).not.toBeNull()
  expect(screen.queryByText('Approved!')).toBeNull()
  release()
})

test('2.176 an approval whose answer gets lost while its file is sealed counts as one’s own, and is told once', async () => {
  const { options, release } = holdSeals()
  const server = await useRealServer(options)
  const { id } = await makeWaiting(server)
  const gateway = await useGateway()
  gateway.trouble(`POST /admin/${id}/approve/`, 'lost')
  const said: string[] = []
  const watching = new MutationObserver(() => said.push(document.body.textContent))
  watching.observe(document.body, { childList: true, subtree: true, characterData: true })
  const person = await openAs('sam', `/content/${id}`)
  await approve(person)
  await screen.findByText(/^Your approval is recorded\. The certified PDF is being sealed/)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  release()
  await screen.findByText('Approved!')
  watching.disconnect()
  expect(readPath()).toBe(`/content/${id}`)
  expect(said.filter((text) => /decided on this collection meanwhile/.test(text))).toEqual([])
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
})

test('an approval that is taken at the second try and then sealed is told once, where one stays', async () => {
  const { options, release } = holdSeals()
  const server = await useRealServer(options)
  const { id } = await makeWaiting(server)
  const gateway = await useGateway()
  gateway.trouble(`POST /admin/${id}/approve/`, 'refused')
  const person = await openAs('sam', `/content/${id}`)
  const dialog = await approve(person)
  await dialog.findByText('Failed to approve collection')
  gateway.mend(`POST /admin/${id}/approve/`)
  await person.click(dialog.getByRole('button', { name: 'Approve' }))
  await screen.findByText('Sealing')
  release()
  await screen.findByText('Approved!')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(readPath()).toBe(`/content/${id}`)
  expect(screen.getAllByText('Approved!')).toHaveLength(1)
})

test('what a colleague has approved is told by their name while it is sealed', async () => {
  const { options, release } = holdSeals()
  const server = await useRealServer(options)
  const [ada, tess] = [await server.signIn('ada'), await server.signIn('tess', { is_staff: true })]
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const person = await openAs('sam', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Reject' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reject collection' }))
  const approving = tess.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', expire_time: null })
  await dialog.findByText(/^tess decided on this collection meanwhile\./)
  release()
  await approving
})

test('4.35 an approval that is sealed for longer than its answer waits says so, and says when it is done', async () => {
  const { options, release } = holdSeals()
  const server = await useRealServer(options)
  const { id } = await makeWaiting(server)
  await server.settle()
  await approve(await openAs('sam', `/content/${id}`))
  await screen.findByText(/^Your approval is recorded\. The certified PDF is being sealed/)
  await screen.findByText('Sealing')
  expect(screen.queryByText('Approved!')).toBeNull()
  release()
  await screen.findByText('Approved!')
  expect(readPath()).toBe(`/content/${id}`)
})
