import { screen, waitFor, within } from '@testing-library/react'
import type { TestClient } from '@proofdesk/server/testing'
import { expect, test } from 'vitest'
import { makeCollection, makeSentCollection } from '../testing/made-collections.ts'
import { useGateway } from '../testing/gateway.ts'
import { openAs } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

/** Another reviewer gives it back, its owner gives it another title and sends it again. */
async function replaceRound(owner: TestClient, reviewer: TestClient, id: number): Promise<void> {
  await reviewer.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is missing' })
  await owner.patch(`/collections/${id}/`, { title: 'Doctorate' })
  await owner.post(`/collections/${id}/save/`)
}

test('11.7 what changes under a reviewer’s eyes is told, and nothing is decided before they have looked at it', async () => {
  const server = await useRealServer()
  const [ada, tess] = [await server.signIn('ada'), await server.signIn('tess', { is_staff: true })]
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const person = await openAs('sam', `/content/${id}`)
  await screen.findByRole('button', { name: 'Approve' })
  await waitFor(() => expect(button('Approve').disabled).toBe(false))

  await replaceRound(ada, tess, id)
  await screen.findByText('This collection has changed since you looked at it. Please look at it again.')
  const notice = screen.getByRole('region', { name: 'Decision' })
  await within(notice).findByText(/^It was titled “.Degree.” before\.$/)
  expect([button('Approve').disabled, button('Reject').disabled]).toEqual([true, true])

  await person.click(button('I have looked at it again'))
  expect(screen.queryByText(/^This collection has changed/)).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Decision' }))
  await person.click(button('Approve'))
  const dialog = await screen.findByRole('dialog', { name: 'Approve collection' })
  await person.type(within(dialog).getByLabelText('Admin description'), 'All good')
  await person.click(within(dialog).getByLabelText('No expiry'))
  await person.click(within(dialog).getByRole('button', { name: 'Approve' }))
  await screen.findByText('Approved!')
  expect((await ada.get(`/collections/${id}`)).json().proofid).not.toBeNull()
})

test('rounds that cannot be loaded are told on the desk, which can try again', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const gateway = await useGateway()
  const rounds = `GET /collections/${id}/submissions/`
  gateway.trouble(rounds, 'refused')
  const person = await openAs('sam', `/content/${id}`)
  // The list of the rounds asks once more when it is there.
  await screen.findByText('Failed to load the submissions.')
  const desk = within(screen.getByRole('region', { name: 'Documents' }))
  await desk.findByRole('alert')
  gateway.mend(rounds)
  await person.click(desk.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(desk.queryByRole('alert')).toBeNull())
})

test('11.4 what was written for one round decides nothing on the next, and is still there to be read', async () => {
  const server = await useRealServer()
  const [ada, tess] = [await server.signIn('ada'), await server.signIn('tess', { is_staff: true })]
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const person = await openAs('sam', `/content/${id}`)
  await waitFor(() => expect(button('Reject').disabled).toBe(false))
  await person.click(button('Reject'))
  const dialog = await screen.findByRole('dialog', { name: 'Reject collection' })
  await person.type(within(dialog).getByLabelText('Admin description'), 'The stamp is another')
  await replaceRound(ada, tess, id)
  await person.click(within(dialog).getByRole('button', { name: 'Reject' }))
  const problem = await within(dialog).findByRole('alert')
  expect(problem.textContent).toBe(
    'This collection has changed since you looked at it. Please look at it again. It was titled “Degree” before.',
  )
  expect(within(dialog).getByLabelText<HTMLTextAreaElement>('Admin description').value).toBe('The stamp is another')
  expect((await ada.get(`/collections/${id}`)).json()).toMatchObject({ is_locked: true, title: 'Doctorate' })
})

