import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { endSession } from '../../lib/session.ts'
import { makeApprovedCollection, makeCollection, makeSentCollection, PNG } from '../../testing/made-collections.ts'
import { goBack, openApp, openAs, readPath } from '../../testing/open-app.tsx'
import { useGateway } from '../../testing/gateway.ts'
import { leaveServer, useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'

test('2.88 2.89 2.90 the heading follows the state, and what may not be done is not offered', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const open = await makeCollection(ada, 'Open one', 0)
  const sent = await makeSentCollection(ada, 'Sent one')
  const expiry = new Date(server.clock.now() + 60_000).toISOString()
  const expired = await makeApprovedCollection(ada, sam, 'Old one', expiry)
  server.clock.advance(61_000)
  await signIn('ada')

  openApp(`/content/${open.id}`)
  await screen.findByRole('heading', { name: 'Collection Management: Open one' })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send for review' }).disabled).toBe(true)
  expect(screen.getByText('Add at least one file before you send this collection for review.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Add Content' })).toBeDefined()

  openApp(`/content/${sent.id}`)
  await screen.findByRole('heading', { name: 'Your Collection is Locked : Sent one' })
  openApp(`/content/${expired.id}`)
  await screen.findByRole('heading', { name: 'Your Collection Deactived or Expired: Old one' })
  await screen.findByText('No longer in force')
  expect(screen.getAllByRole('button', { name: 'Add Content' })).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
})

test.each(['/content/999', '/content/abc', '/content/0'])(
  '%s is told in the words of the specification, with the way back',
  async (path) => {
    const server = await useRealServer()
    await server.createUser({ username: 'ada' })
    await openAs('ada', path)
    // The words stand alone; why stands below them.
    await screen.findByText('Failed to load collection details')
    expect(screen.getByText('There is no such collection, or it is not yours to see.')).toBeDefined()
    expect(screen.queryByText('Page Not Found')).toBeNull()
    expect(screen.getByRole('link', { name: 'Back to the collections' }).getAttribute('href')).toBe('/collection')
  },
)

test('what is another’s looks as if it did not exist', async () => {
  const server = await useRealServer()
  const { id } = await makeCollection(await server.signIn('ada'), 'Private', 0)
  await server.createUser({ username: 'eve' })
  await openAs('eve', `/content/${id}`)
  await screen.findByText('Failed to load collection details')
  expect(screen.getByText('There is no such collection, or it is not yours to see.')).toBeDefined()
  expect(document.body.textContent).not.toContain('Private')
})

test('8.33 without an answer the words of the specification stand alone, and the reason on a second line', async () => {
  const server = await useRealServer()
  const { id } = await makeCollection(await server.signIn('ada'), 'Degree', 0)
  await signIn('ada')
  leaveServer()
  openApp(`/content/${id}`)
  await screen.findByText('Failed to load collection details', {}, { timeout: 12_000 })
  expect(screen.getByText('The server does not answer.').tagName).toBe('SPAN')
}, 20_000)

test('the menu has an active entry on a collection, and the way back keeps filter and search', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await makeCollection(ada, 'Degree', 0)
  const person = await openAs('ada', '/collection?status=opened&search=deg')
  await person.click(await screen.findByRole('link', { name: 'Degree' }))
  await screen.findByRole('heading', { name: 'Collection Management: Degree' })
  const [entry] = screen.getAllByRole('link', { name: 'Collection' })
  expect(entry?.getAttribute('aria-current')).toBe('true')
  expect(screen.getAllByRole('link', { name: 'Dashboard' })[0]?.getAttribute('aria-current')).toBeNull()
  await person.click(screen.getByRole('link', { name: 'Back to the collections' }))
  await waitFor(() => expect(readPath()).toBe('/collection?status=opened&search=deg'))
})

test('going back to a list goes on at the row that led away, else at the heading', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  for (const title of ['Degree', 'Lease']) await makeCollection(ada, title, 0)
  const person = await openAs('ada', '/collection')
  const link = await screen.findByRole('link', { name: 'Degree' })
  link.focus()
  await person.keyboard('{Enter}')
  await screen.findByRole('heading', { name: 'Collection Management: Degree' })
  goBack()
  await screen.findByRole('heading', { name: 'Collection Management' })
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Degree' })))
  await person.click(screen.getAllByRole('link', { name: 'Profile' })[0]!)
  await screen.findByRole('heading', { name: 'Profile Management' })
  goBack()
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Collection Management' })),
  )
})

