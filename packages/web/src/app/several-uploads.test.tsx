import type { Content } from '@proofdesk/contract/contents'
import type { TestClient, TestServer } from '@proofdesk/server/testing'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { EICAR, startClamd } from '@proofdesk/server/testing/clamd'
import { expect, onTestFinished, test } from 'vitest'
import { endSession } from '../lib/session.ts'
import { useGateway, type Gateway } from '../testing/gateway.ts'
import { makeCollection, PNG } from '../testing/made-collections.ts'
import { holdTimers } from '../testing/hold-timers.ts'
import { openApp, openAs } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'

const CREATE = 'POST /contents/'

const png = (name: string) => new File([PNG], name, { type: 'image/png' })
const broken = (name: string) => new File(['no picture'], name, { type: 'image/png' })

/** Opens the page of an empty collection of ada's, with a gateway before the server. */
async function openForm(server: TestServer, gateway: Gateway, { contentCount = 0 } = {}) {
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Degree', 0)
  await server.deps.db.updateTable('collections').set({ content_count: contentCount }).where('id', '=', id).execute()
  const person = await openAs('ada', `/content/${id}`)
  const field = await screen.findByLabelText('File')
  return { ada, id, gateway, person, field, add: () => screen.getByRole('button', { name: 'Add Content' }) }
}

const listNames = () => within(screen.getByRole('list', { name: 'Chosen files' })).getAllByRole('listitem')
const findRow = (name: string) => screen.findByRole('listitem', { name })

/** In the order of the certified PDF. */
async function readStored(who: TestClient, collection: number): Promise<Content[]> {
  const { results } = (await who.get(`/contents/?collection=${collection}&ordering=created_at`)).json()
  return (results as Content[]).toSorted((one, other) => one.position - other.position)
}

test('2.96 several files arrive in the order of choosing, each under its own title', async () => {
  const { ada, id, person, field, add } = await openForm(await useRealServer(), await useGateway())
  await person.upload(field, ['a.png', 'b.png', 'c.png'].map(png))
  expect(listNames().map((row) => row.getAttribute('aria-label'))).toEqual(['a.png', 'b.png', 'c.png'])
  await person.selectOptions(screen.getByLabelText('Title type'), 'TYPE2')
  await person.selectOptions(screen.getByLabelText('Type of the title of b.png'), 'OTHER')
  await person.click(add())
  await screen.findByText('Cannot create content: invalid title or collection is locked')
  within(await findRow('b.png')).getByText('A title is required.')
  expect((await readStored(ada, id)).length).toBe(0)

  await person.type(screen.getByLabelText('Name for b.png'), 'Second page')
  await person.click(add())
  await screen.findByText('Content created!')
  await screen.findByText('Added: 3.')
  const stored = await readStored(ada, id)
  expect(stored.map(({ file_name: name, title }) => [name, title])).toEqual([
    ['a.png', 'TYPE2'],
    ['b.png', 'Second page'],
    ['c.png', 'TYPE2'],
  ])
  const ids = stored.map((content) => content.id)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(screen.queryByRole('list', { name: 'Chosen files' })).toBeNull()
})

test('5.21 whoever submits again while files are on their way is told that it cannot be, until they are there', async () => {
  const { ada, id, gateway, person, field, add } = await openForm(await useRealServer(), await useGateway())
  const blocked = 'Cannot create content: invalid title or collection is locked'
  await person.upload(field, png('a.png'))
  gateway.trouble(CREATE, 'late')
  await person.click(add())
  await waitFor(() => expect(add().getAttribute('aria-busy')).toBe('true'))
  expect(screen.queryByText(blocked)).toBeNull()
  await person.click(add())
  await screen.findByText(blocked)
  gateway.release()
  await screen.findByText('Content created!')
  await waitFor(() => expect(screen.queryByText(blocked)).toBeNull())
  expect((await readStored(ada, id)).length).toBe(1)
})

