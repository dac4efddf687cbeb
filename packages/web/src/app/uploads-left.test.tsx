import type { TestServer } from '@proofdesk/server/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readSession } from '../lib/session.ts'
import { type Gateway, useGateway } from '../testing/gateway.ts'
import { makeCollection, PNG } from '../testing/made-collections.ts'
import { openAs, readPath } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

// What becomes of files that are on their way, or chosen, when the person goes on to something else.

const CREATE = 'POST /contents/'

const png = (name: string) => new File([PNG], name, { type: 'image/png' })
const broken = (name: string) => new File(['no picture'], name, { type: 'image/png' })

/** Opens the page of a collection of ada's with one file, and chooses more. */
async function chooseMore(server: TestServer, placeGateway: () => Promise<Gateway>, files: File[]) {
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Degree', 1)
  const gateway = await placeGateway()
  const person = await openAs('ada', `/content/${id}`)
  await person.upload(await screen.findByLabelText('File'), files)
  const add = () => person.click(screen.getByRole('button', { name: 'Add Content' }))
  const send = () => person.click(screen.getByRole('button', { name: 'Send for review' }))
  return { ada, id, gateway, person, add, send }
}

test('a collection is not sent while files of it are on their way', async () => {
  const { ada, id, gateway, add, send } = await chooseMore(await useRealServer(), useGateway, [
    png('a.png'),
    png('b.png'),
  ])
  gateway.trouble(CREATE, 'late')
  await add()
  await expect.poll(() => gateway.calls).toContain(CREATE)
  await send()
  await screen.findByText('2 files are still being uploaded. Send the collection when they are in, or cancel them.')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  gateway.release()
  await screen.findByText('Added: 2.')
  await send()
  await screen.findByText('“Degree” will be locked until a reviewer has decided.')
  expect((await ada.get(`/collections/${id}`)).json().content_count).toBe(3)
})

test('how many files were added is no news to whoever comes back to them', async () => {
  const { person, add } = await chooseMore(await useRealServer(), useGateway, [png('a.png'), png('b.png')])
  await add()
  await screen.findByText('Added: 2.')
  await person.click(screen.getByRole('link', { name: 'Dashboard' }))
  await person.click(await screen.findByRole('link', { name: 'Degree' }))
  await screen.findByLabelText('File')
  expect(screen.queryByText('Added: 2.')).toBeNull()
})

test('a file that is about to arrive is waited for', async () => {
  const { ada, id, gateway, add, send } = await chooseMore(await useRealServer(), useGateway, [png('a.png')])
  gateway.trouble(CREATE, 'late')
  await add()
  await expect.poll(() => gateway.calls).toContain(CREATE)
  await send()
  gateway.release()
  await screen.findByText('“Degree” will be locked until a reviewer has decided.')
  expect(screen.queryByText(/still being uploaded/)).toBeNull()
  expect((await ada.get(`/collections/${id}`)).json().content_count).toBe(2)
})

test('whoever sends a collection is told of files that were chosen and not added', async () => {
  const { send } = await chooseMore(await useRealServer(), useGateway, [png('a.png')])
  await send()
  await screen.findByText(
    '“Degree” will be locked until a reviewer has decided. 1 chosen file has not been added and is not sent with it.',
  )
})

test('files that fail while the person looks at something else are told of', async () => {
  const { gateway, person, add } = await chooseMore(await useRealServer(), useGateway, [
    broken('a.png'),
    broken('b.png'),
  ])
  gateway.trouble(CREATE, 'late')
  await add()
  await expect.poll(() => gateway.calls).toContain(CREATE)
  await person.click(screen.getByRole('link', { name: 'Dashboard' }))
  await expect.poll(readPath).toBe('/dashboard')
  gateway.release()
  await screen.findByText('2 files were not added to their collection.')
})

