import { resendVerification } from '@proofdesk/contract/account'
import { logIn } from '@proofdesk/contract/auth'
import { beginSetup, setTwoFactor } from '@proofdesk/contract/two-factor'
import { codeOf, findToken } from '@proofdesk/server/testing'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { call } from '../lib/call.ts'
import { restoreSession } from '../lib/restore-session.ts'
import { endSession, readSession, setSession } from '../lib/session.ts'
import { useGateway } from '../testing/gateway.ts'
import { goBack, openApp, openAs, readPath } from '../testing/open-app.tsx'
import { leaveServer, movePage, useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'

test('4.1 a guarded screen sends visitors to the sign-in and lets them come back', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = openApp('/dashboard?from=mail', ['/'])
  await person.type(await screen.findByLabelText('Username'), 'ada')
  await person.type(screen.getByLabelText('Password'), 'Secret1!')
  await person.click(screen.getByRole('button', { name: 'Login' }))
  await screen.findByRole('heading', { name: 'Welcome, ada' })
  expect(readPath()).toBe('/dashboard?from=mail')
  // Back leads past the sign-in.
  goBack()
  expect(readPath()).toBe('/')
})

test('8.1 a wrong password is answered under Wrong! and keeps what was typed', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = openApp('/login')
  await person.type(await screen.findByLabelText('Username'), 'ada')
  await person.type(screen.getByLabelText('Password'), 'Wrong1!')
  await person.click(screen.getByRole('button', { name: 'Login' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Wrong!' })
  expect(dialog.textContent).toContain('Invalid Username and Password')
  await person.click(screen.getByRole('button', { name: 'OK' }))
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ada')
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('Wrong1!')
  expect(readSession()).toEqual({ phase: 'signed-out' })
})

test('2.56 a logged-in person at the sign-in goes on to the dashboard', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'sam', is_staff: true })
  await openAs('sam', '/login')
  await screen.findByRole('heading', { name: 'Welcome, Staff sam' })
  expect(readPath()).toBe('/dashboard')
})

test('4.3 logging out clears the session and leads to the landing page', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/dashboard')
  await person.click(await screen.findByRole('button', { name: 'Logout' }))
  await screen.findByRole('link', { name: 'Get Started' })
  expect(readPath()).toBe('/')
  expect(readSession()).toEqual({ phase: 'signed-out' })
  // A lease of the tab lock may stand until the request that holds it has ended.
  await waitFor(() => expect(Object.keys(localStorage)).toEqual([]))
})

test('4.4 a logout call that fails clears nothing, is logged, and says that one is still signed in', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/dashboard')
  const button = await screen.findByRole('button', { name: 'Logout' })
  await server.app.close()
  await person.click(button)
  await screen.findByText(/^Logout failed\. You are still signed in here\./)
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
  expect(readPath()).toBe('/dashboard')
  expect(readSession()).toMatchObject({ phase: 'signed-in' })
  expect(localStorage.getItem('refresh')).not.toBeNull()
  expect(log.mock.calls.map(([words]) => words as unknown)).toContain('Logout failed')
  log.mockRestore()
})

test('2.69 6.30 an admin sees neither the notification bar nor the Server Content entry', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'alan', is_admin: true })
  await openAs('alan', '/dashboard')
  await screen.findByRole('heading', { name: 'Welcome, Admin alan' })
  expect(screen.queryByRole('navigation', { name: 'Notification bar' })).toBeNull()
  expect(screen.queryByRole('link', { name: /Server Content/ })).toBeNull()
  expect(screen.getByRole('link', { name: 'Collection' })).toBeTruthy()
})

