import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { useGateway } from '../testing/gateway.ts'
import { makeCollection, makeSentCollection } from '../testing/made-collections.ts'
import { goBack, openAs, readPath } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

// A change of a collection or a file that is answered after its screen was left.

/** Presses what is offered in the menu of a row. */
async function choose(person: UserEvent, row: string, entry: string) {
  await person.click(await screen.findByRole('button', { name: `Options of ${row}` }))
  await person.click(await screen.findByRole('menuitem', { name: entry }))
}

async function confirm(person: UserEvent, action: string) {
  const question = within(await screen.findByRole('alertdialog', { name: 'Are you sure?' }))
  await person.click(question.getByRole('button', { name: action }))
}

async function retitle(person: UserEvent) {
  const dialog = within(await screen.findByRole('dialog'))
  await person.type(dialog.getByLabelText('Collection title'), ' of Law')
  await person.click(dialog.getByRole('button', { name: 'Save title' }))
}

async function renameFile(person: UserEvent) {
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename file' }))
  await person.selectOptions(dialog.getByRole('combobox'), 'TYPE2')
  await person.click(dialog.getByRole('button', { name: 'Save title' }))
}

interface Left {
  what: string
  /** Method and path, with the id of the collection or of what it is of in place of `ID`. */
  call: string
  of?: 'file' | 'comment'
  start: (person: UserEvent) => Promise<void>
  done: RegExp
  failed: RegExp
}

const LEFT: readonly Left[] = [
  {
    what: 'creating a collection',
    call: 'POST /collections/',
    start: async (person) => {
      await person.type(await screen.findByLabelText('Collection title'), 'Transcript{Enter}')
    },
    done: /^“.Transcript.” is created\.$/,
    failed: /^Failed to create collection: /,
  },
  {
    what: 'renaming a collection',
    call: 'PATCH /collections/ID/',
    start: async (person) => {
      await choose(person, 'Degree', 'Edit')
      await retitle(person)
    },
    done: /^The new title “.Degree of Law.” is saved\.$/,
    failed: /^The new title “.Degree of Law.” could not be saved/,
  },
  {
    what: 'deleting a collection',
    call: 'DELETE /collections/ID/',
    start: async (person) => {
      await choose(person, 'Degree', 'Delete')
      await confirm(person, 'Delete')
    },
    done: /^“.Degree.” is deleted\.$/,
    failed: /^Failed to delete “.Degree.”/,
  },
  {
    what: 'sending a collection',
    call: 'POST /collections/ID/save/',
    start: async (person) => {
      await choose(person, 'Degree', 'Send for review')
      await confirm(person, 'Send for review')
    },
    done: /^Sent!$/,
    failed: /^Failed to send “.Degree.”/,
  },
  {
    what: 'renaming a file',
    call: 'PATCH /contents/ID/',
    of: 'file',
    start: async (person) => {
      await choose(person, 'TYPE1, file-1.png', 'Rename')
      await renameFile(person)
    },
    done: /^“.file-1\.png.” is renamed\.$/,
    failed: /^Failed to rename “.file-1\.png.”/,
  },
  {
    what: 'deleting a file',
    call: 'DELETE /contents/ID/',
    of: 'file',
    start: async (person) => {
      await person.click(await screen.findByRole('button', { name: 'Delete TYPE1, file-1.png' }))
      await confirm(person, 'Delete')
    },
    done: /^“.file-1\.png.” is deleted\.$/,
    failed: /^Failed to delete “.file-1\.png.”/,
  },
  {
    what: 'reordering files',
    call: 'POST /contents/order/',
    of: 'file',
    start: (person) => choose(person, 'TYPE1, file-1.png', 'Move up'),
    done: /^The new order of the files of “.Degree.” is saved\.$/,
    failed: /^Failed to change the order of the files of “.Degree.”/,
  },
  {
    what: 'deleting a comment',
    call: 'DELETE /comments/ID/',
    of: 'comment',
    start: async (person) => {
      await person.click(await screen.findByRole('button', { name: /^Delete your comment/ }))
      await confirm(person, 'Delete')
    },
    done: /^Your comment of .+ is deleted\.$/,
    failed: /^Failed to delete your comment of /,
  },
]

