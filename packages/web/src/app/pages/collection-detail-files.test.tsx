import { cleanup, isInaccessible, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useGateway } from '../../testing/gateway.ts'
import { makeApprovedCollection, makeCollection, makeSentCollection } from '../../testing/made-collections.ts'
import { openApp, openAs } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

test('a new title of a file that is on its way keeps its dialog, in which a refusal is told', async () => {
  const server = await useRealServer()
  const { id } = await makeCollection(await server.signIn('ada'), 'Degree', 1)
  const gateway = await useGateway()
  gateway.trouble('PATCH /contents/1/', 'late')
  const person = await openAs('ada', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: /^Options of .*, file-1.png$/ }))
  await person.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename file' }))
  await person.selectOptions(dialog.getByLabelText('Title type'), 'OTHER')
  await person.click(dialog.getByRole('button', { name: 'Save title' }))
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true'))
  await person.selectOptions(dialog.getByLabelText('Title type'), 'TYPE1')
  await person.click(dialog.getByRole('button', { name: 'Save title' }))
  await person.keyboard('{Escape}')
  expect(screen.getByRole('dialog')).toBeDefined()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true)

  await server.deps.db.deleteFrom('contents').execute()
  gateway.release()
  await dialog.findByRole('alert')
  await person.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a button keeps the focus while the file it opens is fetched, and asks for it once', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { id } = await makeApprovedCollection(ada, sam, 'Degree')
  const tabs = vi.spyOn(window, 'open').mockReturnValue(null)
  onTestFinished(() => tabs.mockRestore())
  const gateway = await useGateway()
  const person = await openAs('ada', `/content/${id}`)
  const opened = {
    'View PDF': 'GET /content-servers/serve/',
    'Open TYPE1, file-1.png in a new tab': 'GET /contents/serve/',
  }
  for (const call of Object.values(opened)) gateway.trouble(call, 'late')
  const buttons: HTMLButtonElement[] = []
  for (const [name, call] of Object.entries(opened)) {
    const button = await screen.findByRole<HTMLButtonElement>('button', { name })
    const before = gateway.calls.filter((made) => made === call).length
    button.focus()
    await person.keyboard('{Enter}{Enter}')
    await waitFor(() => expect(gateway.calls.filter((made) => made === call)).toHaveLength(before + 1))
    expect(button.getAttribute('aria-busy')).toBe('true')
    expect(button.disabled).toBe(false)
    expect(document.activeElement).toBe(button)
    buttons.push(button)
  }
  expect(screen.getByRole('button', { name: 'Download' }).hasAttribute('aria-busy')).toBe(false)
  gateway.release()
  for (const button of buttons) await waitFor(() => expect(button.getAttribute('aria-busy')).not.toBe('true'))
})

test('that a file could not be viewed stands there no longer once one is viewed again', async () => {
  const server = await useRealServer()
  const { id } = await makeCollection(await server.signIn('ada'), 'Degree')
  const gateway = await useGateway()
  gateway.trouble('GET /contents/serve/', 'refused')
  const person = await openAs('ada', `/content/${id}`)
  const view = await screen.findByRole('button', { name: 'View TYPE1, file-1.png' })
  await person.click(view)
  await screen.findByText('Failed to view file')
  gateway.mend('GET /contents/serve/')
  await person.click(view)
  expect(screen.queryByText('Failed to view file')).toBeNull()
  await screen.findByRole('dialog', { name: 'TYPE1' })
})

test('once an approval expires its files and its certificate are loaded again, too', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const expiry = server.clock.now() + 600_000
  const { id } = await makeApprovedCollection(ada, sam, 'Short-lived', new Date(expiry).toISOString())
  const gateway = await useGateway()
  const shown = () => gateway.calls.filter((call) => call === 'GET /content-servers/show/').length
  const row = () => screen.getByRole('button', { name: /^View TYPE1/ }).closest('tr')
  server.clock.advance(expiry - server.clock.now() - 8000)
  await openAs('ada', `/content/${id}`)
  await screen.findByRole('button', { name: /^View TYPE1/ })
  await waitFor(() => expect(shown()).toBe(1))
  expect(row()?.textContent).toContain('ActiveYes')
  await screen.findByText('No longer in force')
  await waitFor(() => expect(row()?.textContent).toContain('ActiveNo'))
  await waitFor(() => expect(shown()).toBe(2))
})