test('11.7 whoever deletes a file themselves need not say that they have looked again; what another deletes is told', async () => {
  const server = await useRealServer()
  const [ada, tess] = [await server.signIn('ada'), await server.signIn('tess', { is_staff: true })]
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree', 3)
  const person = await openAs('sam', `/content/${id}`)
  await waitFor(() => expect(button('Approve').disabled).toBe(false))
  const before = (await ada.get(`/collections/${id}`)).json().submission.digest
  const [file] = await screen.findAllByRole('button', { name: /^Delete TYPE1/ })
  await person.click(file!)
  const question = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
  await person.click(within(question).getByRole('button', { name: 'Delete' }))
  const readDigest = async () => (await ada.get(`/collections/${id}`)).json().submission.digest
  await waitFor(async () => expect([null, before]).not.toContain(await readDigest()), { timeout: 8000 })
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^Delete TYPE1/ })).toHaveLength(2))
  await waitFor(() => expect(button('Approve').disabled).toBe(false), { timeout: 8000 })
  expect(screen.queryByText(/^This collection has changed/)).toBeNull()

  const [another] = (await ada.get(`/contents/?collection=${id}`)).json().results
  await tess.delete(`/contents/${another.id}/`)
  await screen.findByText(/^This collection has changed/, {}, { timeout: 8000 })
  const gone = await within(screen.getByRole('region', { name: 'Decision' })).findByText(/^Gone: /)
  expect(gone.textContent).toContain(another.file_name)
  expect(button('Approve').disabled).toBe(true)
})

test('what another reviewer decides meanwhile is told in the open dialog, where the text stays to be copied', async () => {
  const server = await useRealServer()
  const [ada, tess] = [await server.signIn('ada'), await server.signIn('tess', { is_staff: true })]
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const person = await openAs('sam', `/content/${id}`)
  await waitFor(() => expect(button('Reject').disabled).toBe(false))
  await person.click(button('Reject'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reject collection' }))
  await person.type(dialog.getByLabelText('Admin description'), 'The stamp is another')
  await tess.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is missing' })
  const notice = await dialog.findByText(/^tess decided on this collection meanwhile\./)
  expect(notice.closest('[role=alert]')).not.toBeNull()
  const text = dialog.getByLabelText<HTMLTextAreaElement>('Admin description')
  expect([text.value, text.readOnly]).toEqual(['The stamp is another', true])
  expect(dialog.queryByRole('button', { name: 'Reject' })).toBeNull()
  await person.keyboard('{Control>}{Enter}{/Control}')
  await person.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByRole('region', { name: 'Decision' })).toBeNull()
  expect((await ada.get(`/collections/${id}`)).json().admin_desc).toBe('Page 3 is missing')
})

test('2.154 what another reviewer decides while no dialog is open is told at the desk, and the focus is not lost', async () => {
  const server = await useRealServer()
  const [ada, tess] = [await server.signIn('ada'), await server.signIn('tess', { is_staff: true })]
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  await openAs('sam', `/content/${id}`)
  await waitFor(() => expect(button('Approve').disabled).toBe(false))
  button('Approve').focus()
  await tess.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is missing' })
  const notice = await screen.findByText('tess decided on this collection meanwhile.')
  expect(notice.closest('[role=alert]')).not.toBeNull()
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'))
})

test('11.8 owner and reviewers read every round on the collection’s screen', async () => {
  const server = await useRealServer()
  const [ada, tess] = [await server.signIn('ada'), await server.signIn('tess', { is_staff: true })]
  const { id } = await makeSentCollection(ada, 'Degree')
  await replaceRound(ada, tess, id)
  const person = await openAs('ada', `/content/${id}`)
  const panel = await screen.findByRole('region', { name: 'Submissions' })
  const findRound = (number: number) =>
    within(panel)
      .getByRole('heading', { name: `Submission ${number}` })
      .closest('li')
  const [second, first] = [findRound(2), findRound(1)]
  expect(within(second!).getByText('Waits for a decision')).toBeDefined()
  expect(within(second!).getByText(/^It was titled/)).toBeDefined()
  expect(first!.textContent.match(/Rejected by tess/g)).toHaveLength(1)
  expect(within(first!).getByText('Page 3 is missing')).toBeDefined()
  await person.click(within(first!).getByText('Files and digest (1)'))
  const { results } = (await ada.get(`/collections/${id}/submissions/`)).json()
  expect(within(first!).getByText(results[1].digest)).toBeDefined()
  expect(within(first!).getByText(results[1].files[0].sha256)).toBeDefined()
})

test('a collection that was never sent shows no rounds', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = (await ada.post('/collections/', { title: 'Papers' })).json()
  await openAs('ada', `/content/${id}`)
  await screen.findByRole('region', { name: 'Activity' })
  expect(screen.queryByRole('region', { name: 'Submissions' })).toBeNull()
})

