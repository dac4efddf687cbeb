import { cleanup, screen, waitFor, waitForElementToBeRemoved, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { useGateway } from '../../testing/gateway.ts'
import { holdTimers } from '../../testing/hold-timers.ts'
import { makeApprovedCollection, makeCollection, makeSentCollection } from '../../testing/made-collections.ts'
import { openApp, openAs, readPath } from '../../testing/open-app.tsx'
import { leaveServer, useRealServer } from '../../testing/real-server.ts'

const ORDINARY = ['Title', 'Status', 'Locked', 'Proof ID', 'Admin Desc', 'Remaining Time', 'Actions']

test('2.86 a user with an unverified e-mail sees only that, and no table or create panel', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'una', verified: false })
  await openAs('una', '/collection')
  await screen.findByText('Please verify your Email and login Again')
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Create collection' })).toBeNull()
  expect(screen.queryByRole('button', { name: /All Collection/ })).toBeNull()
})

test.each([
  { role: '2.79 2.82 an ordinary user', flags: {}, columns: ORDINARY, tiles: true, creates: true },
  {
    role: '2.73 2.83 6.16 6.22 6.23 staff',
    flags: { is_staff: true },
    columns: ['Title', 'Username', ...ORDINARY.slice(1)],
    tiles: false,
    creates: false,
  },
  {
    role: '2.79 2.84 6.16 a superuser',
    flags: { is_superuser: true },
    columns: ['Title', 'Username', 'Staff', ...ORDINARY.slice(1)],
    tiles: true,
    creates: false,
  },
  { role: '2.73 2.85 6.29 an admin', flags: { is_admin: true }, columns: ORDINARY, tiles: false, creates: false },
])('$role sees the columns, tiles and create panel of that role', async ({ flags, columns, tiles, creates }) => {
  const server = await useRealServer()
  await makeCollection(await server.signIn('ada'), 'Of ada', 0)
  await server.createUser({ username: 'viewer', ...flags })
  await openAs('viewer', '/collection?status=all')
  await screen.findByText(columns.includes('Username') ? 'Of ada' : 'No collections found')
  const heads = [...document.querySelectorAll('th')].map((head) => head.textContent)
  expect(heads).toEqual(columns)
  expect(screen.queryAllByRole('button', { name: /All Collection/ })).toHaveLength(tiles ? 1 : 0)
  expect(screen.queryAllByRole('button', { name: 'Create collection' })).toHaveLength(creates ? 1 : 0)
})

test('2.72 4.30 each filter tile says how many rows its status has, and shows exactly those', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  await makeCollection(ada, 'Is open', 0)
  await makeSentCollection(ada, 'Is sent')
  await makeApprovedCollection(ada, sam, 'Is approved')
  const answered = await makeSentCollection(ada, 'Is answered')
  await sam.post(`/admin/${answered.id}/reject/`, { admin_desc: 'Unsigned' })
  await makeApprovedCollection(ada, sam, 'Is expired', new Date(server.clock.now() + 60_000).toISOString())
  server.clock.advance(61_000)
  const person = await openAs('ada', '/collection')
  await screen.findByText('5 found')
  for (const [tile, title, address] of [
    ['Opened', 'Is open', 'opened'],
    ['In Progress', 'Is sent', 'in_progress'],
    ['Answered', 'Is answered', 'answered'],
    ['APPROVED', 'Is approved', 'approved'],
    ['EXPIRED', 'Is expired', 'expired'],
  ] as const) {
    await person.click(screen.getByRole('button', { name: `${tile} 1` }))
    await screen.findByText('1 found')
    await waitFor(() => expect(listTitles()).toEqual([title]))
    expect(readPath()).toBe(`/collection?status=${address}`)
  }
  await person.click(screen.getByRole('button', { name: 'All Collection 5' }))
  await waitFor(() => expect(listTitles()).toHaveLength(5))
})

test('5.13 8.60 a blank title is refused, a good one makes one collection however often it is sent', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/collection')
  await person.click(await screen.findByRole('button', { name: 'Create collection' }))
  await screen.findByText('Collection title is required.')
  const field = screen.getByLabelText<HTMLInputElement>('Collection title')
  await waitFor(() => expect(document.activeElement).toBe(field))
  await person.type(field, 'Degree')
  field.form?.requestSubmit()
  field.form?.requestSubmit()
  const success = await screen.findByText('Collection created successfully!')
  await screen.findByText('1 found')
  expect(field.value).toBe('')
  await waitForElementToBeRemoved(success, { timeout: 4000 })
  expect(listTitles()).toEqual(['Degree'])
})

