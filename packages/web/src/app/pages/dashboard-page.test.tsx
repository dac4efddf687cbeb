import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { endSession } from '../../lib/session.ts'
import { useGateway } from '../../testing/gateway.ts'
import { makeCollection, makeSentCollection } from '../../testing/made-collections.ts'
import { goBack, openApp, openAs, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

test.each([
  { greeting: 'Welcome, Super User ada', flags: { is_superuser: true, is_admin: true, is_staff: true } },
  { greeting: 'Welcome, Admin ada', flags: { is_admin: true, is_staff: true } },
  { greeting: 'Welcome, Staff ada', flags: { is_staff: true } },
  { greeting: 'Welcome, ada', flags: {} },
])('the dashboard greets by the highest role: $greeting', async ({ greeting, flags }) => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada', ...flags })
  await openAs('ada', '/dashboard')
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(greeting)
})

test.each([
  { role: 'a superuser', flags: { is_superuser: true }, hasBar: true },
  { role: 'staff', flags: { is_staff: true }, hasBar: true },
  { role: 'an ordinary user', flags: {}, hasBar: true },
  { role: 'an admin', flags: { is_admin: true }, hasBar: false },
])('the notification bar and the entry Server Content for $role: $hasBar', async ({ flags, hasBar }) => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada', ...flags })
  await openAs('ada', '/dashboard')
  await screen.findByRole('heading', { level: 1 })
  expect(screen.queryAllByRole('navigation', { name: 'Notification bar' })).toHaveLength(hasBar ? 1 : 0)
  const sidebar = within(screen.getByRole('navigation', { name: 'Main' }))
  expect(sidebar.queryAllByRole('link', { name: 'Server Content' })).toHaveLength(hasBar ? 1 : 0)
})

test('2.70 the guide has three steps behind numbered buttons', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const user = await openAs('ada', '/dashboard')
  for (const [number, title] of [
    ['2', 'Manage Collections'],
    ['3', 'User Roles'],
    ['1', 'Welcome to Your Dashboard'],
  ] as const) {
    await user.click(await screen.findByRole('button', { name: `${number} ${title}` }))
    screen.getByRole('heading', { level: 2, name: title })
    screen.getByText(`Step ${number} of 3`)
  }
})

test('2.70 the guide can be put away, stays away after the next sign-in, and comes back', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const user = await openAs('ada', '/dashboard')
  const away = await screen.findByRole('button', { name: 'Put the guide away' })
  await user.click(away)
  expect(screen.queryByText('Step 1 of 3')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Show the guide', expanded: false }))

  cleanup()
  endSession()
  const again = await openAs('ada', '/dashboard')
  await again.click(await screen.findByRole('button', { name: 'Show the guide' }))
  await screen.findByText('Step 1 of 3')
  cleanup()
  openApp('/dashboard')
  await screen.findByText('Step 1 of 3')
})

test('an owner sees what to do next with the way there, their recent collections and open tickets', async () => {
  const server = await useRealServer()
  const [ada, eve, sam] = [
    await server.signIn('ada'),
    await server.signIn('eve'),
    await server.signIn('sam', { is_staff: true }),
  ]
  await makeCollection(eve, 'Of Eve', 0)
  const rejected = await makeSentCollection(ada, 'Degree')
  await sam.post(`/admin/${rejected.id}/reject/`, { admin_desc: 'Page 3 is unsigned.' })
  await makeCollection(ada, 'Diploma', 0)
  const { id: ticket } = (await ada.post('/ticket/', { title: 'Lost seal' })).json() as { id: number }
  await sam.post('/conversation/', { text: 'Here it is.', ticket })
  const { id: closed } = (await ada.post('/ticket/', { title: 'Old question' })).json() as { id: number }
  await sam.post('/conversation/', { text: 'Answered.', ticket: closed })
  await sam.patch(`/ticket/${closed}/`, { is_locked: true })

  const user = await openAs('ada', '/dashboard')
  const next = within(await screen.findByRole('region', { name: 'What to do next' }))
  expect((await next.findAllByRole('link')).map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Read what was answered, mend it and send again1', '/collection?status=answered'],
    ['Add files and send for review1', '/collection?status=opened'],
  ])
  const recent = within(screen.getByRole('region', { name: 'Recent collections' }))
  await recent.findByRole('link', { name: 'Degree' })
  const titles = recent.getAllByRole('listitem').map((item) => within(item).getByRole('link').textContent)
  expect(titles).toEqual(['Diploma', 'Degree'])
  const tickets = within(screen.getByRole('region', { name: 'Open tickets' }))
  expect((await tickets.findAllByRole('listitem')).map((item) => within(item).getByRole('link').textContent)).toEqual([
    'Lost seal',
  ])
  expect(tickets.getByText('Unread')).toBeDefined()
  await user.click(tickets.getByRole('link', { name: 'Lost seal' }))
  await screen.findByRole('heading', { name: 'Conversation of: Lost seal' })
})

