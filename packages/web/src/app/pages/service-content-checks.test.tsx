import type { ProofDetails } from '@proofdesk/contract/certificates'
import { computeFilesRoot } from '@proofdesk/proof/paper/files-root'
import type { PaperFacts } from '@proofdesk/proof/paper/paper-claims'
import { signPaperCode } from '@proofdesk/proof/paper/paper-code'
import type { TestServer } from '@proofdesk/server/testing'
import { cleanup, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { fillVerifyForm } from '../../testing/fill-verify-form.ts'
import { useGateway } from '../../testing/gateway.ts'
import { makeApprovedCollection, PNG } from '../../testing/made-collections.ts'
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
  expect(
    screen.getByText('“noted.pdf” is, byte for byte, file 1 of the verified document.', { selector: 'p' }),
  ).toBeDefined()

  // Any other certified PDF is judged by its own seal all the same.
  await choose('more.pdf', Buffer.concat([appended, Buffer.from('% another\n')]))
  await screen.findByRole('heading', { name: 'This file was altered' })
  await choose('certified.pdf', certified.bytes)
  await screen.findByRole('heading', { name: 'This certified PDF is genuine' })

  // What is on record of it is a press away.
  await person.click(screen.getByRole('link', { name: 'Look up this Proof ID' }))
  await screen.findByText('Document Verified Successfully!')
  expect(screen.getByLabelText<HTMLInputElement>('Proof ID').value).toBe(earlier)
  expect(screen.queryByText(/^The link has filled in both fields/)).toBeNull()
})

test('the proof of a file is looked up also where its link is open already, and as often as one asks', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const certified = await sam.get(`/content-servers/serve/?collection_proofid=${proofid}`)
  const gateway = await useGateway()
  const person = openApp(`/service-content#${new URLSearchParams({ proofid, username: 'ada' })}`)
  await screen.findByText(/^The link has filled in both fields/)
  const lookUp = async () => {
    await person.upload(
      await screen.findByLabelText(/^Certified PDF/),
      new File([Uint8Array.from(certified.bytes)], 'certified.pdf'),
    )
    await person.click(await screen.findByRole('link', { name: 'Look up this Proof ID' }))
    await screen.findByText('Document Verified Successfully!')
    expect(screen.getByLabelText<HTMLInputElement>('Proof ID').value).toBe(proofid)
    expect(screen.queryByText(/^The link has filled in both fields/)).toBeNull()
  }
  await lookUp()
  // What was typed since gives way to the proof that is looked up.
  await person.type(screen.getByLabelText('Proof ID'), 'X')
  await lookUp()
  expect(gateway.calls.filter((call) => call === 'GET /service-content-servers/get-pdfs/')).toHaveLength(2)
})

test('15.24 a signed receipt is judged as one: by its signature, with what it said then, and not as a file of the proof', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const answer = await server.stranger.post('/service-content-servers/receipt/', { proofid, username: 'ada' })
  const { receipt } = answer.json() as { receipt: string }
  const person = openApp('/service-content')
  const choose = async (text: string, name = 'receipt.txt') =>
    person.upload(await screen.findByLabelText(/^Certified PDF/), new File([text], name, { type: 'text/plain' }))

  await choose(receipt)
  await screen.findByRole('heading', { name: 'This signed receipt is genuine' })
  expect(screen.getByText(proofid).closest('dl')?.textContent).toMatch(/SHA-256 of the certified PDF[0-9a-f]{64}/)
  // Also beside a proof that was verified, and as the API answers.
  await fillVerifyForm(person, proofid, 'ada')
  await screen.findByText('Document Verified Successfully!')
  await choose(answer.body, 'answer.txt')
  await screen.findByRole('heading', { name: 'This signed receipt is genuine' })
  await choose(receipt.replace('"verdict":"valid"', '"verdict":"expired"'))
  await screen.findByRole('heading', { name: 'This signed receipt does not hold' })
  expect(screen.queryByText(/none of the files/)).toBeNull()
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
  expect((await screen.findByRole('alert')).textContent).toBe('The file cannot be read“gone.pdf” was not checked.')

  leaveServer()
  for (const path of ['/service-content', '/transparency']) {
    cleanup()
    await openApp(path).upload(await screen.findByLabelText(/^Certified PDF/), new File(['%PDF-'], 'degree.pdf'))
    await screen.findByText('The server does not answer.', { selector: '[role=alert] *' })
    expect(screen.queryByText('The file cannot be read')).toBeNull()
  }
})

