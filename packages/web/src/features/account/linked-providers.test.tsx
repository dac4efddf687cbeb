import type { TestServer, TestServerOptions } from '@proofdesk/server/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { passHandover } from '../../lib/provider-address.ts'
import { openAs } from '../../testing/open-app.tsx'
import { useGateway } from '../../testing/gateway.ts'
import { useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'

const CITY = { id: 'oidc', name: 'City ID', issuer: 'https://id.example', clientId: 'c', clientSecret: 's' } as const
const GOOGLE = { ...CITY, id: 'google', name: 'Google', issuer: 'https://accounts.google.com' } as const

const withProviders: TestServerOptions = {
  config: {
    identityProviders: [
      { ...CITY, hasButton: true },
      { ...GOOGLE, hasButton: true },
    ],
  },
}

async function openProfile(server: TestServer, linked: ('oidc' | 'gone')[] = []) {
  const { id } = await server.createUser({ username: 'ada' })
  for (const each of linked) await plantIdentity(server, id, each)
  const person = await openAs('ada', '/profile')
  await screen.findByLabelText('First Name')
  return person
}

async function plantIdentity({ deps: { db } }: TestServer, user_id: number, which: 'oidc' | 'gone'): Promise<void> {
  const issuer = which === 'oidc' ? CITY.issuer : 'https://gone.example'
  const row = {
    provider: 'oidc' as const,
    issuer,
    subject: 'ada',
    user_id,
    email: `ada@${which}.example`,
    linked_at: 1,
  }
  await db.insertInto('identities').values(row).execute()
}

/** The window that the browser would open. */
function watchWindows() {
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  onTestFinished(() => open.mockRestore())
  return () => open.mock.calls.map(([address]) => String(address))
}

const findSection = () => screen.findByRole('region', { name: /^Sign-in with/ })

test('2.158 the profile shows of each provider whether it is linked, and one that is not offered any more', async () => {
  await openProfile(await useRealServer(withProviders), ['oidc', 'gone'])
  const section = await screen.findByRole('region', { name: 'Sign-in with City ID and Google' })
  const rows = within(section).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    'City IDLinkedada@oidc.exampleUnlink',
    'GoogleNot linkedLink',
    'gone.exampleNot offered any moreada@gone.exampleUnlink',
  ])
})

test('2.158 without a provider the profile has no such section', async () => {
  const server = await useRealServer()
  await openProfile(server)
  await waitFor(() => expect(server.logLines.join('')).toContain('/profile/identities/'))
  await waitFor(() => expect(server.logLines.join('')).toContain('/instance/'))
  expect(screen.queryByRole('region', { name: /^Sign-in with/ })).toBeNull()
})

test('2.159 Link asks the provider in a window of its own, and says why it did not link', async () => {
  const listWindows = watchWindows()
  const person = await openProfile(await useRealServer(withProviders))
  const section = await findSection()
  for (const [handover, words] of [
    [{ error: 'provider_unavailable' }, 'The sign-in provider cannot be reached.'],
    [{ error: 'constructor' }, 'Please try again.'],
    [{ error: 'provider_login_failed' }, 'City ID did not say who you are'],
    [{ code: 'A'.repeat(43) }, 'City ID did not say who you are'],
  ] as const) {
    await person.click(within(section).getByRole('button', { name: 'Link City ID' }))
    passHandover(handover)
    const notice = await screen.findByRole('alertdialog', { name: 'Failed to link City ID' })
    expect(notice.textContent).toContain(words)
    await person.click(within(notice).getByRole('button', { name: 'OK' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  }
  expect(new Set(listWindows())).toEqual(new Set(['/backend/api/v1/auth/oidc/start?provider=oidc&purpose=link&user=1']))
})

test('2.160 Unlink asks first; then the provider is not linked, and the other sessions are gone', async () => {
  const server = await useRealServer(withProviders)
  const person = await openProfile(server, ['oidc'])
  const other = await server.signIn('ada')
  const section = await findSection()
  const unlink = () => person.click(within(section).getByRole('button', { name: 'Unlink City ID' }))
  await unlink()
  let question = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
  expect(question.textContent).toContain('City ID will no longer sign you in, and you are signed out everywhere else.')
  await person.click(within(question).getByRole('button', { name: 'Cancel' }))
  expect((await other.get('/user/info')).status).toBe(200)
  await unlink()
  question = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
  await person.click(within(question).getByRole('button', { name: 'Unlink' }))
  await screen.findByRole('alertdialog', { name: 'The provider is unlinked' })
  await within(section).findByRole('button', { name: 'Link City ID' })
  expect((await other.get('/user/info')).status).toBe(401)
})

test.each([
  ['one that is offered goes on at its row', ['oidc'], 'Unlink City ID', 'Link City ID'],
  ['one that is not offered any more goes on at the row beside it', ['gone'], 'Unlink gone.example', 'Link Google'],
] as const)('whoever unlinks %s', async (_, linked, pressed, next) => {
  const server = await useRealServer(withProviders)
  const person = await openProfile(server, [...linked])
  const section = await findSection()
  await person.click(within(section).getByRole('button', { name: pressed }))
  const question = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
  await person.click(within(question).getByRole('button', { name: 'Unlink' }))
  const notice = await screen.findByRole('alertdialog', { name: 'The provider is unlinked' })
  await person.click(within(notice).getByRole('button', { name: 'OK' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(within(section).getByRole('button', { name: next })))
})

test('whoever unlinks the last that there was goes on at the heading of the page', async () => {
  const person = await openProfile(await useRealServer(), ['gone'])
  await person.click(within(await findSection()).getByRole('button', { name: 'Unlink gone.example' }))
  const question = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
  await person.click(within(question).getByRole('button', { name: 'Unlink' }))
  const notice = await screen.findByRole('alertdialog', { name: 'The provider is unlinked' })
  await person.click(within(notice).getByRole('button', { name: 'OK' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))
})

test('2.160 the only way in stays linked, and the profile says what helps', async () => {
  const server = await useRealServer(withProviders)
  const person = await openProfile(server, ['oidc'])
  await server.deps.db.updateTable('users').set({ password_hash: null }).execute()
  await person.click(within(await findSection()).getByRole('button', { name: 'Unlink City ID' }))
  const question = await screen.findByRole('alertdialog', { name: 'Are you sure?' })
  await person.click(within(question).getByRole('button', { name: 'Unlink' }))
  const notice = await screen.findByRole('alertdialog', { name: 'Failed to unlink City ID' })
  expect(notice.textContent).toContain('Set a password first')
})

test('what one person asked a provider for is not finished for the next one in the tab', async () => {
  watchWindows()
  const server = await useRealServer(withProviders)
  const person = await openProfile(server)
  await person.click(within(await findSection()).getByRole('button', { name: 'Link City ID' }))
  await server.createUser({ username: 'bea' })
  await act(() => signIn('bea'))
  passHandover({ error: 'provider_unavailable' })
  await act(() => new Promise((resolve) => setTimeout(resolve, 300)))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('where it cannot be learned which providers there are, that is told and tried again', async () => {
  const server = await useRealServer(withProviders)
  await server.createUser({ username: 'ada' })
  const gateway = await useGateway()
  gateway.trouble('GET /instance/', 'refused')
  const person = await openAs('ada', '/profile')
  const retry = await screen.findByRole('button', { name: 'Try again' }, { timeout: 8000 })
  // It rests once both have answered.
  await waitFor(() => expect(retry.getAttribute('aria-busy')).toBeNull())
  gateway.mend('GET /instance/')
  await person.click(retry)
  await findSection()
})