test('the way back shows nothing of what the person before had searched for', async () => {
  const server = await useRealServer()
  const [ada] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  await makeSentCollection(ada, 'Degree')
  const person = await openAs('ada', '/collection?search=deg')
  await person.click(await screen.findByRole('link', { name: 'Degree' }))
  await screen.findByRole('link', { name: 'Back to the collections' })
  await act(() => signIn('sam'))
  const back = await screen.findByRole('link', { name: 'Back to the collections' })
  expect(back.getAttribute('href')).toBe('/collection')
})

test('2.175 a file goes to the top or the bottom of many at once, by one call', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Degree', 4)
  const gateway = await useGateway()
  const person = await openAs('ada', `/content/${id}`)
  const choose = async (file: string, entry: string) => {
    await person.click(await screen.findByRole('button', { name: `Options of TYPE1, ${file}` }))
    await person.click(await screen.findByRole('menuitem', { name: entry }))
  }
  const files = () =>
    screen.queryAllByRole('button', { name: /^View / }).map((button) => /file-\d/.exec(button.ariaLabel ?? '')?.[0])

  await choose('file-1.png', 'Move to the top')
  await screen.findByText('Now file 4 of 4 in the certified PDF.')
  expect(files()).toEqual(['file-1', 'file-4', 'file-3', 'file-2'])
  await choose('file-4.png', 'Move to the bottom')
  await screen.findByText('Now file 1 of 4 in the certified PDF.')
  expect(files()).toEqual(['file-1', 'file-3', 'file-2', 'file-4'])
  expect(gateway.calls.filter((call) => call === 'POST /contents/order/').length).toBe(2)
  await person.click(screen.getByRole('button', { name: 'Options of TYPE1, file-4.png' }))
  for (const entry of ['Move to the bottom', 'Move down'])
    expect((await screen.findByRole('menuitem', { name: entry })).getAttribute('aria-disabled')).toBe('true')
})

test('the owner renames, moves and replaces files from the row’s menu; reviewers have no such menu', async () => {
  const server = await useRealServer()
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { id } = await makeCollection(ada, 'Degree', 2)
  const gateway = await useGateway()
  const person = await openAs('ada', `/content/${id}`)
  const choose = async (file: string, entry: string) => {
    await person.click(await screen.findByRole('button', { name: new RegExp(`^Options of .*, ${file}$`) }))
    await person.click(await screen.findByRole('menuitem', { name: entry }))
  }
  const files = () =>
    screen.queryAllByRole('button', { name: /^View / }).map((button) => button.getAttribute('aria-label'))

  await choose('file-1.png', 'Rename')
  const dialog = await screen.findByRole('dialog', { name: 'Rename file' })
  await person.selectOptions(within(dialog).getByLabelText('Title type'), 'OTHER')
  await person.click(within(dialog).getByRole('button', { name: 'Save title' }))
  await within(dialog).findByText('A title is required.')
  await person.type(within(dialog).getByLabelText('Title'), 'Diploma{Enter}')
  await screen.findByRole('button', { name: 'View Diploma, file-1.png' })

  expect(files()).toEqual(['View TYPE1, file-2.png', 'View Diploma, file-1.png'])
  gateway.trouble('POST /contents/order/', 'late')
  await choose('file-1.png', 'Move up')
  // Until that order is saved there is no other.
  await person.click(screen.getByRole('button', { name: 'Options of Diploma, file-1.png' }))
  for (const entry of await screen.findAllByRole('menuitem', { name: /^Move/ }))
    expect(entry.getAttribute('aria-disabled')).toBe('true')
  await person.keyboard('{Escape}')
  gateway.release()
  await screen.findByText('Now file 2 of 2 in the certified PDF.')
  expect(files()).toEqual(['View Diploma, file-1.png', 'View TYPE1, file-2.png'])
  await person.click(screen.getByRole('button', { name: 'Options of Diploma, file-1.png' }))
  const up = await screen.findByRole('menuitem', { name: 'Move up' })
  expect(up.getAttribute('aria-disabled')).toBe('true')
  await person.keyboard('{Escape}')

  await choose('file-1.png', 'Replace file')
  const control = screen.getByLabelText('The file that takes its place')
  await person.upload(control, new File(['no picture'], 'scan.png', { type: 'image/png' }))
  await screen.findByText('Only PDF, JPEG and PNG files are accepted.')
  expect(screen.getByRole('button', { name: 'View Diploma, file-1.png' })).toBeDefined()
  await person.upload(control, new File([PNG], 'scan.png', { type: 'image/png' }))
  await screen.findByRole('button', { name: 'View Diploma, scan.png' })
  await screen.findByText('File replaced.')
  expect(files()).toEqual(['View Diploma, scan.png', 'View TYPE1, file-2.png'])

  await ada.post(`/collections/${id}/save/`)
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Options of/ })).toBeNull())
  cleanup()
  await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 is missing' })
  await openAs('sam', `/content/${id}`)
  await screen.findByRole('button', { name: 'View Diploma, scan.png' })
  expect(screen.queryByRole('button', { name: /^Options of/ })).toBeNull()
})