test('a newcomer is led to their first collection; an admin and the unverified have no collections there', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await server.createUser({ username: 'amy', is_admin: true })
  await server.createUser({ username: 'una', verified: false })
  await openAs('ada', '/dashboard')
  expect((await screen.findByRole('link', { name: 'Create your first collection' })).getAttribute('href')).toBe(
    '/collection',
  )
  for (const username of ['amy', 'una']) {
    cleanup()
    endSession()
    await openAs(username, '/dashboard')
    await screen.findByRole('region', { name: 'Open tickets' })
    expect(screen.queryByRole('region', { name: 'Recent collections' })).toBeNull()
    expect(screen.queryByRole('region', { name: 'What to do next' })).toBeNull()
  }
})

test('2.177 a reviewer finds on the dashboard what they have decided, with the way back to it', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const person = await openAs('sam', '/dashboard')
  await screen.findByText('Nothing waits for your decision')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Your decisions' })).toBeNull())
  const ids: number[] = []
  for (let at = 1; at <= 11; at += 1) {
    const { id } = await makeCollection(ada, `Papers ${at}`, 0)
    await ada.post(`/collections/${id}/save/`)
    await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 is not signed.' })
    ids.unshift(id)
  }
  const list = within(await screen.findByRole('region', { name: 'Your decisions' }))
  const readLinks = () => list.getAllByRole('link').map((link) => link.getAttribute('href'))
  await list.findByText('Papers 11')
  expect(readLinks()).toEqual(ids.slice(0, 5).map((id) => `/content/${id}`))
  expect(list.getAllByText('Rejected')).toHaveLength(5)
  await person.click(list.getByRole('button', { name: 'All your decisions' }))
  expect(readLinks()).toHaveLength(10)
  await person.click(list.getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(readLinks()).toEqual([`/content/${ids[10]}`]))
  await person.click(list.getByText('Papers 1'))
  await waitFor(() => expect(readPath()).toBe(`/content/${ids[10]}`))

  goBack()
  const again = within(await screen.findByRole('region', { name: 'Your decisions' }))
  await again.findByText('Papers 1')
  again.getByText('Page 2 of 2')
  goBack()
  await again.findByText('Papers 11')
  goBack()
  await again.findByRole('button', { name: 'All your decisions' })
})

test('a page of one’s decisions that does not load can be asked for again, and the others stay at hand', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  for (let at = 1; at <= 11; at += 1) {
    const { id } = await makeCollection(ada, `Papers ${at}`, 0)
    await ada.post(`/collections/${id}/save/`)
    await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 is not signed.' })
  }
  const gateway = await useGateway()
  const person = await openAs('sam', '/dashboard')
  const list = within(await screen.findByRole('region', { name: 'Your decisions' }))
  await person.click(await list.findByRole('button', { name: 'All your decisions' }))
  gateway.trouble('GET /admin/decisions/', 'refused')
  await person.click(list.getByRole('button', { name: 'Next' }))
  await list.findByText('Failed to load your decisions')
  gateway.mend('GET /admin/decisions/')
  await person.click(list.getByRole('button', { name: 'Try again' }))
  await list.findByText('Papers 1')
  expect(list.queryByText('Failed to load your decisions')).toBeNull()
})

test('an address of one’s decisions past their end leads to the newest', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { id } = await makeCollection(ada, 'Papers', 0)
  await ada.post(`/collections/${id}/save/`)
  await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 is not signed.' })
  await openAs('sam', '/dashboard?decisions=9')
  const list = within(await screen.findByRole('region', { name: 'Your decisions' }))
  await list.findByText('Papers')
  expect(readPath()).toBe('/dashboard?decisions=1')
})

test('going back to the dashboard goes on at the ticket that led away, else at the heading', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  for (const title of ['Lost seal', 'Stamp', 'Stamp']) await ada.post('/ticket/', { title })
  const person = await openAs('ada', '/dashboard')
  const findLink = async (title: string, place = 0) => (await screen.findAllByRole('link', { name: title }))[place]
  for (const [title, place] of [
    ['Lost seal', 0],
    ['Stamp', 1],
  ] as const) {
    await person.click((await findLink(title, place))!)
    await screen.findByRole('heading', { name: `Conversation of: ${title}` })
    goBack()
    await screen.findByRole('heading', { level: 1, name: /^Welcome/ })
    const link = await findLink(title, place)
    await waitFor(() => expect(document.activeElement).toBe(link))
  }
  await person.click(screen.getAllByRole('link', { name: 'Tickets' })[0]!)
  await screen.findByRole('heading', { level: 1, name: 'Ticket Management' })
  goBack()
  const heading = await screen.findByRole('heading', { level: 1, name: /^Welcome/ })
  await waitFor(() => expect(document.activeElement).toBe(heading))
})