test('2.96 a refused file stops no other, says why in its place, and another takes that place', async () => {
  const { ada, id, person, field, add } = await openForm(await useRealServer(), await useGateway())
  await person.upload(field, [png('a.png'), broken('b.png'), png('c.png')])
  await person.click(add())
  await screen.findByText('Added: 2. Failed: 1.')
  const row = within(await findRow('b.png'))
  row.getByText('Only PDF, JPEG and PNG files are accepted.')
  expect(row.queryByRole('button', { name: /^Try again/ })).toBeNull()
  await person.upload(row.getByLabelText('Choose another file in place of b.png', { selector: 'input' }), png('b2.png'))
  await findRow('b2.png')
  expect(document.activeElement).toBe(await findRow('b2.png'))
  await person.click(add())
  await screen.findByRole('button', { name: 'View TYPE1, b2.png' })
  expect((await readStored(ada, id)).map((content) => content.file_name)).toEqual(['a.png', 'b2.png', 'c.png'])
  const views = screen.getAllByRole('button', { name: /^View / }).map((button) => button.getAttribute('aria-label'))
  expect(views).toEqual(['View TYPE1, c.png', 'View TYPE1, b2.png', 'View TYPE1, a.png'])
})

test('20.14 the form says of a refused file what the scanner found, and offers to choose another', async ({ skip }) => {
  const clamd = await startClamd({ after: (end) => onTestFinished(end), skip })
  const server = await useRealServer({ config: { clamd: clamd?.address } })
  const { ada, id, person, field, add } = await openForm(server, await useGateway())
  await person.upload(field, [png('a.png'), new File([PNG, Uint8Array.from(EICAR)], 'b.png', { type: 'image/png' })])
  await person.click(add())
  await screen.findByText('Added: 1. Failed: 1.')
  const row = within(await findRow('b.png'))
  row.getByText('The virus scanner found something harmful in this file, so it is refused. Nothing of it was kept.')
  row.getByLabelText('Choose another file in place of b.png', { selector: 'input' })
  expect(row.queryByRole('button', { name: /^Try again/ })).toBeNull()
  expect((await readStored(ada, id)).map((content) => content.file_name)).toEqual(['a.png'])
})

test('what the server would refuse is told in its words before anything is sent', async () => {
  const { gateway, person, field } = await openForm(await useRealServer({ maxUploadMb: 1 }), await useGateway())
  await screen.findByText('This server accepts files up to 1 MB.')
  const large = new File([new Uint8Array(1024 * 1024 + 1)], 'large.pdf', { type: 'application/pdf' })
  const files = [png('a.png'), new File(['x'], 'notes.txt', { type: 'text/plain' }), new File([], 'empty.pdf'), large]
  fireEvent.change(field, { target: { files } })
  within(await findRow('notes.txt')).getByText('Only PDF, JPEG and PNG files are accepted.')
  within(await findRow('empty.pdf')).getByText('This file is empty.')
  within(await findRow('large.pdf')).getByText('This file is too large. At most 1 MB are accepted.')
  expect(within(await findRow('a.png')).queryByText(/accepted|empty/)).toBeNull()
  expect(gateway.calls).not.toContain(CREATE)

  await person.click(screen.getByRole('button', { name: 'Take large.pdf off the list' }))
  expect(listNames()).toHaveLength(3)
  await person.click(screen.getByRole('button', { name: 'Clear the list' }))
  expect(screen.queryByRole('list', { name: 'Chosen files' })).toBeNull()
  expect(document.activeElement?.textContent).toBe('Choose files')
})

test('no more files are taken than a collection holds', async () => {
  const { person, field } = await openForm(await useRealServer(), await useGateway(), { contentCount: 98 })
  await person.upload(field, ['a.png', 'b.png', 'c.png'].map(png))
  within(await findRow('c.png')).getByText('A collection holds at most 100 files.')
  expect(within(await findRow('b.png')).queryByText('A collection holds at most 100 files.')).toBeNull()
})

test('a busy server is waited for', async () => {
  const { ada, id, gateway, person, field, add } = await openForm(await useRealServer(), await useGateway())
  gateway.trouble(CREATE, 'busy')
  await person.upload(field, [png('a.png'), png('b.png')])
  await person.click(add())
  await waitFor(() => expect(gateway.calls.filter((call) => call === CREATE).length).toBeGreaterThan(1))
  within(await findRow('a.png')).getByText('Waiting')
  gateway.mend(CREATE)
  await screen.findByText('Added: 2.')
  expect(await readStored(ada, id)).toHaveLength(2)
})