test('2.96 5.17 5.18 5.21 8.32 8.58 a content needs a file, and a title when its type is OTHER; a refused file is kept for another try', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = await makeCollection(ada, 'Degree', 0)
  const person = await openAs('ada', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Add Content' }))
  await screen.findByText('Please choose a file.')

  await person.selectOptions(screen.getByLabelText('Title type'), 'OTHER')
  await person.click(screen.getByRole('button', { name: 'Add Content' }))
  await screen.findByText('Cannot create content: invalid title or collection is locked')

  await person.type(screen.getByLabelText('Title'), 'x'.repeat(21))
  await person.upload(screen.getByLabelText('File'), new File(['no picture'], 'scan.png', { type: 'image/png' }))
  await person.click(screen.getByRole('button', { name: 'Add Content' }))
  await screen.findByText('A title may have at most 20 characters.')
  await person.clear(screen.getByLabelText('Title'))
  await person.type(screen.getByLabelText('Title'), 'Diploma')
  await person.click(screen.getByRole('button', { name: 'Add Content' }))
  await screen.findByText('Only PDF, JPEG and PNG files are accepted.')
  expect(screen.getByText('scan.png')).toBeDefined()
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Diploma')

  await person.upload(screen.getByLabelText('File'), new File([PNG], 'scan.png', { type: 'image/png' }))
  await person.click(screen.getByRole('button', { name: 'Add Content' }))
  await screen.findByText('Content created!')
  await screen.findByRole('button', { name: 'View Diploma, scan.png' })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send for review' }).disabled).toBe(false)

  await person.click(screen.getByRole('button', { name: 'Delete Diploma, scan.png' }))
  const question = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
  within(question).getByText('“Diploma” (scan.png) will be removed from this collection.')
  expect((await ada.get(`/contents/?collection=${id}`)).json().count).toBe(1)
  await person.click(within(question).getByRole('button', { name: 'Delete' }))
  await screen.findByText('No files yet')
})

test('2.97 2.99 4.35 5.23 8.63 an approval needs a description and an expiry, sent in UTC, and leads to the dashboard', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const person = await openAs('sam', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Approve' }))
  const dialog = await screen.findByRole('dialog', { name: 'Approve collection' })
  await person.click(within(dialog).getByRole('button', { name: 'Approve' }))
  await screen.findByText('A description is required.')
  for (const term of within(dialog).getAllByRole<HTMLInputElement>('radio')) expect(term.required).toBe(true)
  const description = within(dialog).getByLabelText('Admin description')
  await waitFor(() => expect(document.activeElement).toBe(description))
  await person.type(description, 'All good')
  await person.type(within(dialog).getByLabelText('Expire time'), '2099-01-31T18:00')
  await person.click(within(dialog).getByRole('button', { name: 'Approve' }))
  await screen.findByText('Approved!', {}, { timeout: 8000 })
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  const approved = (await ada.get(`/collections/${id}`)).json()
  expect(approved.expire_time).toBe(new Date(2099, 0, 31, 18, 0).toISOString())
  expect(approved.admin_desc).toBe('All good')
})