/** Opens the page of a collection of ada's, and puts another file in the place of its only one, which takes until `release`. */
async function replaceSlowly(server: TestServer, placeGateway: () => Promise<Gateway>, file: File) {
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Degree', 1)
  const { results } = (await ada.get(`/contents/?collection=${id}`)).json() as { results: { id: number }[] }
  const replace = `POST /contents/${results[0]?.id}/replace/`
  const gateway = await placeGateway()
  gateway.trouble(replace, 'late')
  const person = await openAs('ada', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Options of TYPE1, file-1.png' }))
  await person.click(await screen.findByRole('menuitem', { name: 'Replace file' }))
  await person.upload(screen.getByLabelText('The file that takes its place'), file)
  await expect.poll(() => gateway.calls).toContain(replace)
  const listFiles = async () => {
    const stored = (await ada.get(`/contents/?collection=${id}`)).json() as { results: { file_name: string }[] }
    return stored.results.map(({ file_name: name }) => name)
  }
  return { gateway, person, listFiles }
}

/** Whether the browser asks whoever closes the tab now. */
function asksBeforeLeaving(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

test('a collection is not sent while a file of it is being replaced', async () => {
  const { gateway, person, listFiles } = await replaceSlowly(await useRealServer(), useGateway, png('new.png'))
  const send = () => person.click(screen.getByRole('button', { name: 'Send for review' }))
  expect(asksBeforeLeaving()).toBe(true)
  await send()
  await screen.findByText('A file is still being replaced. Send the collection when the new one is in.')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  gateway.release()
  await screen.findByText('File replaced.')
  await waitFor(() => expect(asksBeforeLeaving()).toBe(false))
  await send()
  await screen.findByText('“Degree” will be locked until a reviewer has decided.')
  expect(await listFiles()).toEqual(['new.png'])
})

test('a file that could not take the place of another is told of while the person looks at something else', async () => {
  const { gateway, person } = await replaceSlowly(await useRealServer(), useGateway, broken('new.png'))
  await person.click(screen.getByRole('link', { name: 'Dashboard' }))
  await expect.poll(readPath).toBe('/dashboard')
  gateway.release()
  await screen.findByText('file-1.png was not replaced. Only PDF, JPEG and PNG files are accepted.')
})

test('whoever comes back to a collection sees how far the file that is being replaced is', async () => {
  const { gateway, person } = await replaceSlowly(await useRealServer(), useGateway, png('new.png'))
  await person.click(screen.getByRole('link', { name: 'Dashboard' }))
  await expect.poll(readPath).toBe('/dashboard')
  await person.click(await screen.findByRole('link', { name: 'Degree' }))
  await screen.findByRole('progressbar', { name: /^(Replacing file-1.png|Checking the file)/ })
  gateway.release()
  await screen.findByText('File replaced.')
  await screen.findByRole('button', { name: 'View TYPE1, new.png' })
  expect(screen.queryByRole('progressbar', { name: /^(Replacing|Checking the file)/ })).toBeNull()
})

test('whoever logs out while a file is being replaced is asked', async () => {
  const { gateway, person } = await replaceSlowly(await useRealServer(), useGateway, png('new.png'))
  await person.click(screen.getByRole('button', { name: 'Logout' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await person.click(dialog.getByRole('button', { name: 'Logout' }))
  await expect.poll(readPath).toBe('/')
  expect(asksBeforeLeaving()).toBe(false)
  gateway.release()
})

test('files that were refused before they were sent count among those that failed', async () => {
  const { add } = await chooseMore(await useRealServer(), useGateway, [
    png('a.png'),
    broken('b.png'),
    new File([], 'empty.png', { type: 'image/png' }),
  ])
  await add()
  await screen.findByText('Added: 1. Failed: 2.')
})

test('whoever logs out while files are on their way is asked, and stops them', async () => {
  const { ada, id, gateway, person, add } = await chooseMore(await useRealServer(), useGateway, [
    png('a.png'),
    png('b.png'),
  ])
  gateway.trouble(CREATE, 'buffered')
  await add()
  await expect.poll(() => gateway.calls).toContain(CREATE)
  const logOut = () => person.click(screen.getByRole('button', { name: 'Logout' }))
  await logOut()
  const dialog = within(await screen.findByRole('alertdialog'))
  dialog.getByText('Files are still being uploaded. They are not added if you log out now.')
  await person.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(readSession().phase).toBe('signed-in')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())

  await logOut()
  await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Logout' }))
  await expect.poll(readPath).toBe('/')
  gateway.release()
  expect(gateway.calls.filter((call) => call === CREATE)).toHaveLength(1)
  expect((await ada.get(`/collections/${id}`)).json().content_count).toBe(1)
})
