import { TEST_PASSWORD, type TestServer } from '@proofdesk/server/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { restoreSession } from '../../lib/restore-session.ts'
import { fillVerifyForm } from '../../testing/fill-verify-form.ts'
import { useGateway, type Gateway } from '../../testing/gateway.ts'
import { makeApprovedCollection } from '../../testing/made-collections.ts'
import { openApp } from '../../testing/open-app.tsx'
import { leaveServer, useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'

test('2.133 a certificate’s link fills both fields in, and whoever holds them gets the document', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const gateway = await useGateway()
  const typed = proofid.toLowerCase().replaceAll('-', ' ')
  const person = openApp(`/service-content#${new URLSearchParams({ proofid: typed, username: 'ada' })}`)
  expect((await screen.findByLabelText<HTMLInputElement>('Proof ID')).value).toBe(typed)
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ada')
  // What is left to do is said, and one key away.
  const button = screen.getByRole('button', { name: 'Verify Document' })
  await waitFor(() => expect(document.activeElement).toBe(button))
  expect(screen.getByText(/^The link has filled in both fields\. Press Verify Document/)).toBeDefined()
  // Of itself it asks for nothing, also once the code that asks is here.
  await Promise.all([import('../../features/certificates/retrieve.ts'), screen.findByLabelText(/^Certified PDF/)])
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(gateway.calls).not.toContain('GET /service-content-servers/get-pdfs/')
  await person.click(screen.getByRole('button', { name: 'Verify Document' }))
  await screen.findByText('Document Verified Successfully!')
  expect(gateway.calls).toContain('GET /service-content-servers/get-pdfs/')
  expect(screen.getByText(proofid)).toBeDefined()
  expect(screen.queryByText(/^The link has filled/)).toBeNull()
  expect(screen.getByRole('button', { name: 'View PDF' })).toBeDefined()
  expect(screen.getByRole('button', { name: 'Download' })).toBeDefined()
})

test('5.29 8.45 8.46 8.47 no match, blanks, an ended proof and no answer are each told in the words of the specification', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const expiry = new Date(server.clock.now() + 60_000).toISOString()
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree', expiry)
  const person = openApp('/service-content')

  await fillVerifyForm(person, proofid, 'eve')
  await screen.findByText('No Content Found')
  expect(screen.getByRole('alert').textContent).toContain('Check your ProodID and Username Again')

  await fillVerifyForm(person, proofid, '   ')
  await screen.findByText('imperfect Info')
  expect(screen.getByRole('alert').textContent).toContain('Fill ProodID and Username')

  server.clock.advance(61_000)
  await fillVerifyForm(person, proofid, 'ada')
  await screen.findByText('This proof has expired.')
  expect(screen.queryByText('Document Verified Successfully!')).toBeNull()

  leaveServer()
  await fillVerifyForm(person, proofid, 'ada')
  expect((await screen.findByText(/download manager/)).textContent).toContain('disable it')
  expect(screen.getByLabelText<HTMLInputElement>('Proof ID').value).toBe(proofid)
})

test('whoever has asked too often is told how long to wait', async () => {
  await useRealServer()
  const gateway = await useGateway()
  gateway.trouble('GET /service-content-servers/get-pdfs/', 'limited')
  const person = openApp('/service-content')
  await fillVerifyForm(person, 'AAAA', 'ada')
  await screen.findByRole('heading', { name: 'Too many attempts. Please wait and try again.' })
  expect(screen.getByRole('alert').textContent).toContain('Try again in 2 minutes.')
})

test('13.15 a revoked proof is told with its date and reason, an expired one with its date, and neither is given out', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const expiry = new Date(server.clock.now() + 60_000).toISOString()
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree', expiry)
  const person = openApp('/service-content')
  server.clock.advance(61_000)
  await fillVerifyForm(person, proofid, 'ada')
  await screen.findByRole('heading', { name: 'Expired' })
  expect(screen.getByRole('alert').querySelector('time')?.dateTime).toBe(expiry)

  const answer = await sam.post('/admin/proofs/revoke/', { proofid, reason: 'content_false' })
  await fillVerifyForm(person, proofid, 'ada')
  await screen.findByRole('heading', { name: 'Revoked' })
  expect(screen.getByRole('alert').querySelector('time')?.dateTime).toBe(answer.json().revoked_at)
  expect(screen.getByRole('alert').textContent).toContain('What it states is not true')
  expect(screen.queryByRole('button', { name: 'View PDF' })).toBeNull()
})

