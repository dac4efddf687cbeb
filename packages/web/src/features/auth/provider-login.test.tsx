import type { TestServerOptions } from '@proofdesk/server/testing'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { endSession, readSession } from '../../lib/session.ts'
import { openApp, readPath } from '../../testing/open-app.tsx'
import { useGateway } from '../../testing/gateway.ts'
import { useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'

const CITY = { id: 'oidc', name: 'City ID', issuer: 'https://id.example', clientId: 'c', clientSecret: 's' } as const
const GOOGLE = { ...CITY, id: 'google', name: 'Google', issuer: 'https://accounts.google.com' } as const

const withProviders: TestServerOptions = {
  config: {
    identityProviders: [
      { ...CITY, hasButton: true },
      { ...GOOGLE, hasButton: false },
    ],
  },
}

test('2.58 the button shows only where a provider is configured', async () => {
  await useRealServer(withProviders)
  openApp('/login')
  expect(await screen.findByRole('button', { name: 'Sign in with City ID' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Google/ })).toBeNull()
})

test('2.58 without a provider there is no button', async () => {
  const server = await useRealServer()
  openApp('/login')
  await screen.findByLabelText('Username')
  await waitFor(() => expect(server.logLines.join('')).toContain('/instance/'))
  expect(screen.queryByRole('button', { name: /Sign in with/ })).toBeNull()
})

test('whoever was sent to the sign-in and leaves for a provider comes back to where they were headed', async () => {
  const server = await useRealServer(withProviders)
  await server.createUser({ username: 'ada' })
  const person = openApp('/collection?search=degree')
  await person.click(await screen.findByRole('button', { name: 'Sign in with City ID' }))
  cleanup()
  for (const headedFor of ['/collection?search=degree', '/dashboard']) {
    // As the server leads back from there; here it failed, and the password is used instead.
    const back = openApp('/login#provider_error=provider_login_failed')
    await screen.findByRole('alertdialog')
    await back.click(screen.getByRole('button', { name: 'OK' }))
    await act(() => signIn('ada'))
    await waitFor(() => expect(readPath()).toBe(headedFor))
    cleanup()
    endSession()
  }
})

test('4.12 while the provider’s answer is looked at its button is busy, and it is asked for once', async () => {
  await useRealServer(withProviders)
  const gateway = await useGateway()
  gateway.trouble('POST /auth/oidc/finish/', 'late')
  const person = openApp(`/login#provider_code=${'A'.repeat(43)}`)
  await expect.poll(() => gateway.calls).toContain('POST /auth/oidc/finish/')
  await expect.poll(() => screen.queryAllByRole('button', { busy: true }).length).toBeGreaterThan(0)
  for (const button of screen.getAllByRole('button', { busy: true })) await person.click(button)
  expect(screen.queryByRole('button', { name: /Sign in with/ })).toBeNull()
  gateway.release()
  await screen.findByRole('alertdialog', { name: 'Google Login Failed' })
  expect(gateway.calls.filter((name) => name === 'POST /auth/oidc/finish/')).toHaveLength(1)
})

const FAILURES: [fragment: string, text: string][] = [
  ['provider_error=provider_login_failed', 'Could not authenticate with Google'],
  ['provider_error=provider_email_unverified', 'The provider has not verified your e-mail address'],
  ['provider_error=provider_account_unverified', 'Forgot your password?'],
  ['provider_error=provider_unavailable', 'The sign-in provider cannot be reached'],
  // Anybody may make such a link: no words but ours are shown.
  ['provider_error=constructor', 'Could not authenticate with Google'],
  ['provider_error=Call+this+number', 'Could not authenticate with Google'],
  // No code of ours, and one that is not this browser's.
  ['provider_code=x', 'Could not authenticate with Google'],
  [`provider_code=${'A'.repeat(43)}`, 'Could not authenticate with Google'],
]

for (const [fragment, text] of FAILURES)
  test(`8.8 'Google Login Failed' says the reason or the default: ${fragment.slice(0, 50)}`, async () => {
    await useRealServer(withProviders)
    const person = openApp(`/login#${fragment}`)
    const notice = await screen.findByRole('alertdialog', { name: 'Google Login Failed' })
    expect(notice.textContent).toContain(text)
    expect(notice.textContent).not.toContain('Call this number')
    await person.click(screen.getByRole('button', { name: 'OK' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(readSession().phase).toBe('signed-out')
    expect(readPath()).toBe('/login')
    expect(screen.getByTestId('address').dataset['hash']).toBe('')
  })

test('a server that is busy takes no offer to join away; one that has ended is told, and closes', async () => {
  await useRealServer(withProviders)
  const gateway = await useGateway()
  gateway.trouble('POST /auth/oidc/join/', 'busy')
  gateway.trouble('POST /auth/oidc/join/mail/', 'refused')
  const person = openApp(`/login#provider_join=${'A'.repeat(43)}`)
  const dialog = within(await screen.findByRole('dialog'))
  await person.type(await dialog.findByLabelText('Password of the account'), 'Secret1!')
  const byMail = dialog.getByRole('button', { name: 'Mail me a link instead' })
  const join = dialog.getByRole('button', { name: 'Link and sign in' })
  await person.click(join)
  await dialog.findByRole('alert')
  await person.click(byMail)
  await expect.poll(() => gateway.calls).toContain('POST /auth/oidc/join/mail/')
  await dialog.findByRole('alert')
  gateway.mend('POST /auth/oidc/join/')
  await person.click(join)
  await screen.findByRole('alertdialog', { name: 'Google Login Failed' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
