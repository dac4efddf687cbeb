import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { endSession } from '../lib/session.ts'
import { useGateway } from '../testing/gateway.ts'
import { makeSentCollection } from '../testing/made-collections.ts'
import { openAs } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

test('11.8 why it was rejected stands once: above while there is something to mend, then with its round', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { id } = await makeSentCollection(ada, 'Degree')
  await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is missing' })
  await openAs('ada', `/content/${id}`)
  const region = (name: string) => screen.findByRole('region', { name })
  const says = (part: HTMLElement, words: string) =>
    within(part).findAllByText((_, element) => element?.textContent === words)
  for (const name of ['Activity', 'Submissions']) await says(await region(name), 'Rejected by sam')
  expect(screen.getAllByText('Page 3 is missing')).toHaveLength(1)
  const facts = within(screen.getByLabelText('About this collection'))
  expect(facts.getByText('Rejected because').parentElement?.textContent).toContain('Page 3 is missing')

  await ada.post(`/collections/${id}/save/`)
  await waitFor(() => expect(facts.queryByText('Page 3 is missing')).toBeNull())
  within(await region('Submissions')).getByText('Page 3 is missing')
  expect(screen.getAllByText('Page 3 is missing')).toHaveLength(1)

  await sam.post(`/admin/${id}/approve/`, { admin_desc: 'All seen', expire_time: null })
  await facts.findByText('All seen', {}, { timeout: 8000 })
  await says(await region('Submissions'), 'Approved by sam')
  for (const words of ['All seen', 'Page 3 is missing']) expect(screen.getAllByText(words)).toHaveLength(1)
})

test('11.18 a reviewer of what was sent again reads above the documents why it was rejected and what has changed since', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  await server.createUser({ username: 'tess', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is missing' })
  await ada.post(`/collections/${id}/save/`)
  await openAs('tess', `/content/${id}`)
  const notice = await screen.findByRole('region', { name: 'Sent again' })
  await within(notice).findByText('Title, files and their order are as they were.')
  expect(notice.textContent).toContain('Rejected by sam')
  within(notice).getByText('Page 3 is missing')
  await screen.findByRole('region', { name: 'Submissions' })
  expect(screen.getAllByText('Page 3 is missing')).toHaveLength(1)

  await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 4 is missing' })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Sent again' })).toBeNull())
  await ada.patch(`/collections/${id}/`, { title: 'Doctorate' })
  await ada.post(`/collections/${id}/save/`)
  const again = await screen.findByRole('region', { name: 'Sent again' })
  await within(again).findByText(/^It was titled “.Degree.” before\.$/)
  within(again).getByText('Page 4 is missing')
})

test('11.18 what has changed since that does not load says so and is asked for again; a round too far back says where it stands', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  await server.createUser({ username: 'tess', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const close = () => (cleanup(), endSession())
  const sendBack = async () => {
    await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is missing' })
    await ada.post(`/collections/${id}/save/`)
  }
  await sendBack()
  const gateway = await useGateway()
  const rounds = `GET /collections/${id}/submissions/`
  gateway.trouble(rounds, 'refused')
  const person = await openAs('tess', `/content/${id}`)
  const notice = within(await screen.findByRole('region', { name: 'Sent again' }))
  // The list of the rounds asks once more when it is there.
  await screen.findByText('Failed to load the submissions.')
  expect((await notice.findByRole('alert')).textContent).toBe('What has changed since could not be loaded.')
  gateway.mend(rounds)
  await person.click(await notice.findByRole('button', { name: 'Try again' }))
  await notice.findByText('Title, files and their order are as they were.')
  expect(notice.queryByRole('alert')).toBeNull()

  close()
  for (let round = 0; round < 11; round += 1) await sendBack()
  const others = server.deps.db.updateTable('submissions').where('number', '>', 1).where('outcome', '=', 'rejected')
  await others.set({ outcome: 'replaced' }).execute()
  await openAs('tess', `/content/${id}`)
  await screen.findByText(/^The round it was written for lies further back/)

  close()
  await server.deps.db.deleteFrom('submissions').where('number', '<', 12).execute()
  await openAs('tess', `/content/${id}`)
  await screen.findByText(/^What was sent then is not kept/)
})

test('10.8 the owner reads in the activity which file a reviewer removed, and the bell leads there', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { id } = await makeSentCollection(ada, 'Degree')
  const [content] = (await ada.get(`/contents/?collection=${id}`)).json().results
  await sam.delete(`/contents/${content.id}/`)
  const person = await openAs('ada', '/dashboard')
  await person.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
  const note = await screen.findByText('REMOVED_FILE')
  expect(note.closest('button')?.textContent).toContain('Degree')
  await person.click(note)
  const activity = await screen.findByRole('region', { name: 'Activity' })
  const names = await within(activity).findByText(`${content.title}, ${content.file_name}`)
  expect(names.closest('li')?.textContent).toContain('File removed by sam')
})

test('11.8 the activity is asked for together with the rounds, not after they came', async () => {
  const server = await useRealServer()
  const { id } = await makeSentCollection(await server.signIn('ada'), 'Degree')
  const seen: string[] = []
  const send = globalThis.fetch
  const watched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (asked, options) => {
    const [what] = /activity|submissions/.exec(asked instanceof Request ? asked.url : String(asked)) ?? []
    if (what) seen.push(`${what} asked`)
    const answer = await send(asked, options)
    if (what) seen.push(`${what} came`)
    return answer
  })
  await openAs('ada', `/content/${id}`)
  await waitFor(() => expect(seen).toContain('submissions came'))
  watched.mockRestore()
  expect(seen.indexOf('activity asked')).toBeGreaterThan(-1)
  expect(seen.indexOf('submissions came')).toBeGreaterThan(seen.indexOf('activity asked'))
})

test('10.9 what was written in a round that is not kept stands in the activity', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { id } = await makeSentCollection(ada, 'Degree')
  await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is missing' })
  await ada.post(`/collections/${id}/save/`)
  await server.deps.db.updateTable('submissions').set({ number: 3 }).where('number', '=', 2).execute()
  await server.deps.db.deleteFrom('submissions').where('number', '=', 1).execute()
  await openAs('ada', `/content/${id}`)
  const activity = await screen.findByRole('region', { name: 'Activity' })
  await within(activity).findByText('Page 3 is missing')
  expect(within(activity).getAllByText((_, one) => one?.textContent === 'Rejected by sam because')).toHaveLength(1)
  expect(screen.getAllByText('Page 3 is missing')).toHaveLength(1)
})
