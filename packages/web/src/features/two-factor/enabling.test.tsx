import { codeOf, type TestServer } from '@proofdesk/server/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readSession } from '../../lib/session.ts'
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
  return { timers, person }
}

test('9.22 the success dialog closes after exactly 1500 ms', async () => {
  const { timers } = await enable(await useRealServer())
  await waitFor(() => expect(timers.held).toHaveLength(1))
  expect(screen.getByRole('alertdialog').textContent).toContain('Two-Factor Authentication has been enabled')
  timers.release()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
})

test('4.16 enabling returns to the profile by itself', async () => {
  const { timers } = await enable(await useRealServer())
  timers.release()
  // Nobody presses anything.
  await waitFor(() => expect(readPath()).toBe('/profile'))
  await screen.findByRole('button', { name: 'Disable 2FA', hidden: true })
})

/** Whether the browser asks whoever closes the tab now. */
function asksBeforeLeaving(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

for (const [way, name] of [
  ['copied', 'Copy the recovery codes'],
  ['put away', 'I have kept them'],
] as const) {
  test(`whoever leaves is asked until the new recovery codes are ${way}`, async () => {
    const { timers, person } = await enable(await useRealServer())
    timers.release()
    await screen.findByRole('button', { name: 'I have kept them' })
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(asksBeforeLeaving()).toBe(true)

    const logOut = () => person.click(screen.getByRole('button', { name: 'Logout' }))
    await logOut()
    const dialog = within(await screen.findByRole('alertdialog'))
    dialog.getByText(/^Your recovery codes are shown only now\./)
    await person.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(readSession().phase).toBe('signed-in')

    await person.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(asksBeforeLeaving()).toBe(false))
    await logOut()
    await expect.poll(readPath).toBe('/')
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
}
