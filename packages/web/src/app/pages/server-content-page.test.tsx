import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeApprovedCollection } from '../../testing/made-collections.ts'
import { openAs, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

test('2.105 an owner sees their certified PDFs, and what has expired says so', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const expiry = new Date(server.clock.now() + 60_000).toISOString()
  const { proofid } = await makeApprovedCollection(ada, sam, 'Short-lived', expiry)
  await makeApprovedCollection(ada, sam, 'Lasting')
  server.clock.advance(61_000)
  await openAs('ada', '/server-content')
  const row = (await screen.findByText('Short-lived')).closest('tr')
  expect(row?.textContent).toContain('Inactive')
  expect(row?.textContent).toContain(proofid)
  expect(screen.getByText('Lasting').closest('tr')?.textContent).not.toContain('Inactive')
  expect(listHeads()).toEqual(['PDF File', 'Collection Title', 'Staff', 'Created At'])
  expect(screen.getByRole('button', { name: 'View PDF of Lasting' })).toBeDefined()
})

test('server content is searched, says until when it holds, and leads to its collection', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const expiry = new Date(server.clock.now() + 60_000).toISOString()
  const { id } = await makeApprovedCollection(ada, sam, 'Short-lived', expiry)
  await makeApprovedCollection(ada, sam, 'Lasting')
  const person = await openAs('ada', '/server-content')
  const row = () => screen.getByText('Short-lived').closest('tr')
  await screen.findByText('Short-lived')
  expect(row()?.textContent).toContain('Valid until')
  expect(row()?.querySelector(`time[datetime="${expiry}"]`)).not.toBeNull()
  expect(screen.getByText('Lasting').closest('tr')?.textContent).toContain('No expiry')
  expect(screen.getByRole('link', { name: 'Short-lived' }).getAttribute('href')).toBe(`/content/${id}`)

  await person.type(screen.getByLabelText('Search by title or Proof ID'), 'SHORT')
  await waitFor(() => expect(screen.queryByText('Lasting')).toBeNull())
  expect(readPath()).toBe('/server-content?search=SHORT')
  await screen.findByText('1 found')
  await person.type(screen.getByLabelText('Search by title or Proof ID'), ' of nothing')
  await screen.findByText('Nothing matches the search.')
  await person.click(screen.getByRole('button', { name: 'Show all server content' }))
  await screen.findByText('Lasting')
  expect(readPath()).toBe('/server-content')
})

test.each([
  {
    role: '2.106 2.108 staff',
    flags: { is_staff: true },
    heads: ['PDF File', 'Collection Title', 'User Name', 'Created At'],
  },
  {
    role: '2.106 a superuser',
    flags: { is_superuser: true },
    heads: ['PDF File', 'Collection Title', 'User Name', 'Staff', 'Created At'],
  },
])('$role sees the server content columns of that role', async ({ flags, heads }) => {
  const server = await useRealServer()
  await server.createUser({ username: 'viewer', ...flags })
  await openAs('viewer', '/server-content')
  await screen.findByText('No server content available')
  expect(listHeads()).toEqual(heads)
})

function listHeads(): (string | null)[] {
  return [...document.querySelectorAll('th')].map((head) => head.textContent)
}