test('of several files that are deleted at once each is told of', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Degree', 2)
  const { results } = (await ada.get(`/contents/?collection=${id}`)).json() as { results: { id: number }[] }
  const [second, first] = results.map((content) => `DELETE /contents/${content.id}/`)
  const gateway = await useGateway()
  const person = await openAs('ada', `/content/${id}`)
  const remove = async (file: string) => {
    await person.click(await screen.findByRole('button', { name: `Delete TYPE1, ${file}` }))
    const question = within(await screen.findByRole('alertdialog', { name: 'Are you sure?' }))
    await person.click(question.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  }
  const isBusy = (file: string) =>
    screen.getByRole('button', { name: `Delete TYPE1, ${file}` }).getAttribute('aria-busy')
  gateway.trouble(second ?? '', 'late')
  gateway.trouble(first ?? '', 'refused')
  await remove('file-2.png')
  await waitFor(() => expect(isBusy('file-2.png')).toBe('true'))
  await remove('file-1.png')
  await screen.findByText('Failed to delete content')
  expect(isBusy('file-2.png')).toBe('true')
  gateway.release()
  await screen.findByText('Deleted!')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete TYPE1, file-2.png' })).toBeNull())
})

test('an order that was refused does not stay on screen, also where the files cannot be loaded anew', async () => {
  const server = await useRealServer()
  const { id } = await makeCollection(await server.signIn('ada'), 'Degree', 2)
  const gateway = await useGateway()
  const person = await openAs('ada', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Options of TYPE1, file-1.png' }))
  for (const call of ['POST /contents/order/', 'GET /contents/']) gateway.trouble(call, 'refused')
  await person.click(await screen.findByRole('menuitem', { name: 'Move up' }))
  await screen.findByText('Failed to change the order')
  const files = screen.getAllByRole('button', { name: /^View / }).map((button) => button.ariaLabel)
  expect(files).toEqual(['View TYPE1, file-2.png', 'View TYPE1, file-1.png'])
})

test('whoever removes the last file of somebody else’s collection is not asked to add the first', async () => {
  const server = await useRealServer()
  const { id } = await makeCollection(await server.signIn('ada'), 'Degree', 1)
  await server.createUser({ username: 'sam', is_staff: true })
  const person = await openAs('sam', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Delete TYPE1, file-1.png' }))
  await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  await screen.findByText('This collection holds no files at the moment.')
  expect(screen.getByText('No files')).toBeDefined()
})

test('each file is chosen by the one control that is seen: what opens the dialog of the browser is not read out beside it', async () => {
  const server = await useRealServer()
  const { id } = await makeCollection(await server.signIn('ada'), 'Degree', 0)
  await openAs('ada', `/content/${id}`)
  await screen.findByRole('button', { name: 'Choose files' })
  const listInputs = () => [...document.querySelectorAll('input[type=file]')]
  expect(listInputs().map((input) => input.ariaLabel)).toEqual(['The file that takes its place', 'File'])
  expect(listInputs().filter((input) => !isInaccessible(input))).toEqual([])
  cleanup()
  openApp('/service-content')
  await screen.findByRole('button', { name: 'Choose a file' })
  expect(listInputs()).toHaveLength(1)
  expect(listInputs().filter((input) => !isInaccessible(input))).toEqual([])
})

test('what leads on through the queue, the way back and a column of buttons are not on the paper of a reviewer', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { id } = await makeApprovedCollection(ada, sam, 'Degree')
  await makeSentCollection(ada, 'Waits')
  await openAs('sam', `/content/${id}`)
  const isOnPaper = (element: Element) => element.closest('[class*="print:hidden"]') === null
  const row = within((await screen.findByText('file-1.png')).closest('tr')!)
  expect(isOnPaper(await screen.findByText('1 waiting'))).toBe(false)
  expect(isOnPaper(screen.getByRole('link', { name: 'Back to the collections' }))).toBe(false)
  expect(isOnPaper(screen.getByRole('columnheader', { name: 'Actions' }))).toBe(false)
  expect(isOnPaper(row.getByText('–'))).toBe(false)
  expect(isOnPaper(screen.getByRole('columnheader', { name: 'Type' }))).toBe(true)
  expect(isOnPaper(row.getByText('file-1.png'))).toBe(true)
})