test('a file that could not be judged takes nothing from the proof that the next one is compared with', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const original = { name: 'scan.png', bytes: PNG }
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree', null, [original])
  const person = openApp('/service-content')
  await fillVerifyForm(person, proofid, 'ada')
  await screen.findByText('Document Verified Successfully!')
  const input = screen.getByLabelText(/^Certified PDF/)
  const unreadable = Object.assign(new File(['%PDF-'], 'gone.pdf'), {
    arrayBuffer: () => Promise.reject(new DOMException('It was moved', 'NotReadableError')),
  })
  await person.upload(input, unreadable)
  await screen.findByText('The file cannot be read')
  await person.upload(input, new File([Uint8Array.from(PNG)], 'scan.png'))
  await screen.findByRole('heading', { name: 'This is an original of this proof' })

  // The proof itself is a press away.
  await person.click(screen.getByRole('button', { name: 'Back to the verified document' }))
  await screen.findByText('Document Verified Successfully!')
  expect(screen.queryByRole('button', { name: 'Back to the verified document' })).toBeNull()
})

test.each(['/service-content', '/transparency'])(
  'of two files dropped on %s one after the other the verdict is that of the second, and names it',
  async (path) => {
    await useRealServer()
    const person = openApp(path)
    const input = await screen.findByLabelText(/^Certified PDF/)
    const slow = Promise.withResolvers<ArrayBuffer>()
    const first = Object.assign(new File(['%PDF-'], 'first.pdf'), { arrayBuffer: () => slow.promise })
    await person.upload(input, first)
    await person.upload(input, new File(['%PDF-1.7 second'], 'second.pdf'))
    await screen.findByRole('heading', { name: 'No proof in this file' })
    expect(screen.getByText('second.pdf')).toBeDefined()
    slow.reject(new DOMException('It was moved', 'NotReadableError'))
    await slow.promise.catch(() => {})
    await new Promise((resolve) => setTimeout(resolve))
    expect(screen.queryByText('The file cannot be read')).toBeNull()
    expect(screen.getByText('second.pdf')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Choose a file' })).toBeDefined()

    // No verdict stands while the next one is looked for.
    const held = Promise.withResolvers<ArrayBuffer>()
    await person.upload(input, Object.assign(new File(['%PDF-'], 'third.pdf'), { arrayBuffer: () => held.promise }))
    await screen.findByRole('button', { name: 'Checking the file …' })
    expect(screen.queryByRole('heading', { name: 'No proof in this file' })).toBeNull()
    held.resolve(new Uint8Array([37, 80]).buffer)
    await screen.findByText('third.pdf')
  },
)

test('a record or a file that is not as it was issued is told as that, not as something to try again', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { proofid } = await makeApprovedCollection(ada, sam, 'Degree')
  const gateway = await useGateway()
  const person = openApp('/service-content')
  const told = {
    proof_altered: 'Not as it was issuedThe record of this proof is not as it was issued',
    file_altered: 'Not as it was issuedThis file is not as it was stored',
    file_missing: 'It cannot be shown right nowThis file is missing where files are stored',
    internal: 'An error occurred. Please try again.',
  }
  for (const [code, words] of Object.entries(told)) {
    gateway.trouble('GET /service-content-servers/get-pdfs/', 'broken', JSON.stringify({ code, detail: code }))
    await fillVerifyForm(person, proofid, 'ada')
    await expect.poll(() => screen.queryByRole('alert')?.textContent).toContain(words)
  }
  gateway.mend('GET /service-content-servers/get-pdfs/')
  gateway.trouble('POST /service-content-servers/details/', 'broken', '{"code":"proof_altered","detail":"altered"}')
  await fillVerifyForm(person, proofid, 'ada')
  await expect.poll(() => screen.queryByRole('alert')?.textContent).toContain(told.proof_altered)
  expect(screen.queryByText('Document Verified Successfully!')).toBeNull()
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

  // What differs goes on being told while files are checked.
  await again.upload(screen.getByLabelText(/^Certified PDF/), new File(['other'], 'other.pdf'))
  await screen.findByRole('heading', { name: 'This file is not part of this proof' })
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
