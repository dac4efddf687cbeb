import { act, cleanup, screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { findToken, type TestServer } from '@proofdesk/server/testing'
import { expect, test } from 'vitest'
import { readSession } from '../lib/session.ts'
import { useGateway } from '../testing/gateway.ts'
import { openApp, openAs } from '../testing/open-app.tsx'
import { useRealServer } from '../testing/real-server.ts'

const BANNER = 'Please Verify Your Email'
const HELD_BACK = 'Please verify your Email and login Again'

/** As in another browser: nothing of this page learns of it. */
async function verifyElsewhere(server: TestServer, username: string): Promise<void> {
  const { status } = await server.stranger.post('/auth/verify-email/', { token: await mailToken(server, username) })
  expect(status).toBe(200)
}

async function mailToken(server: TestServer, username: string): Promise<string> {
  await (await server.signIn(username)).post('/profile/resend_verification_email/', {})
  return findToken((await server.mails()).at(-1), 'verify-email')
}

test('4.42 an e-mail that is verified in another browser shows on the screen without a reload', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'nina', verified: false })
  await openAs('nina', '/collection')
  await screen.findByText(HELD_BACK)
  await verifyElsewhere(server, 'nina')
  await screen.findByRole('button', { name: 'Create collection' })
  expect(screen.queryByText(HELD_BACK)).toBeNull()
  expect(screen.queryByText(BANNER)).toBeNull()
})

test('4.42 where no live stream tells of it, coming back to the window does', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'nina', verified: false })
  const gateway = await useGateway()
  gateway.trouble('GET /events/', 'refused')
  await openAs('nina', '/dashboard')
  await screen.findByText(BANNER)
  await verifyElsewhere(server, 'nina')
  act(() => void window.dispatchEvent(new Event('focus')))
  await expect.poll(() => screen.queryByText(BANNER)).toBeNull()
  expect(readSession()).toMatchObject({ user: { is_email_verified: true } })
})

test('4.43 the link of an account is good where another is signed in, and says whose e-mail it has verified', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'nina', verified: false })
  await server.createUser({ username: 'zed' })
  const token = await mailToken(server, 'nina')
  const person = await openAs('zed', `/verify-email/${token}`)
  await person.click(await screen.findByRole('button', { name: 'Verify my e-mail' }))
  await screen.findByRole('heading', { name: 'The e-mail is verified' })
  const main = screen.getByRole('main')
  expect(main.textContent).toContain('It belongs to the account nina, which can now')
  expect(main.textContent).toContain('You are signed in as zed.')
  expect(main.textContent).not.toContain('Thank you')
})

test('4.49 a link that has verified an address says so to whoever presses it again', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'nina', verified: false })
  const token = await mailToken(server, 'nina')
  expect((await server.stranger.post('/auth/verify-email/', { token })).status).toBe(200)
  const person = openApp(`/verify-email/${token}`)
  await person.click(await screen.findByRole('button', { name: 'Verify my e-mail' }))
  await screen.findByRole('heading', { name: 'Your e-mail is verified' })
  expect(screen.getByRole('main').textContent).toContain('This link was used before, and its address is verified.')
  expect(screen.getByRole('link', { name: 'Go to Login' })).toBeDefined()
})

test('4.49 an older link says to its owner that nothing is left to do, and to a stranger where that stands', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'nina', verified: false })
  const old = await mailToken(server, 'nina')
  await verifyElsewhere(server, 'nina')
  const press = async (person: UserEvent) => {
    await person.click(await screen.findByRole('button', { name: 'Verify my e-mail' }))
    await screen.findByRole('heading', { name: 'This link does not work' })
    return screen.getByRole('main').textContent
  }
  const stranger = await press(openApp(`/verify-email/${old}`))
  expect(stranger).toContain('your profile says whether your address is verified')
  expect(stranger).not.toContain('nina')
  cleanup()
  const owner = await press(await openAs('nina', `/verify-email/${old}`))
  expect(owner).toMatch(
    /The address of your account, .?nina@example\.org.?, is verified: there is nothing left to do\./,
  )
})