test('a title is not written on while its collection is being made, which would wipe it', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const gateway = await useGateway()
  gateway.trouble('POST /collections/', 'late')
  const person = await openAs('ada', '/collection')
  const field = await screen.findByLabelText<HTMLInputElement>('Collection title')
  await person.type(field, 'Degree{Enter}')
  await person.type(field, ' of another')
  expect(field.value).toBe('Degree')
  gateway.release()
  await waitFor(() => expect(field.value).toBe(''))
  await waitFor(() => expect(field.readOnly).toBe(false))
})

test('8.40 a failure to create is told in a dialog and nothing typed is lost', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/collection')
  await person.type(await screen.findByLabelText('Collection title'), 'Degree')
  leaveServer()
  await person.click(screen.getByRole('button', { name: 'Create collection' }))
  const dialog = await screen.findByRole('alertdialog')
  expect(dialog.textContent).toContain('Failed to create collection: The server does not answer.')
  await person.click(within(dialog).getByRole('button', { name: 'OK' }))
  expect(screen.getByLabelText<HTMLInputElement>('Collection title').value).toBe('Degree')
})

test('2.80 5.14 8.61 8.62 8.74 editing a title and deleting ask as specified, and a refused deletion deletes nothing', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await makeCollection(ada, 'First', 0)
  const person = await openAs('ada', '/collection')
  await person.click(await screen.findByRole('button', { name: 'Options of First' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const field = await screen.findByRole('textbox', { name: 'Collection title' })
  await person.clear(field)
  await person.click(screen.getByRole('button', { name: 'Save title' }))
  await screen.findByText('Collection title is required.')
  await waitFor(() => expect(document.activeElement).toBe(field))
  await person.type(field, 'Second')
  await person.click(screen.getByRole('button', { name: 'Save title' }))
  await screen.findByText('Collection updated successfully!')

  const chooseDelete = async () => {
    await person.click(await screen.findByRole('button', { name: 'Options of Second' }))
    await person.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    return screen.findByRole('alertdialog', { name: 'Are you sure?' })
  }
  await person.click(within(await chooseDelete()).getByRole('button', { name: 'Cancel' }))
  expect((await ada.get('/collections/')).json().count).toBe(1)
  await person.click(within(await chooseDelete()).getByRole('button', { name: 'Delete' }))
  await screen.findByText('Collection deleted successfully!')
  await screen.findByText('No collections found')
  expect((await ada.get('/collections/')).json().count).toBe(0)
})

test('of two collections that are deleted at the same time, the one whose deletion fails is told', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  for (const title of ['First', 'Second']) await makeCollection(ada, title, 0)
  const gateway = await useGateway()
  gateway.trouble('DELETE /collections/1/', 'late')
  const person = await openAs('ada', '/collection')
  const deleteCollection = async (title: string) => {
    await person.click(await screen.findByRole('button', { name: `Options of ${title}` }))
    await person.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
    await person.click(within(dialog).getByRole('button', { name: 'Delete' }))
  }
  await deleteCollection('First')
  await deleteCollection('Second')
  await screen.findByText('Collection deleted successfully!')
  expect(screen.queryByText('Collection not found.')).toBeNull()
  await ada.delete('/collections/1/')
  gateway.release()
  await screen.findByText('Collection not found.')
})

test('whoever deletes by keyboard goes on at the row that follows, and at the table once it is empty', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  for (const title of ['First', 'Second', 'Third']) await makeCollection(ada, title, 0)
  const person = await openAs('ada', '/collection')
  const remove = async (title: string) => {
    ;(await screen.findByRole('button', { name: `Options of ${title}` })).focus()
    await person.keyboard('{Enter}')
    await person.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
    await person.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: `Options of ${title}` })).toBeNull())
  }
  // The newest stands first.
  await remove('Second')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('First'))
  await remove('First')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Third'))
  await remove('Third')
  await screen.findByText('No collections found')
  await waitFor(() => expect(document.activeElement?.textContent).toContain('No collections found'))
  expect(document.activeElement).not.toBe(document.body)
})