test('a file whose answer was lost is not there twice', async () => {
  const { ada, id, gateway, person, field, add } = await openForm(await useRealServer(), await useGateway())
  gateway.trouble(CREATE, 'lost')
  await person.upload(field, [png('a.png'), png('b.png')])
  await person.click(add())
  await screen.findByText('Added: 2.')
  expect((await readStored(ada, id)).map((content) => content.file_name)).toEqual(['a.png', 'b.png'])
})

test('a file that did not arrive is not taken for another of its size in its place', async () => {
  const server = await useRealServer()
  const { ada, id, gateway, person, field, add } = await openForm(server, await useGateway())
  await person.upload(field, png('a.png'))
  await person.click(add())
  await screen.findByRole('button', { name: 'View TYPE1, a.png' })
  gateway.trouble(CREATE, 'refused')
  await person.upload(screen.getByLabelText('File'), png('b.png'))
  await person.click(add())
  const retry = await screen.findByRole('button', { name: 'Try again: b.png' })
  // As if it had been sent from elsewhere meanwhile.
  await server.deps.db.updateTable('contents').set({ position: 2 }).execute()
  gateway.trouble(CREATE, 'garbled')
  await person.click(retry)
  await waitFor(() => expect(gateway.calls.filter((call) => call === CREATE)).toHaveLength(3))
  await screen.findByRole('button', { name: 'Try again: b.png' })
  expect((await readStored(ada, id)).map((content) => content.file_name)).toEqual(['a.png'])
})

test('a file that arrived after its failure was told is not there twice when it is sent again', async () => {
  const { ada, id, gateway, person, field, add } = await openForm(await useRealServer(), await useGateway())
  gateway.trouble(CREATE, 'lost')
  gateway.trouble('GET /contents/', 'refused')
  await person.upload(field, [png('a.png'), png('b.png')])
  await person.click(add())
  await screen.findByText('Added: 0. Failed: 2.')
  gateway.mend(CREATE)
  for (const name of ['a.png', 'b.png']) {
    await person.click(screen.getByRole('button', { name: `Try again: ${name}` }))
    await waitFor(() => expect(screen.queryByRole('listitem', { name })).toBeNull())
  }
  expect((await readStored(ada, id)).map((content) => content.file_name)).toEqual(['a.png', 'b.png'])
})

test('what is cancelled while a proxy holds it is taken out again when it arrives all the same', async () => {
  const lookingAgain = holdTimers(20_000)
  const { ada, id, gateway, person, field, add } = await openForm(await useRealServer(), await useGateway())
  gateway.trouble(CREATE, 'buffered')
  await person.upload(field, [png('a.png'), png('b.png')])
  await person.click(add())
  await person.click(await screen.findByRole('button', { name: 'Cancel a.png' }))
  await within(await findRow('a.png')).findByText('The upload was cancelled. Nothing was kept.')
  gateway.release()
  await screen.findByText('Added: 1. Cancelled: 1.')
  await waitFor(async () => expect(await readStored(ada, id)).toHaveLength(2))
  lookingAgain.release()
  await waitFor(() => expect(gateway.calls.some((call) => call.startsWith('DELETE /contents/'))).toBe(true))
  await screen.findByRole('button', { name: 'View TYPE1, b.png' })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'View TYPE1, a.png' })).toBeNull())
  expect((await readStored(ada, id)).map((content) => content.file_name)).toEqual(['b.png'])
})

test('a file that did not arrive is sent again where it was meant to stand', async () => {
  const { ada, id, gateway, person, field, add } = await openForm(await useRealServer(), await useGateway())
  gateway.trouble(CREATE, 'refused')
  await person.upload(field, [png('a.png'), png('b.png')])
  await person.click(add())
  await screen.findByText('Added: 0. Failed: 2.')
  gateway.mend(CREATE)
  for (const name of ['b.png', 'a.png']) {
    await person.click(screen.getByRole('button', { name: `Try again: ${name}` }))
    await screen.findByRole('button', { name: `View TYPE1, ${name}` })
  }
  expect((await readStored(ada, id)).map((content) => content.file_name)).toEqual(['a.png', 'b.png'])
})

