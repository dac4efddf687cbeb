import type { TestClient, TestServer } from '@proofdesk/server/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { endSession } from '../lib/session.ts'
import { useGateway, type Gateway } from '../testing/gateway.ts'
import { makeSentCollection } from '../testing/made-collections.ts'
import { goBack, openAs, readPath } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'

async function decide(person: UserEvent, decision: 'Approve' | 'Reject') {
  await person.click(await screen.findByRole('button', { name: decision }))
  const dialog = within(await screen.findByRole('dialog', { name: `${decision} collection` }))
  await person.type(dialog.getByLabelText('Admin description'), 'Page 3')
  if (decision === 'Approve') await person.click(dialog.getByLabelText('No expiry'))
  await person.click(dialog.getByRole('button', { name: decision }))
}

/** Sam decides, and goes back before the answer. @param meanwhile What happens until the server is asked */
async function leaveDeciding(
  server: TestServer,
  gateway: Gateway,
  decision: 'Approve' | 'Reject',
  meanwhile: (things: { sue: TestClient; id: number; lose: () => void }) => unknown,
) {
  // The first seal of a process waits for the programs that make it.
  server.deps.approvalWaitMs = 60_000
  const [ada, sue] = [await server.signIn('ada'), await server.signIn('sue', { is_superuser: true })]
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const call = `POST /admin/${id}/${decision.toLowerCase()}/`
  gateway.trouble(call, 'late')
  const person = await openAs('sam', `/content/${id}`, ['/collection'])
  await decide(person, decision)
  await waitFor(() => expect(gateway.calls).toContain(call))
  goBack()
  await screen.findByRole('heading', { level: 1, name: 'Collection Management' })
  await meanwhile({ sue, id, lose: () => gateway.trouble(call, 'lost') })
  gateway.release()
  return { ada, id }
}

test.each([
  ['Approve', /^“.Degree.” is approved\.$/],
  ['Reject', /^“.Degree.” is rejected\.$/],
] as const)('2.178 %s: a decision whose screen was left by Back is told where one is then', async (decision, words) => {
  await leaveDeciding(await useRealServer(), await useGateway(), decision, () => {})
  await screen.findByText(words)
  expect(readPath()).toBe('/collection')
})

test.each([
  ['Approve', /^Failed to approve “.Degree.” This collection is no longer waiting/],
  ['Reject', /^Failed to reject “.Degree.” This collection is no longer waiting/],
] as const)(
  '2.178 %s: a decision that is refused after its screen was left is told with the reason',
  async (decision, words) => {
    await leaveDeciding(await useRealServer(), await useGateway(), decision, ({ sue, id }) =>
      sue.post(`/admin/${id}/reject/`, { admin_desc: 'Page 4' }),
    )
    await screen.findByText(words)
  },
)

test('2.178 where the answer gets lost after the screen was left, nobody claims to know', async () => {
  await leaveDeciding(await useRealServer(), await useGateway(), 'Reject', ({ lose }) => lose())
  await screen.findByText(/^It is not known whether your decision on “.Degree.” was taken\./)
})

test('what comes of a decision is told to nobody else who has signed in meanwhile', async () => {
  const { ada, id } = await leaveDeciding(await useRealServer(), await useGateway(), 'Reject', async () => {
    act(() => endSession())
    await act(() => signIn('sue'))
  })
  await waitFor(async () => expect((await ada.get(`/collections/${id}`)).json().is_locked).toBe(false))
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(screen.queryByText(/is rejected/)).toBeNull()
})

test('2.178 a decision that fails while its screen stands is told there, and nowhere else', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const gateway = await useGateway()
  const person = await openAs('sam', `/content/${id}`)
  for (const decision of ['Approve', 'Reject'] as const) {
    gateway.trouble(`POST /admin/${id}/${decision.toLowerCase()}/`, 'refused')
    await decide(person, decision)
    const dialog = within(await screen.findByRole('dialog', { name: `${decision} collection` }))
    const failure = `Failed to ${decision.toLowerCase()} collection`
    await dialog.findByText(failure)
    // A toast comes with code that is loaded for the first.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(screen.getAllByText(/Failed to/).map((told) => told.textContent)).toEqual([failure])
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
})