test('a term is one choice, stands in the date field, is remembered after signing out, and is each person’s own', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  for (const username of ['sam', 'stu']) await server.createUser({ username, is_staff: true })
  const ids = []
  for (const title of ['One', 'Two', 'Three']) ids.push((await makeSentCollection(ada, title)).id)
  const openDialog = async (username: string, id: number | undefined) => {
    const person = await openAs(username, `/content/${id}`)
    await person.click(await screen.findByRole('button', { name: 'Approve' }))
    return { person, dialog: within(await screen.findByRole('dialog', { name: 'Approve collection' })) }
  }

  const first = await openDialog('sam', ids[0])
  const date = first.dialog.getByLabelText<HTMLInputElement>('Expire time')
  expect(date.value).toBe('')
  expect(first.dialog.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual([
    'No expiry',
    '1 year',
    '2 years',
    '5 years',
    '10 years',
  ])
  const before = new Date()
  await first.person.click(first.dialog.getByRole('radio', { name: '2 years' }))
  expect(new Date(date.value).getFullYear() - before.getFullYear()).toBe(2)
  await first.person.type(first.dialog.getByLabelText('Admin description'), 'Fine{Control>}{Enter}{/Control}')
  await screen.findByText('Approved!', {}, { timeout: 8000 })
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  cleanup()
  endSession()

  const second = await openDialog('sam', ids[1])
  expect(second.dialog.getByRole<HTMLInputElement>('radio', { name: '2 years' }).checked).toBe(true)
  await second.person.click(second.dialog.getByRole('radio', { name: 'No expiry' }))
  expect(second.dialog.getByLabelText<HTMLInputElement>('Expire time').value).toBe('')
  await second.person.type(second.dialog.getByLabelText('Admin description'), 'Fine{Meta>}{Enter}{/Meta}')
  await waitFor(() => expect(readPath()).toBe('/dashboard'), { timeout: 8000 })
  expect((await ada.get(`/collections/${ids[1]}`)).json().expire_time).toBeNull()
  cleanup()
  endSession()

  const other = await openDialog('stu', ids[2])
  const chosen = other.dialog.getAllByRole<HTMLInputElement>('radio').filter(({ checked }) => checked)
  expect(chosen.map(({ value }) => value)).toEqual(['never'])
}, 40_000)

test('5.24 an approval without expiry needs the description alone, also with the keyboard; emptying the date means never', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const person = await openAs('sam', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Approve' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Approve collection' }))
  const never = dialog.getByRole<HTMLInputElement>('radio', { name: 'No expiry' })
  const date = dialog.getByLabelText<HTMLInputElement>('Expire time')
  expect([never.checked, date.required]).toEqual([true, false])
  await person.type(date, '2099-01-31T18:00')
  expect([never.checked, date.required]).toEqual([false, true])
  await person.clear(date)
  expect([never.checked, date.required]).toEqual([true, false])
  await person.type(dialog.getByLabelText('Admin description'), 'All good{Control>}{Enter}{/Control}')
  await screen.findByText('Approved!', {}, { timeout: 8000 })
  expect((await ada.get(`/collections/${id}`)).json()).toMatchObject({ expire_time: null, admin_desc: 'All good' })
})