test('2.18 an unknown path shows Page Not Found with a Back to Home link', async () => {
  openApp('/nowhere')
  await screen.findByRole('heading', { name: 'Page Not Found' })
  expect(screen.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/')
})

test('a session that a page no longer finds is told at the sign-in', async () => {
  await useRealServer()
  localStorage.setItem('refresh', 'A'.repeat(43))
  await restoreSession()
  openApp('/dashboard')
  await screen.findByRole('heading', { name: 'Login' })
  expect(screen.getByText(/^You were signed out\. Your session has ended/)).toBeDefined()
})

test('while the server does not answer nobody is signed out, and the screen is there once it does', async () => {
  const server = await useRealServer()
  const { refresh } = await server.signIn('ada')
  const { origin } = location
  leaveServer()
  localStorage.setItem('refresh', refresh ?? '')
  await restoreSession()
  const person = openApp('/dashboard')
  await screen.findByText('The server does not answer.')
  movePage(origin)
  // Each address has a storage of its own.
  localStorage.setItem('refresh', refresh ?? '')
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('heading', { name: 'Welcome, ada' })
})

test('whoever tries again while the server does not answer stays at the button', async () => {
  const server = await useRealServer()
  const { refresh } = await server.signIn('ada')
  leaveServer()
  localStorage.setItem('refresh', refresh ?? '')
  await restoreSession()
  const person = openApp('/dashboard')
  const retry = await screen.findByRole('button', { name: 'Try again' })
  await person.click(retry)
  await waitFor(() => expect(retry.getAttribute('aria-busy')).toBeNull())
  expect(document.activeElement).toBe(retry)
})

test('the web signs in at a server whose answer holds the four specified fields only', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const login = (
    await server.stranger.post('/auth/login/', { username: 'ada', password: 'Secret1!' })
  ).json() as Record<string, unknown>
  const gateway = await useGateway()
  const { access, refresh, gfa_is_enabled, user_id } = login
  gateway.trouble('POST /auth/login/', 'garbled', JSON.stringify({ access, refresh, gfa_is_enabled, user_id }))
  const person = openApp('/login')
  await person.type(await screen.findByLabelText('Username'), 'ada')
  await person.type(screen.getByLabelText('Password'), 'Secret1!')
  await person.click(screen.getByRole('button', { name: 'Login' }))
  await screen.findByRole('heading', { name: 'Welcome, ada' })
  expect(gateway.calls).toContain('GET /user/info')
  expect(readSession()).toMatchObject({ phase: 'signed-in', user: { username: 'ada', is_email_verified: true } })
})

test('with two-factor on, such an answer opens the code step, and tokens alone complete it', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const { secret } = await call(beginSetup, {})
  await call(setTwoFactor, { body: { otp: codeOf(secret, server.clock.now()) } })
  act(() => endSession())
  // From where the code will come: one without a challenge is bound to the address and the program of the password step.
  const { user_id } = await call(logIn, { body: { username: 'ada', password: 'Secret1!' } })
  const gateway = await useGateway()
  gateway.trouble(
    'POST /auth/login/',
    'garbled',
    JSON.stringify({ access: '', refresh: '', gfa_is_enabled: true, user_id }),
  )
  const person = openApp('/login')
  await person.type(await screen.findByLabelText('Username'), 'ada')
  await person.type(screen.getByLabelText('Password'), 'Secret1!')
  await person.click(screen.getByRole('button', { name: 'Login' }))
  await person.type(await screen.findByPlaceholderText('Enter 2FA code'), codeOf(secret, server.clock.now() + 30_000))
  await person.click(screen.getByRole('button', { name: 'Verify 2FA' }))
  await screen.findByRole('heading', { name: 'Welcome, ada' })
})

test('2.3 /register is open to everyone, also to someone signed in', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await openAs('ada', '/register')
  await screen.findByRole('heading', { name: 'Create an Account' })
  expect(readPath()).toBe('/register')
})

test('who opens the mailed link signed in has one way on: no button there makes the link worthless', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada', verified: false })
  await signIn('ada')
  await call(resendVerification, { body: {} })
  const token = findToken((await server.mails()).at(-1), 'verify-email')
  const person = openApp(`/verify-email/${token}`)
  await person.click(await screen.findByRole('button', { name: 'Verify my e-mail' }))
  await screen.findByRole('heading', { name: 'Your e-mail is verified' })
})

test('8.53 8.71 the banner’s Send the mail again says how it went, and stands everywhere but where the mailed link leads', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada', verified: false })
  const gateway = await useGateway()
  const person = await openAs('ada', '/dashboard')
  gateway.trouble('POST /profile/resend_verification_email/', 'refused')
  await person.click(await screen.findByRole('button', { name: 'Send the mail again' }))
  await screen.findByText('Failed to send verification email')
  gateway.mend('POST /profile/resend_verification_email/')
  await person.click(screen.getByRole('button', { name: 'Send the mail again' }))
  await screen.findByText('Verification email sent')
  cleanup()
  openApp(`/verify-email/${'A'.repeat(43)}`)
  await screen.findByRole('button', { name: 'Verify my e-mail' })
  expect(screen.getByText('Please Verify Your Email')).toBeDefined()
  expect(screen.queryByRole('button', { name: /again/ })).toBeNull()
})