test('a new title that is on its way keeps its dialog, in which a refusal is told; opened again it tells nothing', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'First', 0)
  await makeCollection(ada, 'Other', 0)
  const gateway = await useGateway()
  gateway.trouble(`PATCH /collections/${id}/`, 'late')
  const person = await openAs('ada', '/collection')
  const edit = async (title: string) => {
    await person.click(await screen.findByRole('button', { name: `Options of ${title}` }))
    await person.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    return within(await screen.findByRole('dialog'))
  }
  const dialog = await edit('First')
  await person.click(dialog.getByRole('button', { name: 'Save title' }))
  await person.keyboard('{Escape}')
  expect(screen.getByRole('dialog')).toBeDefined()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true)

  await ada.delete(`/collections/${id}/`)
  gateway.release()
  await dialog.findByRole('alert')
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((await edit('Other')).queryByRole('alert')).toBeNull()
})

test('6.14 a reviewer is offered neither edit, delete nor sending', async () => {
  const server = await useRealServer()
  await makeCollection(await server.signIn('ada'), 'Of ada')
  await server.createUser({ username: 'sue', is_superuser: true })
  const person = await openAs('sue', '/collection')
  await person.click(await screen.findByRole('button', { name: 'Options of Of ada' }))
  const entries = (await screen.findAllByRole('menuitem')).map((entry) => entry.textContent)
  expect(entries).toEqual(['Open'])
})

test('4.32 4.33 8.65 9.16 an empty collection cannot be sent; sending asks, says Sent! for 3 seconds and goes to the dashboard', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Full')
  await makeCollection(ada, 'Empty', 0)
  const person = await openAs('ada', '/collection')
  await person.click(await screen.findByRole('button', { name: 'Options of Empty' }))
  const entry = await screen.findByRole('menuitem', { name: 'Send for review (no files yet)' })
  expect(entry.getAttribute('aria-disabled')).toBe('true')
  await person.keyboard('{Escape}')

  await person.click(screen.getByRole('button', { name: 'Options of Full' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Send for review' }))
  const question = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
  expect((await ada.get(`/collections/${id}`)).json().is_locked).toBe(false)
  // Nothing closes it but the timer of exactly 3 seconds, which is held here.
  const timers = holdTimers(3000)
  await person.click(within(question).getByRole('button', { name: 'Send for review' }))
  await screen.findByRole('alertdialog', { name: 'Sent!' })
  await waitFor(() => expect(timers.held).toHaveLength(1))
  expect(readPath()).toBe('/collection')
  timers.release()
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  expect(screen.queryByRole('alertdialog', { name: 'Sent!' })).toBeNull()
  expect((await ada.get(`/collections/${id}`)).json().is_locked).toBe(true)
})

test('staff see what waits unless they choose another status, and the address keeps it', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await makeCollection(ada, 'Not sent', 0)
  await makeSentCollection(ada, 'Waits')
  await server.createUser({ username: 'sam', is_staff: true })
  const person = await openAs('sam', '/collection')
  await screen.findByText('Waits')
  expect(listTitles()).toEqual(['Waits'])
  const filter = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Show by status' })
  expect(filter.value).toBe('in_progress')
  await waitFor(() =>
    expect([...filter.options].map(({ textContent }) => textContent)).toEqual([
      'Opened (1)',
      'In Progress (1)',
      'Answered (0)',
      'APPROVED (0)',
      'EXPIRED (0)',
      'All Collection (2)',
    ]),
  )
  await person.selectOptions(filter, 'opened')
  await waitFor(() => expect(listTitles()).toEqual(['Not sent']))
  expect(readPath()).toBe('/collection?status=opened')
  await person.selectOptions(filter, 'all')
  await waitFor(() => expect(listTitles()).toHaveLength(2))
  expect(readPath()).toBe('/collection?status=all')
  await person.selectOptions(filter, 'in_progress')
  await waitFor(() => expect(listTitles()).toEqual(['Waits']))
  expect(readPath()).toBe('/collection')
})

test('whoever shows all again from an empty list goes on at the rows', async () => {
  const server = await useRealServer()
  await makeCollection(await server.signIn('ada'), 'Degree', 0)
  const person = await openAs('ada', '/collection?search=nothing')
  await person.click(await screen.findByRole('button', { name: 'Show all collections' }))
  await screen.findByText('Degree')
  await waitFor(() => expect(document.activeElement).not.toBe(document.body))
  expect(document.activeElement?.querySelector('table')).not.toBeNull()
})

test('a long title is cut after two lines, with the whole of it in the tooltip', async () => {
  const server = await useRealServer()
  const title = 'Vendor onboarding pack '.repeat(8).trim()
  await makeCollection(await server.signIn('ada'), title, 0)
  await openAs('ada', '/collection')
  const shown = await screen.findByTitle(title)
  expect(shown.textContent).toBe(title)
  expect(shown.className).toContain('line-clamp-2')
  // The direction of the title is its own; where it begins is the cell's.
  expect(shown.tagName).toBe('SPAN')
  expect(shown.firstElementChild?.tagName).toBe('BDI')
})

test('2.78 where there is one page the pager leads nowhere, and the room is that of the rows', async () => {
  const server = await useRealServer()
  await makeCollection(await server.signIn('ada'), 'Degree', 0)
  await openAs('ada', '/collection')
  await screen.findByText('Degree')
  const pager = screen.getByRole('navigation', { name: 'Pages' })
  const buttons = within(pager).getAllByRole('button')
  expect(buttons.map((button) => [button.textContent, button.getAttribute('aria-disabled')])).toEqual([
    ['Previous', 'true'],
    ['Next', 'true'],
  ])
  expect(pager.textContent).toBe('PreviousPage 1 of 1Next')
  expect(screen.getByRole('table').parentElement?.className).not.toContain('min-h')
  cleanup()
  const gateway = await useGateway()
  gateway.trouble('GET /collections/', 'late')
  queryClient.clear()
  openApp('/collection')
  await screen.findByRole('table', { name: 'Collections' })
  expect(screen.getByRole('table').querySelectorAll('tbody tr')).toHaveLength(1)
  gateway.release()
  await screen.findByText('Degree')
})

test('2.77 2.78 search, ordering and page live in the address, and a page past the end leads back to the first', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  for (let n = 1; n <= 11; n += 1) await makeCollection(ada, `Paper ${String(n).padStart(2, '0')}`, 0)
  const person = await openAs('ada', '/collection?ordering=title&page=7')
  await screen.findByText('Page 1 of 2')
  expect(readPath()).toBe('/collection?ordering=title')
  expect(listTitles()[0]).toBe('Paper 01')
  await person.click(screen.getByRole('button', { name: 'Next' }))
  await screen.findByText('Page 2 of 2')
  await waitFor(() => expect(listTitles()).toEqual(['Paper 11']))
  await person.type(screen.getByRole('textbox', { name: 'Search by title or Proof ID' }), 'paper 03')
  await screen.findByText('1 found')
  expect(readPath()).toBe('/collection?search=paper+03&ordering=title')
  await person.click(screen.getByRole('button', { name: 'Clear search' }))
  await screen.findByText('11 found')
})

