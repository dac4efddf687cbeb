import type { ServerContent } from '@proofdesk/contract/certificates'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { useGateway } from '../../testing/gateway.ts'
import { makeApprovedCollection } from '../../testing/made-collections.ts'
import { goBack, openAs, readPath } from '../../testing/open-app.tsx'
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

test('a page of server content past the end leads to the first, and Back leads to where one came from', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  await makeApprovedCollection(ada, sam, 'Degree')
  await openAs('ada', '/server-content?page=3', ['/profile'])
  await screen.findByText('Degree')
  await screen.findByText('Page 1 of 1')
  expect(readPath()).toBe('/server-content')
  expect(screen.queryByRole('alert')).toBeNull()
  goBack()
  await screen.findByRole('heading', { name: 'Change Password' })
  expect(readPath()).toBe('/profile')
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

test('13.19 13.20 a reviewer revokes a proof from the list, undoes that and changes its expiry', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const person = await openAs('sam', '/server-content')
  const row = () => screen.getByText('Degree').closest('tr')
  const choose = async (name: string) => {
    await person.click(await screen.findByRole('button', { name: 'Options for the proof of Degree' }))
    await person.click(await screen.findByRole('menuitem', { name }))
    return screen.findByRole('dialog')
  }
  await screen.findByText('Degree')

  await choose('Revoke…')
  await person.click(screen.getByRole('button', { name: 'Revoke' }))
  await screen.findByText('Choose one of the reasons.')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Reason/)))
  await person.selectOptions(screen.getByLabelText(/^Reason/), 'Another reason')
  await person.click(screen.getByRole('button', { name: 'Revoke' }))
  await screen.findByText('Say in the note what the reason is.')
  await person.type(screen.getByLabelText(/^Note for staff/), 'The school called.')
  await person.selectOptions(screen.getByLabelText(/^Reason/), 'What it states is not true')
  await person.click(screen.getByRole('button', { name: 'Revoke' }))
  await screen.findByText('The proof is revoked.')
  await waitFor(() => expect(row()?.textContent).toMatch(/Revoked on .*What it states is not true/))

  // A second change by somebody else, while the dialog stands open: it is told, and nothing is done.
  await choose('Undo revocation…')
  await screen.findByText('The school called.')
  await sam.post('/admin/proofs/reinstate/', { proofid })
  await sam.post('/admin/proofs/revoke/', { proofid, reason: 'superseded' })
  await person.click(screen.getByRole('button', { name: 'Undo revocation' }))
  await screen.findByText('This proof was changed since you looked at it. Please look at it again.')
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(row()?.textContent).toContain('Replaced by another proof'))

  await choose('Undo revocation…')
  await person.click(screen.getByRole('button', { name: 'Undo revocation' }))
  await screen.findByText('The revocation is undone.')
  await waitFor(() => expect(row()?.textContent).not.toContain('Revoked'))

  await choose('Change expiry…')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'No expiry' }).checked).toBe(true)
  await person.click(screen.getByRole('radio', { name: '2 years' }))
  await person.click(screen.getByRole('button', { name: 'Change expiry' }))
  await screen.findByText('The expiry is changed.')
  await waitFor(() => expect(row()?.textContent).toContain('Valid until'))
})

test('13.11 13.19 13.20 an owner reads that a proof was revoked, and is offered no change', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { id, proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  await sam.post('/admin/proofs/revoke/', { proofid, reason: 'holder_request', text: 'Between us' })
  // Once the menu's code is here, who may open one sees it in the same moment as the row.
  await openAs('sam', '/server-content')
  await screen.findByRole('button', { name: 'Options for the proof of Degree' })
  cleanup()
  const person = await openAs('ada', '/server-content')
  const row = (await screen.findByText('Degree')).closest('tr')
  expect(row?.textContent).toMatch(/Revoked.*Revoked on .*At its holder’s request/)
  expect(screen.queryByRole('button', { name: /^Options/ })).toBeNull()
  await person.click(screen.getByRole('link', { name: 'Degree' }))
  await screen.findByRole('heading', { name: 'Revoked' })
  await screen.findByText('Verifying it now says that it was revoked, when, and why.')
  await screen.findByText(/^Proof revoked by/)
  expect(readPath()).toBe(`/content/${id}`)
  expect(document.body.textContent).not.toContain('Between us')
  expect(screen.queryByRole('button', { name: /^Options for the proof/ })).toBeNull()
})

test('a change to a proof that is on its way keeps its dialog, in which a refusal is told', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const gateway = await useGateway()
  gateway.trouble('POST /admin/proofs/revoke/', 'late')
  const person = await openAs('sam', '/server-content')
  await person.click(await screen.findByRole('button', { name: 'Options for the proof of Degree' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Revoke…' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.selectOptions(dialog.getByLabelText(/^Reason/), 'What it states is not true')
  await person.click(dialog.getByRole('button', { name: 'Revoke' }))
  await person.keyboard('{Escape}')
  expect(screen.getByRole('dialog')).toBeDefined()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true)

  await sam.post('/admin/proofs/revoke/', { proofid, reason: 'superseded' })
  gateway.release()
  await dialog.findByRole('alert')
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a revocation that is being written stays when its row leaves the list', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sam', is_staff: true })
  const gateway = await useGateway()
  const answerWith = (results: ServerContent[]) => {
    const page = { count: 1, count_capped: false, next: null, previous: null, results }
    gateway.trouble('GET /content-servers/', 'garbled', JSON.stringify(page))
  }
  answerWith([DEGREE])
  const person = await openAs('sam', '/server-content')
  await person.click(await screen.findByRole('button', { name: 'Options for the proof of Degree' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Revoke…' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.type(dialog.getByLabelText(/^Note for staff/), 'The school')
  // As when others have approved a page full of newer ones.
  answerWith([{ ...DEGREE, collection_proofid: '2222', collection_title: 'Lease' }])
  void queryClient.invalidateQueries()
  await screen.findByText('Lease')
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Note for staff/).value).toBe('The school')
})

const DEGREE: ServerContent = {
  collection_proofid: '1111',
  collection_title: 'Degree',
  pdf_file: '/content-servers/serve/?collection_proofid=1111',
  user: 'ada',
  staff_username: 'sue',
  created_at: '2026-01-05T10:00:00.000Z',
  is_active: true,
  collection: null,
  expire_time: null,
  revoked_at: null,
  revocation_reason: null,
  change_count: 0,
  may: { revoke: true, reinstate: false, change_expiry: true },
}

function listHeads(): (string | null)[] {
  return [...document.querySelectorAll('th')].map((head) => head.textContent)
}