test('a setup or reset link that does not work says so before the form is filled in', async () => {
  await useRealServer()
  for (const [path, words] of [
    ['/reset-password/', 'This link has expired or was already used.'],
    ['/setup/', /^This installation is already set up, or the link has expired/],
  ] as const) {
    openApp(path + 'A'.repeat(43))
    await screen.findByRole('heading', { name: 'This link does not work' })
    expect(screen.getByText(words)).toBeDefined()
    expect(screen.queryByLabelText('Password')).toBeNull()
    cleanup()
  }
})

test('a reset link that works stays good for having been looked at', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await server.stranger.post('/password/reset/', { email: 'ada@example.org' })
  const token = findToken((await server.mails()).at(-1), 'reset-password')
  const gateway = await useGateway()
  const person = openApp(`/reset-password/${token}`)
  await expect.poll(() => gateway.calls).toContain('POST /password/reset/check/')
  await person.type(await screen.findByLabelText('New Password'), 'Another1!')
  await person.type(screen.getByLabelText('Confirm New Password'), 'Another1!')
  await person.click(screen.getByRole('button', { name: 'Set the password' }))
  await screen.findByRole('heading', { name: 'Your new password is set' })
})

test('a reset by whoever is signed in here is told as done, and signs them out', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await server.stranger.post('/password/reset/', { email: 'ada@example.org' })
  const token = findToken((await server.mails()).at(-1), 'reset-password')
  const person = await openAs('ada', `/reset-password/${token}`)
  await person.type(await screen.findByLabelText('New Password'), 'Another1!')
  await person.type(screen.getByLabelText('Confirm New Password'), 'Another1!')
  await person.click(screen.getByRole('button', { name: 'Set the password' }))
  await waitFor(() => expect(readSession()).toEqual({ phase: 'signed-out' }))
  await screen.findByRole('heading', { name: 'Your new password is set' })
  // What a check of the used link would answer has come by now.
  await act(() => new Promise((resolve) => setTimeout(resolve, 300)))
  expect(screen.getByRole('heading', { name: 'Your new password is set' })).toBeDefined()
})

test('a mailed undo by whoever is signed in here is told as done, and signs them out', async () => {
  const server = await useRealServer()
  const ada = await server.signIn('ada')
  await ada.patch('/profile/update_profile/', { email: 'mallory@example.org' })
  const notice = (await server.mails()).find(({ text }) => text?.includes('/undo-email/'))
  const person = await openAs('ada', `/undo-email/${findToken(notice, 'undo-email')}`)
  await person.click(await screen.findByRole('button', { name: 'Give it back' }))
  await waitFor(() => expect(readSession()).toEqual({ phase: 'signed-out' }))
  await screen.findByRole('heading', { name: 'Your e-mail address is the old one again.' }, { timeout: 8000 })
})

test.each(['verify-email', 'undo-email', 'join-provider', 'reset-password'])(
  'the link /%s waits for who is signed in before it can be used up',
  async (page) => {
    await useRealServer()
    const path = `/${page}/${'A'.repeat(43)}`
    openApp(path)
    await screen.findByRole('heading', { level: 1 })
    cleanup()
    setSession({ phase: 'checking' })
    openApp(path)
    await within(screen.getByRole('main')).findByText('Loading...')
    expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
    act(() => setSession({ phase: 'signed-out' }))
    await screen.findByRole('heading', { level: 1 })
  },
)

test('4.16 after enabling two-factor one is back on the profile, with the recovery codes until they are put away', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/2fa-setup')
  const { secret } = await call(beginSetup, {})
  await person.type(await screen.findByLabelText('6-digit OTP'), codeOf(secret, server.clock.now()))
  await person.click(screen.getByRole('button', { name: 'Enable 2FA' }))
  await screen.findByRole('heading', { name: 'Profile Management' })
  expect(readPath()).toBe('/profile')
  const codes = within(await screen.findByRole('list', { name: 'Recovery codes' })).getAllByRole('listitem')
  expect(codes).toHaveLength(10)
  // Neither history nor storage keeps them.
  expect(JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }])).not.toContain(
    codes[0]?.textContent ?? '',
  )
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull(), { timeout: 4000 })
  await person.click(screen.getByRole('button', { name: 'I have kept them' }))
  expect(screen.queryByRole('list', { name: 'Recovery codes' })).toBeNull()
})