test.each(
  LEFT.flatMap((left) => [
    { ...left, outcome: 'done' as const },
    { ...left, outcome: 'failed' as const },
  ]),
)(
  '2.179 $what, $outcome after its screen was left, is told once where one is then',
  async ({ call, of, start, outcome, ...told }) => {
    const words = told[outcome]
    const server = await useRealServer()
    const ada = await server.signIn('ada')
    const { id } = await makeCollection(ada, 'Degree', 2)
    const files = (await ada.get(`/contents/?collection=${id}`)).json().results as { id: number; file_name: string }[]
    const file = files.find(({ file_name }) => file_name === 'file-1.png')?.id
    const comment = (await ada.post('/comments/', { collection: id, text: 'Page 3 is new' })).json().id as number
    const gateway = await useGateway()
    const begun = call.replace('ID', String({ file, comment, collection: id }[of ?? 'collection']))
    gateway.trouble(begun, 'late')
    const person = await openAs('ada', of ? `/content/${id}` : '/collection', ['/about'])
    await start(person)
    await waitFor(() => expect(gateway.calls).toContain(begun))
    goBack()
    await waitFor(() => expect(readPath()).toBe('/about'))
    if (outcome === 'failed') gateway.trouble(begun, 'refused')
    gateway.release()
    await screen.findByText(words)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(screen.getAllByText(words)).toHaveLength(1)
    expect(screen.queryByText('Deleted!')).toBeNull()
    expect(readPath()).toBe('/about')
  },
)

test('a title that could not become a collection while one looked elsewhere stands in its field again', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const gateway = await useGateway()
  gateway.trouble('POST /collections/', 'late')
  const person = await openAs('ada', '/collection')
  await person.type(await screen.findByLabelText('Collection title'), 'Transcript{Enter}')
  await waitFor(() => expect(gateway.calls).toContain('POST /collections/'))
  await person.click(screen.getByRole('link', { name: 'Dashboard' }))
  await screen.findByRole('heading', { level: 1, name: /^Welcome/ })
  gateway.trouble('POST /collections/', 'refused')
  gateway.release()
  const notice = within(await screen.findByRole('alertdialog', { name: 'Collection not created' }))
  await person.click(notice.getByRole('button'))
  await person.click(screen.getAllByRole('link', { name: 'Collection' })[0]!)
  const field = await screen.findByLabelText<HTMLInputElement>('Collection title')
  expect([field.value, field.readOnly]).toEqual(['Transcript', false])
})

test('a text that could not be saved, or forgotten, after its dialog was closed is told all the same', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const gateway = await useGateway()
  gateway.trouble('POST /admin/reasons/', 'late')
  const person = await openAs('sam', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Reject' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reject collection' }))
  await person.type(dialog.getByLabelText('Admin description'), 'Page 3 is missing')
  await person.click(dialog.getByRole('button', { name: 'Save this text' }))
  await waitFor(() => expect(gateway.calls).toContain('POST /admin/reasons/'))
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  gateway.trouble('POST /admin/reasons/', 'refused')
  gateway.release()
  await screen.findByText('Failed to change the saved texts')
})

test('whoever has gone elsewhere while a collection is sent stays there', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Degree')
  const gateway = await useGateway()
  gateway.trouble(`POST /collections/${id}/save/`, 'late')
  const person = await openAs('ada', '/collection', ['/about'])
  await choose(person, 'Degree', 'Send for review')
  await confirm(person, 'Send for review')
  await waitFor(() => expect(gateway.calls).toContain(`POST /collections/${id}/save/`))
  goBack()
  await waitFor(() => expect(readPath()).toBe('/about'))
  gateway.release()
  const notice = within(await screen.findByRole('alertdialog', { name: 'Sent!' }))
  await person.click(notice.getByRole('button'))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(readPath()).toBe('/about')
})
