import type { TestServer } from '@proofdesk/server/testing'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { endSession, readSession, suspendSession } from '../lib/session.ts'
import { makeCollection } from '../testing/made-collections.ts'
import { openApp, openAs, readPath } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'

const SIGNED_OUT = 'You were signed out'
const commentField = () => screen.findByLabelText<HTMLTextAreaElement>('Comment')

/** Ada's collection with a comment that is typed and not sent. */
async function typeComment(server: TestServer, text = 'Half a sentence'): Promise<{ person: UserEvent; path: string }> {
  await server.createUser({ username: 'ada' })
  const { id } = await makeCollection(await server.signIn('bea'), 'Degree')
  const { id: userId } = await server.deps.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', 'ada')
    .executeTakeFirstOrThrow()
  await server.deps.db.updateTable('collections').set({ owner_id: userId }).where('id', '=', id).execute()
  await signIn('ada')
  const path = `/content/${id}`
  const person = openApp(path)
  await person.type(await commentField(), text)
  return { person, path }
}

const listDrafts = () =>
  Object.entries(sessionStorage).flatMap(([key, text]) => (key.startsWith('draft:') ? [String(text)] : []))

const endSessions = (server: TestServer) => server.deps.db.deleteFrom('sessions').execute()

async function signInByForm(person: UserEvent, username?: string) {
  const dialog = within(await screen.findByRole('dialog', { name: SIGNED_OUT }))
  const name = await dialog.findByLabelText('Username')
  if (username !== undefined) {
    await person.clear(name)
    await person.type(name, username)
  }
  await person.type(dialog.getByLabelText('Password'), 'Secret1!')
  await person.click(dialog.getByRole('button', { name: 'Login' }))
}

test('a session that ends in the middle of work is told, signed in again in place, and the work goes on', async () => {
  const server = await useRealServer()
  const { person, path } = await typeComment(server)
  await endSessions(server)
  await person.click(screen.getByRole('button', { name: 'Send' }))
  const dialog = await screen.findByRole('dialog', { name: SIGNED_OUT })
  expect(dialog.textContent).toContain('Your session has ended.')
  expect(within(dialog).getByLabelText<HTMLInputElement>('Username').value).toBe('ada')
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText('Password')))
  expect(readPath()).toBe(path)
  expect((await commentField()).value).toBe('Half a sentence')
  // No key takes the screen away.
  await person.keyboard('{Escape}')
  expect(screen.getByRole('dialog', { name: SIGNED_OUT })).toBeDefined()

  await signInByForm(person)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await screen.findByText('Comment created')
  expect((await commentField()).value).toBe('')
  expect(readPath()).toBe(path)
  const texts = await server.deps.db.selectFrom('comments').select('text').execute()
  expect(texts.map(({ text }) => text)).toEqual(['Half a sentence'])
})

test('a provider’s button says that it leaves the page, and one comes back to it', async () => {
  const server = await useRealServer({
    config: {
      identityProviders: [
        {
          id: 'oidc',
          name: 'City ID',
          issuer: 'https://id.example',
          clientId: 'c',
          clientSecret: 's',
          hasButton: true,
        },
      ],
    },
  })
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/collection?search=degree')
  await screen.findByLabelText('Collection title')
  act(() => suspendSession())
  await person.click(await screen.findByRole('button', { name: 'Leave this page and sign in with City ID' }))
  cleanup()
  endSession()
  // As the server leads back from there; here it failed, and the password is used instead.
  const back = openApp('/login#provider_error=provider_login_failed')
  await screen.findByRole('alertdialog')
  await back.click(screen.getByRole('button', { name: 'OK' }))
  await act(() => signIn('ada'))
  await waitFor(() => expect(readPath()).toBe('/collection?search=degree'))
})

test('whoever stays signed out is led to the sign-in, and finds the draft again afterwards', async () => {
  const server = await useRealServer()
  const { person, path } = await typeComment(server)
  await endSessions(server)
  await person.click(screen.getByRole('button', { name: 'Send' }))
  const dialog = within(await screen.findByRole('dialog', { name: SIGNED_OUT }))
  await person.click(dialog.getByRole('button', { name: 'Stay signed out' }))
  await screen.findByRole('heading', { name: 'Login' })
  expect(readSession()).toEqual({ phase: 'signed-out' })
  // A lease of the tab lock may stand until the request that holds it has ended.
  await waitFor(() => expect(Object.keys(localStorage)).toEqual([]))

  await person.type(screen.getByLabelText('Username'), 'ada')
  await person.type(screen.getByLabelText('Password'), 'Secret1!')
  await person.click(screen.getByRole('button', { name: 'Login' }))
  expect((await commentField()).value).toBe('Half a sentence')
  expect(readPath()).toBe(path)
})

test('somebody else who signs in over the screen sees nothing of what was typed, and sends none of it', async () => {
  const server = await useRealServer()
  const { person } = await typeComment(server, 'For Ada alone')
  await endSessions(server)
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await signInByForm(person, 'bea')
  await waitFor(() => expect(readSession()).toMatchObject({ user: { username: 'bea' } }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: SIGNED_OUT })).toBeNull())
  expect(screen.queryByDisplayValue('For Ada alone')).toBeNull()
  expect(await server.deps.db.selectFrom('comments').select('id').execute()).toEqual([])
})

test('logging out takes the drafts with it; posting a comment takes its own', async () => {
  const { person } = await typeComment(await useRealServer())
  expect(listDrafts()).toEqual(['Half a sentence'])
  await person.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText('Comment created')
  expect(listDrafts()).toEqual([])
  await person.type(await commentField(), 'Another')
  await person.click(screen.getByRole('button', { name: 'Logout' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Are you sure?' }))
  await person.click(question.getByRole('button', { name: 'Logout' }))
  await screen.findByRole('link', { name: 'Get Started' })
  expect(listDrafts()).toEqual([])
})

test('titles and messages that were begun are there again after a reload', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  const { id } = (await ada.post('/ticket/', { title: 'Lost seal' })).json() as { id: number }
  const begun: [path: string, label: string][] = [
    ['/collection', 'Collection title'],
    [`/ticket?ticket=${id}`, 'Message'],
  ]
  for (const [path, label] of begun) {
    const person = await openAs('ada', path)
    if (path.startsWith('/ticket')) await person.click(await screen.findByText('Lost seal'))
    await person.type(await screen.findByLabelText(label), `Begun at ${label}`)
    cleanup()
    openApp(path)
    if (path.startsWith('/ticket')) await person.click(await screen.findByText('Lost seal'))
    expect((await screen.findByLabelText<HTMLInputElement>(label)).value).toBe(`Begun at ${label}`)
    cleanup()
    act(() => endSession())
  }
})
