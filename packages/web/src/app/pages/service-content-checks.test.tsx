import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { fillVerifyForm } from '../../testing/fill-verify-form.ts'
import { makeApprovedCollection } from '../../testing/made-collections.ts'
import { openApp } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

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
