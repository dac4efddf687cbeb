import type { ProofDetails } from '@proofdesk/contract/certificates'
import { computeFilesRoot } from '@proofdesk/proof/paper/files-root'
import type { PaperFacts } from '@proofdesk/proof/paper/paper-claims'
import { signPaperCode } from '@proofdesk/proof/paper/paper-code'
import type { TestServer } from '@proofdesk/server/testing'
import { cleanup, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { fillVerifyForm } from '../../testing/fill-verify-form.ts'
import { useGateway } from '../../testing/gateway.ts'
import { makeApprovedCollection } from '../../testing/made-collections.ts'
import { openApp } from '../../testing/open-app.tsx'
import { leaveServer, movePage, useRealServer } from '../../testing/real-server.ts'

// What the verification page finds out by itself of files and printed codes, beside what is on record.

// Outside a browser fetch knows no page that a path belongs to. The server tells bytes by the ArrayBuffer of Node, and would
// answer them as JSON by the one of the test environment.
beforeEach(() => {
  vi.stubGlobal('ArrayBuffer', Buffer.alloc(1).buffer.constructor)
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, location.href), init))
  return () => vi.unstubAllGlobals()
})

test('14.33 an original that is itself a certified PDF, and no longer as it was sealed, is still an original of the proof', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid: earlier } = await makeApprovedCollection(ada, sam, 'Degree')
  const certified = await sam.get(`/content-servers/serve/?collection_proofid=${earlier}`)
  const appended = Buffer.concat([certified.bytes, Buffer.from('\n% a note\n')])
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree and note', null, [
    { name: 'noted.pdf', bytes: appended },
  ])
  const person = openApp('/service-content')
  const choose = async (name: string, bytes: Buffer) =>
    person.upload(await screen.findByLabelText(/^Certified PDF/), new File([Uint8Array.from(bytes)], name))

  // Without a proof to compare it with it is what its own seal makes of it.
  await choose('noted.pdf', appended)
  await screen.findByRole('heading', { name: 'This file was altered' })

  await fillVerifyForm(person, proofid, 'ada')
  await screen.findByText('Document Verified Successfully!')
  await choose('noted.pdf', appended)
  await screen.findByRole('heading', { name: 'This is an original of this proof' })
  expect(screen.getByText('“noted.pdf” is, byte for byte, file 1 of the verified document.')).toBeDefined()

  // Any other certified PDF is judged by its own seal all the same.
  await choose('more.pdf', Buffer.concat([appended, Buffer.from('% another\n')]))
  await screen.findByRole('heading', { name: 'This file was altered' })
  await choose('certified.pdf', certified.bytes)
  await screen.findByRole('heading', { name: 'This certified PDF is genuine' })
})

test('a file that is chosen during a verification waits for it, and is compared with what was verified', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const gateway = await useGateway()
  gateway.trouble('GET /service-content-servers/get-pdfs/', 'late')
  const person = openApp('/service-content')
  await fillVerifyForm(person, proofid, 'ada')
  await expect.poll(() => gateway.calls).toContain('GET /service-content-servers/get-pdfs/')
  await person.upload(await screen.findByLabelText(/^Certified PDF/), new File(['other'], 'other.pdf'))
  gateway.release()
  await screen.findByRole('heading', { name: 'This file is not part of this proof' })
})

test('what this browser has read in the log is shown, whatever the server says beside it', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const { fetch } = globalThis
  vi.stubGlobal('fetch', async (path: string | URL, init: RequestInit) => {
    const answer = await fetch(path, init)
    if (!String(path).endsWith('/service-content-servers/details/')) return answer
    const said = (await answer.json()) as ProofDetails
    const files = [...said.files, { ...said.files[0]!, title: 'Slipped in', sha256: '0'.repeat(64) }]
    return Response.json({ ...said, title: 'Doctorate', issuer: 'Elsewhere', reviewer: 'mallory', files })
  })
  const person = openApp('/service-content')
  await fillVerifyForm(person, proofid, 'ada')
  await screen.findByText('Document Verified Successfully!')
  const factOf = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent
  expect(factOf('Title')).toBe('Degree')
  expect(factOf('Reviewed by')).toMatch(/^sam, /)
  for (const forged of [/Doctorate/, /Elsewhere/, /mallory/, /Slipped in/])
    expect(screen.queryByText(forged)).toBeNull()
})

test('a file that cannot be judged is told why: the server is away, or the browser cannot read it', async () => {
  await useRealServer()
  const person = openApp('/service-content')
  const unreadable = Object.assign(new File(['%PDF-'], 'gone.pdf'), {
    arrayBuffer: () => Promise.reject(new DOMException('It was moved', 'NotReadableError')),
  })
  await person.upload(await screen.findByLabelText(/^Certified PDF/), unreadable)
  expect((await screen.findByRole('alert')).textContent).toBe('The file cannot be read')

  leaveServer()
  for (const path of ['/service-content', '/transparency']) {
    cleanup()
    await openApp(path).upload(await screen.findByLabelText(/^Certified PDF/), new File(['%PDF-'], 'degree.pdf'))
    await screen.findByText('The server does not answer.', { selector: '[role=alert] *' })
    expect(screen.queryByText('The file cannot be read')).toBeNull()
  }
})

test('a printed code that cannot be checked says so, and is checked when asked to again', async () => {
  await useRealServer()
  const { origin } = location
  leaveServer()
  const person = openApp(`/service-content#2KC${'A'.repeat(80)}`)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('The printed code could not be checked.The server does not answer.')
  movePage(origin)
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('region', { name: /^The printed code/ })
  expect(screen.queryByRole('alert')).toBeNull()
})

test('16.11 the record of another proof is not held against a printed code', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const printed = await makeApprovedCollection(ada, sam, 'Degree')
  const other = await makeApprovedCollection(ada, sam, 'Lease')
  const person = openApp(`/service-content#${await signCode(server, printed.proofid)}`)
  const code = within(await screen.findByRole('region', { name: /^The printed code is signed/ }))

  await fillVerifyForm(person, other.proofid, 'ada')
  await screen.findByText('Document Verified Successfully!')
  expect(code.queryByRole('alert')).toBeNull()
  expect(code.queryByText(/^On record:/)).toBeNull()
  expect(code.getByText(/^Whether it was revoked since, no paper can say/)).toBeDefined()

  // Its own is.
  await fillVerifyForm(person, printed.proofid, 'ada')
  await code.findByText('The record says the same as the code.')
  cleanup()
  const again = openApp(`/service-content#${await signCode(server, printed.proofid, { title: 'Lease' })}`)
  await fillVerifyForm(again, printed.proofid, 'ada')
  expect((await screen.findByRole('alert')).textContent).toBe('The record says something else than the code.')
  expect(screen.getByText(/^On record:/).textContent).toBe('On record: Degree')
})

/** The code on the certificate of a published proof of `ada`, with changes. */
async function signCode(
  { stranger, deps }: TestServer,
  proofid: string,
  changes: Partial<PaperFacts> = {},
): Promise<string> {
  const answer = await stranger.post('/service-content-servers/details/', { proofid, username: 'ada' })
  const { title, username, issuer, issued_at, files } = answer.json() as ProofDetails
  const facts = {
    proofId: proofid,
    username,
    title,
    organisation: issuer,
    approvedAt: Math.floor(Date.parse(issued_at) / 1000),
    expiresAt: null,
    pages: 1,
    filesRoot: computeFilesRoot(files.map(({ sha256 }) => sha256)),
    reviewDocument: '0'.repeat(64),
  }
  return signPaperCode({ ...facts, ...changes }, deps.paperKey)
}