test('a verified document says title, validity, issuer, reviewer and its files with their hashes', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { id, proofid } = await makeApprovedCollection(ada, sam, 'Degree of 2026')
  const person = openApp('/service-content')
  await fillVerifyForm(person, proofid, 'ada')
  await screen.findByText('Document Verified Successfully!')
  const said = [...document.querySelectorAll('dt')].map((term) => [
    term.textContent,
    term.nextElementSibling?.textContent,
  ])
  const { organisation } = server.deps.config
  expect(said.filter(([name]) => name !== 'Issued' && name !== 'Certified PDF')).toEqual([
    ['Title', 'Degree of 2026'],
    ['Valid until', 'No expiry'],
    ['Issuer', organisation],
    ['Reviewed by', `sam, ${organisation}`],
    ['Proof ID', proofid],
    ['Username', 'ada'],
  ])
  expect(said.find(([name]) => name === 'Issued')?.[1]).toMatch(/\d/)
  const files = await server.deps.db.selectFrom('contents').select('sha256').where('collection_id', '=', id).execute()
  for (const { sha256 } of files) expect(screen.getByText(sha256)).toBeDefined()
  const link = `${location.origin}/service-content#${new URLSearchParams({ proofid, username: 'ada' })}`
  expect(screen.getByText(link)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Copy the verification link' })).toBeDefined()
  await screen.findByRole('img', { name: 'QR code of the verification link' })
})

test('where only the PDF can be had, the verdict stands without the rest', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const gateway = await useGateway()
  gateway.trouble('POST /service-content-servers/details/', 'refused')
  const person = openApp('/service-content')
  await fillVerifyForm(person, proofid, 'ada')
  await screen.findByText('Document Verified Successfully!')
  expect(screen.getByRole('button', { name: 'View PDF' })).toBeDefined()
  expect(screen.queryByText('Issuer')).toBeNull()
  log.mockRestore()
})

/** A proof of Ada, and the page with its fields filled in while it is not known yet that she is signed in; `release` ends that. */
async function openWhileChecking(server: TestServer, gateway: Gateway) {
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const login = await server.stranger.post('/auth/login/', { username: 'ada', password: TEST_PASSWORD })
  gateway.trouble('POST /token/refresh/', 'late')
  localStorage.setItem('refresh', (login.json() as { refresh: string }).refresh)
  void restoreSession()
  const person = openApp('/service-content')
  await person.type(await screen.findByLabelText('Proof ID'), proofid)
  await person.type(screen.getByLabelText('Username'), 'ada')
  return { person, proofid }
}

const readFields = () => ['Proof ID', 'Username'].map((label) => screen.getByLabelText<HTMLInputElement>(label).value)

const verifyButton = () => screen.getByRole('button', { name: 'Verify Document' })

test('what was typed, and what was found out, stays when the frame of a signed-in person comes around it', async () => {
  const server = await useRealServer()
  const gateway = await useGateway()
  const { person, proofid } = await openWhileChecking(server, gateway)
  gateway.release()
  await screen.findByRole('button', { name: 'Logout' })
  await screen.findByLabelText('Proof ID')
  expect(readFields()).toEqual([proofid, 'ada'])
  await person.click(verifyButton())
  await screen.findByText('Document Verified Successfully!')

  // Somebody else, and whoever comes back to the page, begins anew.
  await act(() => signIn('sam'))
  await waitFor(() => expect(readFields()).toEqual(['', '']), { timeout: 4000 })
  expect(screen.queryByText('Document Verified Successfully!')).toBeNull()
  await person.type(screen.getByLabelText('Proof ID'), 'abc')
  await person.click(screen.getAllByRole('link', { name: 'Dashboard' })[0]!)
  await screen.findByRole('heading', { name: 'Welcome, Staff sam' })
  await person.click(screen.getAllByRole('link', { name: 'Home' })[0]!)
  await person.click((await screen.findAllByRole('link', { name: /Verify/ }))[0]!)
  await screen.findByLabelText('Proof ID')
  expect(readFields()).toEqual(['', ''])
})

test('an answer that is on its way then is shown all the same', async () => {
  const server = await useRealServer()
  const gateway = await useGateway()
  const { person, proofid } = await openWhileChecking(server, gateway)
  gateway.trouble('POST /service-content-servers/details/', 'late')
  await person.click(verifyButton())
  await expect.poll(() => gateway.calls).toContain('POST /service-content-servers/details/')
  gateway.release()
  await screen.findByRole('button', { name: 'Logout' })
  await screen.findByText('Document Verified Successfully!', {}, { timeout: 4000 })
  await waitFor(() => expect(verifyButton().getAttribute('aria-busy')).toBeNull())
  expect(readFields()).toEqual([proofid, 'ada'])
})

