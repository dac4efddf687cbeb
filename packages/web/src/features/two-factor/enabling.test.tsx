import { codeOf, type TestServer } from '@proofdesk/server/testing'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holdTimers } from '../../testing/hold-timers.ts'
import { openAs, readPath } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'

async function enable(server: TestServer) {
  await server.createUser({ username: 'ada' })
  const person = await openAs('ada', '/2fa-setup')
  await screen.findByRole('img', { name: /QR code/ })
  const secret = (document.querySelector('code')?.textContent ?? '').replace(/\s/g, '')
  await person.click(screen.getByRole('button', { name: 'Enable 2FA' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('6-digit OTP')))
  await person.type(screen.getByLabelText('6-digit OTP'), codeOf(secret, server.clock.now()))
  // Nothing closes the dialog but the timer of exactly 1500 ms, which is held here.
  const timers = holdTimers(1500)
  await person.click(screen.getByRole('button', { name: 'Enable 2FA' }))
  await screen.findByText('Two-Factor Authentication has been enabled')
  return timers
}

test('9.22 the success dialog closes after exactly 1500 ms', async () => {
  const timers = await enable(await useRealServer())
  await waitFor(() => expect(timers.held).toHaveLength(1))
  expect(screen.getByRole('alertdialog').textContent).toContain('Two-Factor Authentication has been enabled')
  timers.release()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
})

test('4.16 enabling returns to the profile by itself', async () => {
  const timers = await enable(await useRealServer())
  timers.release()
  // Nobody presses anything.
  await waitFor(() => expect(readPath()).toBe('/profile'))
  await screen.findByRole('button', { name: 'Disable 2FA', hidden: true })
})
