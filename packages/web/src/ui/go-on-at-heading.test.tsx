import { screen, waitFor, within } from '@testing-library/react'
import { beginSetup, setTwoFactor } from '@proofdesk/contract/two-factor'
import { codeOf, findToken, type TestServer } from '@proofdesk/server/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { call } from '../lib/call.ts'
import { useGateway } from '../testing/gateway.ts'
import { makeCollection } from '../testing/made-collections.ts'
import { openAs, openApp } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'

interface Case {
  path: string
  broken: string
  /** Heading where whoever tries again goes on. */
  heading: string | RegExp
  prepare?: (server: TestServer) => Promise<unknown>
  /** Chosen on the screen, which fails then. */
  chosen?: string
}

const addTicket = async (server: TestServer) => (await server.signIn('ada')).post('/ticket/', { title: 'Lost seal' })
const addCollection = async (server: TestServer) => makeCollection(await server.signIn('ada'), 'Degree', 0)

test.each<Case>([
  { path: '/content/1', broken: 'GET /comments/', heading: 'Comments', prepare: addCollection },
  { path: '/content/1', broken: 'GET /collections/1', heading: /Degree$/, prepare: addCollection },
  { path: '/ticket', broken: 'GET /ticket/1/', heading: /^Conv/, prepare: addTicket, chosen: 'Lost seal' },
  { path: '/ticket', broken: 'GET /conversation/', heading: /^Conv/, prepare: addTicket, chosen: 'Lost seal' },
  { path: '/profile', broken: 'GET /profile/info/', heading: 'Profile Management' },
  { path: '/profile', broken: 'GET /profile/sessions/', heading: 'Your Sessions' },
  { path: '/api', broken: 'GET /openapi.json', heading: 'API reference' },
])(
  'whoever tries $broken of $path again goes on at the heading',
  async ({ path, broken, heading, prepare, chosen }) => {
    const server = await useRealServer()
    await server.createUser({ username: 'ada' })
    await prepare?.(server)
    const gateway = await useGateway()
    gateway.trouble(broken, 'refused')
    const person = await openAs('ada', path)
    if (chosen) await person.click(await screen.findByRole('button', { name: chosen }))
    const retry = await screen.findByRole('button', { name: 'Try again' })
    await waitFor(() => expect(retry.getAttribute('aria-busy')).toBeNull())
    gateway.mend(broken)
    retry.focus()
    await person.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: heading })))
  },
)

/** Opens a log that cannot be read, and is read again once it is let go. */
async function openUnreadLog(server: TestServer) {
  await server.deps.log.sign()
  const { fetch } = globalThis
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let isAway = true
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (isAway) throw new TypeError('away')
    await released
    return fetch(new URL(path, location.href), init)
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const person = openApp('/transparency')
  const retry = await screen.findByRole('button', { name: 'Try again' })
  isAway = false
  await person.click(retry)
  await waitFor(() => expect(retry.isConnected).toBe(false))
  return { person, release }
}

test('whoever reads the log again waits at its place, and goes on at what has come', async () => {
  const { release } = await openUnreadLog(await useRealServer())
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Loading'))
  release()
  await screen.findByText('Checked in this browser')
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'The log as it is now' })),
  )
})

test('whoever has gone elsewhere meanwhile is left alone', async () => {
  const { person, release } = await openUnreadLog(await useRealServer())
  await person.tab({ shift: true })
  const chosen = document.activeElement
  expect(chosen?.textContent).toBe('Look a document up by its Proof ID')
  release()
  await screen.findByText('Checked in this browser')
  expect(document.activeElement).toBe(chosen)
})

test('whoever turns two-factor off goes on at the heading of that: the button is gone with it', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const { secret } = await call(beginSetup, {})
  await call(setTwoFactor, { body: { otp: codeOf(secret, server.clock.now()) } })
  const person = openApp('/profile')
  await person.click(await screen.findByRole('button', { name: 'Disable 2FA' }))
  await person.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Disable 2FA' }))
  const notice = await screen.findByRole('alertdialog', { name: '2FA disabled successfully' })
  await screen.findByText('Off')
  await person.click(within(notice).getByRole('button', { name: 'OK' }))
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Two-Factor Authentication' })),
  )
})

test('a visitor who goes by another address goes on at the heading of the screen', async () => {
  await useRealServer()
  localStorage.setItem('ticket-email', 'vera@example.net')
  const person = openApp('/ticket')
  await person.click(await screen.findByRole('button', { name: 'Use another address' }))
  const field = await screen.findByLabelText('Email')
  await person.clear(field)
  await person.type(field, 'zoe@example.net{Enter}')
  await screen.findByText('zoe@example.net')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))
})

test('whoever leaves as a visitor goes on at the heading of the screen', async () => {
  await useRealServer()
  localStorage.setItem('ticket-email', 'vera@example.net')
  const person = openApp('/ticket')
  await person.click(await screen.findByRole('button', { name: 'Leave this browser' }))
  const question = within(await screen.findByRole('alertdialog'))
  await person.click(question.getByRole('button', { name: 'Leave this browser' }))
  await screen.findByText('Tickets need an e-mail address')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))
})

test('a visitor who is asked for their address at once goes on at the heading of the screen', async () => {
  await useRealServer()
  const person = openApp('/ticket')
  await person.type(await screen.findByLabelText('Email'), 'vera@example.net{Enter}')
  await screen.findByText('vera@example.net')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))
})

test('whoever has verified their e-mail goes on at the heading that says so', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada', verified: false })
  await (await server.signIn('ada')).post('/profile/resend_verification_email/', {})
  const person = openApp(`/verify-email/${findToken((await server.mails()).at(-1), 'verify-email')}`)
  await person.click(await screen.findByRole('button', { name: 'Verify my e-mail' }))
  const heading = await screen.findByRole('heading', { name: 'Your e-mail is verified' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
})

test.each(['who is signed in', 'a visitor'])(
  'a new password that %s has set by Enter leads on at the heading that says so',
  async (whoever) => {
    const server = await useRealServer()
    await server.createUser({ username: 'ada' })
    await server.stranger.post('/password/reset/', { email: 'ada@example.org' })
    if (whoever !== 'a visitor') await signIn('ada')
    const person = openApp(`/reset-password/${findToken((await server.mails()).at(-1), 'reset-password')}`)
    await person.type(await screen.findByLabelText('New Password'), 'Another1!')
    await person.type(screen.getByLabelText('Confirm New Password'), 'Another1!{Enter}')
    const title = 'Your new password is set'
    await screen.findByRole('heading', { name: title })
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: title })))
  },
)