test('staff who have worked off what waited are told that nothing waits, and of a search that it found nothing', async () => {
  const server = await useRealServer()
  await makeCollection(await server.signIn('ada'), 'Of ada', 0)
  await server.createUser({ username: 'sam', is_staff: true })
  const person = await openAs('sam', '/collection')
  await screen.findByText('No collections found')
  expect(screen.getByText('Nothing waits for your decision')).toBeDefined()
  expect(screen.getByText('New collections appear here as soon as they are sent.')).toBeDefined()
  expect(screen.queryByText('Clear the search or pick another status.')).toBeNull()
  await person.type(screen.getByLabelText('Search by title, username or Proof ID'), 'nowhere')
  await screen.findByText('Clear the search or pick another status.')
  expect(screen.queryByText('Nothing waits for your decision')).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Show all collections' }))
  await screen.findByText('Of ada')
})

test('the order by date, which no column has, is offered in every width', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  for (const title of ['First', 'Second']) await makeSentCollection(ada, title)
  await server.createUser({ username: 'sam', is_staff: true })
  const person = await openAs('sam', '/collection')
  await screen.findByText('First')
  expect(listTitles()).toEqual(['Second', 'First'])
  const order = screen.getByLabelText('Order')
  expect(order.className).not.toContain('hidden')
  await person.selectOptions(order, 'Oldest first')
  await waitFor(() => expect(listTitles()).toEqual(['First', 'Second']))
})

function listTitles(): (string | null)[] {
  return [...document.querySelectorAll('tbody td:first-child')].map((cell) => cell.textContent)
}