test('a verdict from while the server did not say who is signed in stays as well', async () => {
  const server = await useRealServer()
  const gateway = await useGateway()
  const { person } = await openWhileChecking(server, gateway)
  await person.click(verifyButton())
  await screen.findByText('Document Verified Successfully!')
  gateway.release()
  await screen.findByRole('button', { name: 'Logout' })
  await screen.findByLabelText('Proof ID')
  expect(screen.getByText('Document Verified Successfully!')).toBeDefined()
})

test('a receipt that cannot be had is told beside its button, also to people who are not signed in', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const gateway = await useGateway()
  const person = openApp('/service-content')
  await fillVerifyForm(person, proofid, 'ada')
  const button = await screen.findByRole('button', { name: 'Save a signed receipt' })
  expect(screen.queryByRole('alert')).toBeNull()
  gateway.trouble('POST /service-content-servers/receipt/', 'refused')
  await person.click(button)
  expect((await screen.findByRole('alert')).textContent).toBe('The receipt could not be had.')
  expect(screen.getByText('Document Verified Successfully!')).toBeDefined()

  // Asked again, nothing is said before the next answer.
  gateway.trouble('POST /service-content-servers/receipt/', 'late')
  await person.click(button)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a verdict goes as soon as a field says something else than it was asked of, also one that is still to come', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const gateway = await useGateway()
  const person = openApp('/service-content')
  await fillVerifyForm(person, proofid, 'ada')
  await screen.findByText('Document Verified Successfully!')
  await person.type(screen.getByLabelText('Username'), 'm')
  expect(screen.queryByText('Document Verified Successfully!')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()

  await person.click(verifyButton())
  await screen.findByText('No Content Found')
  await person.type(screen.getByLabelText('Proof ID'), '2')
  expect(screen.queryByText('No Content Found')).toBeNull()

  gateway.trouble('GET /service-content-servers/get-pdfs/', 'late')
  await fillVerifyForm(person, proofid, 'ada')
  await expect.poll(() => gateway.calls.filter((call) => call.endsWith('/get-pdfs/'))).toHaveLength(3)
  await person.type(screen.getByLabelText('Username'), 'm')
  gateway.release()
  await waitFor(() => expect(verifyButton().getAttribute('aria-busy')).toBeNull())
  expect(screen.queryByText('Document Verified Successfully!')).toBeNull()
})

test('of a file the verdict stays while the fields are filled in, unless it was compared with the proof they named', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const person = openApp('/service-content')
  const choose = async () => person.upload(await screen.findByLabelText(/^Certified PDF/), new File(['a'], 'a.txt'))
  await choose()
  await screen.findByText('a.txt')
  await person.type(screen.getByLabelText('Proof ID'), 'A')
  expect(screen.getByText('a.txt')).toBeDefined()

  await fillVerifyForm(person, proofid, 'ada')
  await screen.findByText('Document Verified Successfully!')
  await choose()
  await screen.findByRole('heading', { name: 'This file is not part of this proof' })
  await person.type(screen.getByLabelText('Username'), 'm')
  expect(screen.queryByRole('heading', { name: 'This file is not part of this proof' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Back to the verified document' })).toBeNull()
})

test('5.29 8.46 an empty form is answered in the page, without asking the server, and leads to the first field that is missing', async () => {
  await useRealServer()
  const gateway = await useGateway()
  const person = openApp('/service-content')
  const [id, name] = [await screen.findByLabelText('Proof ID'), screen.getByLabelText('Username')]
  // Its own bubble says it in the browser's words, and of one field.
  expect(id.closest('form')?.noValidate).toBe(true)
  await person.click(verifyButton())
  await screen.findByText('imperfect Info')
  expect(screen.getByRole('alert').textContent).toContain('Fill ProodID and Username')
  expect(screen.getAllByText('This field is required.')).toHaveLength(2)
  await waitFor(() => expect(document.activeElement).toBe(id))

  await person.type(id, 'AAAA')
  expect(screen.queryByText('This field is required.')).toBeNull()
  await person.click(verifyButton())
  await screen.findByText('This field is required.')
  await waitFor(() => expect(document.activeElement).toBe(name))
  expect(name.getAttribute('aria-invalid')).toBe('true')
  expect(gateway.calls).not.toContain('GET /service-content-servers/get-pdfs/')
})