test('cancelling one lets the others through, and nothing of it is kept', async () => {
  const { ada, id, gateway, person, field, add } = await openForm(await useRealServer(), await useGateway())
  gateway.trouble(CREATE, 'late')
  await person.upload(field, [png('a.png'), png('b.png'), png('c.png')])
  await person.click(add())
  await screen.findByText('The files are being uploaded, one after the other.')
  await person.click(await screen.findByRole('button', { name: 'Cancel a.png' }))
  await person.click(await screen.findByRole('button', { name: 'Cancel c.png' }))
  within(await findRow('a.png')).getByText('The upload was cancelled. Nothing was kept.')
  gateway.release()
  await screen.findByText('Added: 1. Cancelled: 2.')
  expect((await readStored(ada, id)).map((content) => content.file_name)).toContain('b.png')
})

test('whoever cancels all goes on at the choice of files', async () => {
  const { gateway, person, field, add } = await openForm(await useRealServer(), await useGateway())
  gateway.trouble(CREATE, 'late')
  await person.upload(field, [png('a.png'), png('b.png')])
  await person.click(add())
  await person.click(await screen.findByRole('button', { name: 'Cancel all' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel all' })).toBeNull())
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Choose files' }))
  gateway.release()
})

test('pictures pasted anywhere get a name; text pasted into a field stays text', async () => {
  const { person } = await openForm(await useRealServer(), await useGateway())
  const paste = (target: Element, types: string[], files: File[]) =>
    fireEvent.paste(target, { clipboardData: { types, files } })
  paste(screen.getByLabelText('Comment'), ['text/plain', 'Files'], [png('image.png')])
  paste(document.body, ['text/plain'], [])
  expect(screen.queryByRole('list', { name: 'Chosen files' })).toBeNull()
  paste(document.body, ['Files'], [png('image.png'), png('image.png')])
  await screen.findByRole('list', { name: 'Chosen files' })
  const [first, second] = listNames().map((row) => row.getAttribute('aria-label'))
  expect(first).toMatch(/^Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/)
  expect(second).toBe(first?.replace('.png', ' (2).png'))
  paste(document.body, ['Files'], [png('copied.png')])
  await findRow('copied.png')
  expect(listNames()).toHaveLength(3)
  await person.click(screen.getByRole('button', { name: 'Clear the list' }))
})

test('dropped files are taken, folders are skipped with a word, and other things pass by', async () => {
  await openForm(await useRealServer(), await useGateway())
  const panel = screen.getByRole('region', { name: 'Add Content' })
  const file = (dropped: File) => ({ kind: 'file', getAsFile: () => dropped, webkitGetAsEntry: () => null })
  const folder = {
    kind: 'file',
    getAsFile: () => png('scans'),
    webkitGetAsEntry: () => ({ isDirectory: true, name: 'scans' }),
  }
  fireEvent.dragOver(panel, { dataTransfer: { types: ['text/plain'], items: [], files: [] } })
  expect(screen.queryByText('Drop the files to add them')).toBeNull()
  fireEvent.dragOver(panel, { dataTransfer: { types: ['Files'], items: [], files: [] } })
  screen.getByText('Drop the files to add them')
  fireEvent.drop(panel, {
    dataTransfer: { types: ['Files'], files: [], items: [file(png('a.png')), folder, file(png('b.png'))] },
  })
  await screen.findByText('Folders are skipped, please choose the files in them: scans')
  expect(listNames().map((row) => row.getAttribute('aria-label'))).toEqual(['a.png', 'b.png'])
  expect(screen.queryByText('Drop the files to add them')).toBeNull()
})

test('what did not arrive waits for its own person alone', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'eve' })
  const { id, person, field } = await openForm(server, await useGateway())
  await person.upload(field, [png('a.png'), png('b.png')])
  expect(listNames()).toHaveLength(2)
  const comeAs = async (username: string) => {
    cleanup()
    endSession()
    await signIn(username)
  }
  await comeAs('ada')
  openApp(`/content/${id}`)
  await screen.findByLabelText('File')
  expect(listNames()).toHaveLength(2)
  await comeAs('eve')
  await comeAs('ada')
  openApp(`/content/${id}`)
  await screen.findByLabelText('File')
  expect(screen.queryByRole('list', { name: 'Chosen files' })).toBeNull()
})