test('a reviewer saves a reason, finds it for the next rejection, and forgets it', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const [one, two] = [await makeSentCollection(ada, 'One'), await makeSentCollection(ada, 'Two')]
  const person = await openAs('sam', `/content/${one.id}`)
  await person.click(await screen.findByRole('button', { name: 'Reject' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reject collection' }))
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save this text' }).disabled).toBe(true)
  await person.type(dialog.getByLabelText('Admin description'), 'Page 2 is not signed.')
  await person.click(dialog.getByRole('button', { name: 'Save this text' }))
  await dialog.findByRole('button', { name: 'Forget this text' })
  cleanup()
  endSession()

  const again = await openAs('sam', `/content/${two.id}`)
  await again.click(await screen.findByRole('button', { name: 'Reject' }))
  const next = within(await screen.findByRole('dialog', { name: 'Reject collection' }))
  await again.selectOptions(await next.findByLabelText('Saved texts'), 'Page 2 is not signed.')
  const text = next.getByLabelText<HTMLTextAreaElement>('Admin description')
  expect(text.value).toBe('Page 2 is not signed.')
  await again.click(next.getByRole('button', { name: 'Forget this text' }))
  await waitFor(() => expect(next.queryByLabelText('Saved texts')).toBeNull())
  expect(text.value).toBe('Page 2 is not signed.')
})

test('after a decision the number of those that wait is right at once, before the server is asked again', async () => {
  const server = await useRealServer()
  const gateway = await useGateway()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'First')
  for (const title of ['Second', 'Third']) await makeSentCollection(ada, title)
  const person = await openAs('sam', `/content/${id}`)
  await screen.findByText('1 of 3 waiting')
  gateway.trouble('GET /admin/queue/', 'late')
  await person.click(screen.getByRole('button', { name: 'Reject' }))
  const dialog = await screen.findByRole('dialog', { name: 'Reject collection' })
  await person.type(within(dialog).getByLabelText('Admin description'), 'Page 3{Control>}{Enter}{/Control}')
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  await screen.findByText('2 collections wait for your decision')
  expect(screen.queryByText('3 collections wait for your decision')).toBeNull()
  expect(screen.getByRole('link', { name: 'Next collection: Second' })).toBeDefined()
})

test('5.25 8.64 a rejection needs a description', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const person = await openAs('sam', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Reject' }))
  const dialog = await screen.findByRole('dialog', { name: 'Reject collection' })
  await person.click(within(dialog).getByRole('button', { name: 'Reject' }))
  await screen.findByText('A description is required.')
  expect(server.logLines.filter((line) => line.includes('/reject'))).toEqual([])
  expect((await ada.get(`/collections/${id}`)).json().is_locked).toBe(true)
  await person.type(within(dialog).getByLabelText('Admin description'), 'Page 3 is missing')
  await person.click(within(dialog).getByRole('button', { name: 'Reject' }))
  await screen.findByText('Rejected!')
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  expect((await ada.get(`/collections/${id}`)).json()).toMatchObject({
    is_locked: false,
    admin_desc: 'Page 3 is missing',
  })
})

test('a description that was typed outlives the dialog, and a refusal, until the decision is made', async () => {
  const server = await useRealServer()
  const gateway = await useGateway()
  const ada = await server.signIn('ada')
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const person = await openAs('sam', `/content/${id}`)
  const openDialog = async () => {
    await person.click(await screen.findByRole('button', { name: 'Reject' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject collection' }))
    return { dialog, description: dialog.getByLabelText<HTMLTextAreaElement>('Admin description') }
  }
  const first = await openDialog()
  await person.type(first.description, 'Page 3 is missing')
  gateway.trouble(`POST /admin/${id}/reject/`, 'refused')
  await person.click(first.dialog.getByRole('button', { name: 'Reject' }))
  await first.dialog.findByRole('alert')
  await person.click(first.dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  gateway.mend(`POST /admin/${id}/reject/`)
  const again = await openDialog()
  expect(again.description.value).toBe('Page 3 is missing')
  await person.click(again.dialog.getByRole('button', { name: 'Reject' }))
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
})

test('2.100 8.15 a decision that comes too late is told, and nothing is left to decide', async () => {
  const server = await useRealServer()
  const [ada, sue] = [await server.signIn('ada'), await server.signIn('sue', { is_superuser: true })]
  await server.createUser({ username: 'sam', is_staff: true })
  const { id } = await makeSentCollection(ada, 'Degree')
  const person = await openAs('sam', `/content/${id}`)
  await person.click(await screen.findByRole('button', { name: 'Reject' }))
  const dialog = await screen.findByRole('dialog', { name: 'Reject collection' })
  const description = within(dialog).getByLabelText('Admin description')
  await person.type(description, 'Admin Not approve yet')
  await person.click(within(dialog).getByRole('button', { name: 'Reject' }))
  await screen.findByText(/^Please describe why/)
  await person.type(description, '!')
  await sue.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is missing' })
  await person.click(within(dialog).getByRole('button', { name: 'Reject' }))
  await screen.findByText('Page 3 is missing')
  const alerts = screen.getAllByRole('alert').map((alert) => alert.textContent)
  expect(alerts).toContain('This collection is no longer waiting for a decision. Please reload.')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull())
  expect(readPath()).toBe(`/content/${id}`)
})