test('going from one collection to another that is known already is no change under the reviewer’s eyes', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Older')
  await makeSentCollection(ada, 'Newer')
  const person = await openAs('sam', `/content/${id}`)
  const goTo = async (direction: string, title: string) => {
    await person.click(await screen.findByRole('link', { name: new RegExp(`^${direction}`) }))
    await screen.findByRole('heading', { level: 1, name: new RegExp(`${title}$`) })
    await waitFor(() => expect(button('Approve').disabled).toBe(false))
  }
  await goTo('Next collection', 'Newer')
  await goTo('Previous collection', 'Older')
  await goTo('Next collection', 'Newer')
  expect(screen.queryByText(/^This collection has changed/)).toBeNull()
})

test('11.7 what is sent again as it was stands on the desk as before', async () => {
  const server = await useRealServer()
  const [ada, tess] = [await server.signIn('ada'), await server.signIn('tess', { is_staff: true })]
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree', 2)
  const person = await openAs('sam', `/content/${id}`)
  await screen.findByRole('combobox', { name: 'Document' })
  await tess.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is missing' })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull())
  expect(screen.getByRole('combobox', { name: 'Document' })).toBeDefined()
  // The keys for what can no longer be done are gone.
  screen.getByText(/^Keys: Alt\+O read, Alt\+C comment/)
  await ada.post(`/collections/${id}/save/`)
  await person.click(await screen.findByRole('button', { name: 'I have looked at it again' }))
  await screen.findByRole('combobox', { name: 'Document' })
  expect(button('Approve').disabled).toBe(false)
})

test('11.12 nothing is decided on the screen before the review document is there', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeCollection(ada, 'Degree')
  const contents = server.deps.db.updateTable('contents').where('collection_id', '=', id)
  const [{ blob_key }] = (await server.deps.db.selectFrom('contents').select('blob_key').execute()) as [
    { blob_key: string },
  ]
  // The store is away for a while.
  await contents.set({ blob_key: 'originals/away' }).execute()
  await ada.post(`/collections/${id}/save/`)
  const person = await openAs('sam', `/content/${id}`)
  await screen.findByText(/^The review document is being prepared/)
  expect([button('Approve').disabled, button('Reject').disabled]).toEqual([true, true])
  await person.keyboard('{Alt>}r{/Alt}')
  expect(screen.queryByRole('dialog')).toBeNull()

  await contents.set({ blob_key }).execute()
  server.clock.advance(60_000)
  await server.settle()
  await waitFor(() => expect(button('Approve').disabled).toBe(false), { timeout: 8000 })
  expect(button('Reject').disabled).toBe(false)
})

test('8.41 a review document that does not come warns of download managers, and is asked for again', async () => {
  const server = await useRealServer()
  const { id } = await makeSentCollection(await server.signIn('ada'), 'Degree')
  await server.createUser({ username: 'sam', is_staff: true })
  const gateway = await useGateway()
  const call = `GET /collections/${id}/submissions/1/document/`
  gateway.trouble(call, 'lost')
  const person = await openAs('sam', `/content/${id}`)
  const dialog = await screen.findByRole('alertdialog', { name: 'IDM Error' }, { timeout: 8000 })
  expect(dialog.textContent).toContain('download manager such as IDM, please disable it')
  gateway.mend(call)
  await person.click(within(dialog).getByRole('button'))
  await person.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull())
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('11.12 what is rejected while it is prepared is prepared no more on the screen', async () => {
  const server = await useRealServer()
  const [ada, tess] = [await server.signIn('ada'), await server.signIn('tess', { is_staff: true })]
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeCollection(ada, 'Degree', 2)
  await server.deps.db
    .updateTable('contents')
    .set((row) => ({ blob_key: row('blob_key', '||', '-away') }))
    .execute()
  await ada.post(`/collections/${id}/save/`)
  await openAs('sam', `/content/${id}`)
  await screen.findByText(/^The review document is being prepared/)
  await tess.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is missing' })
  await screen.findByRole('combobox', { name: 'Document' })
  expect(screen.queryByText(/^The review document is being prepared/)).toBeNull()
})

test('11.13 files of which no review document can be made can only be rejected, and it is said which and why', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeCollection(ada, 'Degree')
  await server.deps.db.updateTable('contents').set({ type: 'PDF', title: 'Scan' }).execute()
  await ada.post(`/collections/${id}/save/`)
  await server.settle()
  await openAs('sam', `/content/${id}`)
  const said = await screen.findByText(/^No review document could be made/)
  await waitFor(() => expect(said.parentElement?.textContent).toMatch(/Scan: .{20}/))
  await waitFor(() => expect([button('Approve').disabled, button('Reject').disabled]).toEqual([true, false]))
})
