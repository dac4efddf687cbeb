import { beginSetup, setTwoFactor } from '@proofdesk/contract/two-factor'
import { codeOf, type TestServer } from '@proofdesk/server/testing'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { call } from '../../lib/call.ts'
import { endSession, readSession } from '../../lib/session.ts'
import { useGateway } from '../../testing/gateway.ts'
import { openApp, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'

/** An account with two-factor on, and its secret; nobody is signed in afterwards. */
async function makeAccount(server: TestServer) {
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const { secret } = await call(beginSetup, {})
  const { recovery_codes: codes = [] } = await call(setTwoFactor, { body: { otp: codeOf(secret, server.clock.now()) } })
  endSession()
  return { secret, codes }
}

async function takePasswordStep() {
  const person = openApp('/login')
  await person.type(await screen.findByLabelText('Username'), 'ada')
  await person.type(screen.getByLabelText('Password'), 'Secret1!')
  await person.click(screen.getByRole('button', { name: 'Login' }))
  await screen.findByRole('dialog', { name: 'Two-Factor Authentication' })
  return person
}

test('2.53 3.2 4.1 4.13 4.14 with two-factor on, the password opens the code dialog and the code completes the sign-in', async () => {
  const server = await useRealServer()
  const { secret } = await makeAccount(server)
  const person = await takePasswordStep()
  expect(readSession()).toEqual({ phase: 'signed-out' })
  expect(localStorage.getItem('refresh')).toBeNull()
  await person.type(screen.getByPlaceholderText('Enter 2FA code'), codeOf(secret, server.clock.now(), 1))
  await person.click(screen.getByRole('button', { name: 'Verify 2FA' }))
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
  expect(readSession()).toMatchObject({ phase: 'signed-in', user: { username: 'ada' } })
  expect(localStorage.getItem('refresh')).not.toBeNull()
})

test('8.3 a wrong code is told under 2FA Verification Failed and can be mended', async () => {
  const { codes } = await makeAccount(await useRealServer())
  const person = await takePasswordStep()
  await person.type(screen.getByPlaceholderText('Enter 2FA code'), 'no code')
  await person.click(screen.getByRole('button', { name: 'Verify 2FA' }))
  const notice = await screen.findByRole('alertdialog', { name: '2FA Verification Failed' })
  expect(notice.textContent).toContain('Invalid 2FA code')
  await person.click(screen.getByRole('button', { name: 'OK' }))
  const field = await screen.findByPlaceholderText<HTMLInputElement>('Enter 2FA code')
  expect(field.value).toBe('no code')
  await person.clear(field)
  await person.type(field, codes[0] ?? '')
  await person.click(screen.getByRole('button', { name: 'Verify 2FA' }))
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
})

test('2.54 4.15 Cancel closes it and clears the code, and keeps what stands behind it', async () => {
  await makeAccount(await useRealServer())
  const person = await takePasswordStep()
  await person.type(screen.getByPlaceholderText('Enter 2FA code'), '123')
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('ada')
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('Secret1!')
  await person.click(screen.getByRole('button', { name: 'Login' }))
  expect((await screen.findByPlaceholderText<HTMLInputElement>('Enter 2FA code')).value).toBe('')
})

test('the dialog cannot be left while the code is looked at: the sign-in would go on behind it', async () => {
  const server = await useRealServer()
  const { secret } = await makeAccount(server)
  const gateway = await useGateway()
  const person = await takePasswordStep()
  await person.type(screen.getByPlaceholderText('Enter 2FA code'), codeOf(secret, server.clock.now(), 1))
  gateway.trouble('POST /g2fa/gfa_verify/', 'late')
  await person.click(screen.getByRole('button', { name: 'Verify 2FA' }))
  await expect.poll(() => gateway.calls).toContain('POST /g2fa/gfa_verify/')
  await person.click(screen.getByRole('button', { name: 'Cancel' }))
  await person.keyboard('{Escape}')
  expect(screen.getByRole('dialog', { name: 'Two-Factor Authentication' })).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true)
  gateway.release()
  await waitFor(() => expect(readPath()).toBe('/dashboard'))
})

test('a code that is missing or wrong leads to its field, also from the button', async () => {
  await makeAccount(await useRealServer())
  const person = await takePasswordStep()
  const field = screen.getByPlaceholderText('Enter 2FA code')
  const verify = screen.getByRole('button', { name: 'Verify 2FA' })
  await person.click(verify)
  await waitFor(() => expect(document.activeElement).toBe(field))
  await person.type(field, '000000')
  await person.click(verify)
  await person.click(await screen.findByRole('button', { name: 'OK' }))
  await waitFor(() => expect(document.activeElement).toBe(field))
})
