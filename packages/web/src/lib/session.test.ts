import { listNotifications } from '@proofdesk/contract/notifications'
import type { TestServer } from '@proofdesk/server/testing'
import { expect, test, vi } from 'vitest'
import { useGateway } from '../testing/gateway.ts'
import { leaveServer, useRealServer } from '../testing/real-server.ts'
import { signIn } from '../testing/sign-in.ts'
import { call } from './call.ts'
import { reloadUser, renewAccess } from './session-calls.ts'
import { restoreSession } from './restore-session.ts'
import { endSession, readAccess, readSession } from './session.ts'
import { clearTurn } from './token-turn.ts'

const HOUR_MS = 60 * 60 * 1000

test('3.1 4.5 4.7 on load a stored refresh token becomes a session, and the new one is stored', async () => {
  const server = await useRealServer()
  const refresh = await storeRefreshToken(server)
  await restoreSession()
  expect(readSession()).toMatchObject({ phase: 'signed-in', user: { username: 'ada' } })
  expect(localStorage.getItem('refresh')).toMatch(/^[\w-]{43}$/)
  expect(localStorage.getItem('refresh')).not.toBe(refresh)
})

test('4.6 a token the server refuses resets to logged out and clears local storage', async () => {
  await useRealServer()
  localStorage.setItem('refresh', 'A'.repeat(43))
  localStorage.setItem('something-else', 'x')
  await restoreSession()
  expect(readSession()).toEqual({ phase: 'signed-out', wasEnded: true })
  expect(localStorage.length).toBe(0)
})

test('a server that does not answer is no failure of the session: the token is kept', async () => {
  const server = await useRealServer()
  const refresh = await storeRefreshToken(server)
  leaveServer()
  localStorage.setItem('refresh', refresh)
  await restoreSession()
  expect(readSession()).toEqual({ phase: 'unreachable' })
  expect(localStorage.getItem('refresh')).toBe(refresh)
})

test.each(['refused', 'page'] as const)(
  'what another answers in the place of the server ends no session: %s',
  async (kind) => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const server = await useRealServer()
    const refresh = await storeRefreshToken(server)
    const gateway = await useGateway()
    gateway.trouble('POST /token/refresh/', kind)
    await restoreSession()
    expect(readSession()).toEqual({ phase: 'unreachable' })
    expect(localStorage.getItem('refresh')).toBe(refresh)
    gateway.mend('POST /token/refresh/')
    gateway.trouble('GET /user/info', kind)
    await restoreSession()
    expect(readSession()).toEqual({ phase: 'unreachable' })
    gateway.mend('GET /user/info')
    await restoreSession()
    expect(readSession()).toMatchObject({ phase: 'signed-in', user: { username: 'ada' } })

    // Neither does it in the middle of work.
    server.clock.advance(HOUR_MS)
    gateway.trouble('POST /token/refresh/', kind)
    await expect(call(listNotifications, {})).rejects.toThrow()
    expect(readSession()).not.toHaveProperty('hasEnded')
    gateway.mend('POST /token/refresh/')
    expect((await call(listNotifications, {})).count).toBe(0)
    log.mockRestore()
  },
)

test('7.10 a person who cannot be loaded anew stays as known, and the failure is only logged', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  leaveServer()
  await reloadUser()
  expect(readSession()).toMatchObject({ phase: 'signed-in', user: { username: 'ada' } })
  expect(log.mock.calls.map(([words]) => words as unknown)).toEqual(['The signed-in person could not be loaded'])
  log.mockRestore()
})

test('the person is loaded anew also when the access token is spent', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  await server.deps.db.updateTable('users').set({ is_staff: 1 }).execute()
  server.clock.advance(HOUR_MS)
  await reloadUser()
  expect(readSession()).toMatchObject({ phase: 'signed-in', user: { is_staff: true } })
})

test('calls at the same time renew an expired access token once between them', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  server.clock.advance(HOUR_MS)
  const answers = await Promise.all([1, 2, 3].map(() => call(listNotifications, {})))
  expect(answers.map(({ count }) => count)).toEqual([0, 0, 0])
  expect(server.logLines.filter((line) => line.includes('/token/refresh'))).toHaveLength(1)
})

test('a token that was renewed while a call was on its way is used, not renewed once more', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  expect(await renewAccess('the one the call was sent with')).toBe(readAccess())
  expect(server.logLines.filter((line) => line.includes('/token/refresh'))).toEqual([])
})

test('a session ended elsewhere waits here with the next call, which fails once the person leaves', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  await server.deps.db.deleteFrom('sessions').execute()
  const asked = call(listNotifications, {})
  await expect.poll(readSession).toMatchObject({ phase: 'signed-in', user: { username: 'ada' }, hasEnded: true })
  endSession()
  await expect(asked).rejects.toMatchObject({ status: 401 })
  expect(readSession()).toEqual({ phase: 'signed-out' })
  expect(localStorage.getItem('refresh')).toBeNull()
})

test('calls that met the end of a session are answered once the same person is back, and refused for another', async () => {
  const server = await useRealServer()
  for (const username of ['ada', 'bob']) await server.createUser({ username })
  await signIn('ada')
  await server.deps.db.deleteFrom('sessions').execute()
  const asked = [1, 2, 3].map(() => call(listNotifications, {}))
  await expect.poll(readSession).toMatchObject({ hasEnded: true })
  await signIn('ada')
  expect(readSession()).not.toHaveProperty('hasEnded')
  for (const answer of await Promise.all(asked)) expect(answer.count).toBe(0)

  await server.deps.db.deleteFrom('sessions').execute()
  const again = call(listNotifications, {})
  await expect.poll(readSession).toMatchObject({ hasEnded: true })
  await signIn('bob')
  await expect(again).rejects.toMatchObject({ status: 401 })
  expect(readSession()).toMatchObject({ phase: 'signed-in', user: { username: 'bob' } })
})

test('another tab that signs in again takes this one along', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  await server.deps.db.deleteFrom('sessions').execute()
  const asked = call(listNotifications, {})
  await expect.poll(readSession).toMatchObject({ hasEnded: true })
  const login = await server.stranger.post('/auth/login/', { username: 'ada', password: 'Secret1!' })
  const { refresh } = login.json() as { refresh: string }
  localStorage.setItem('refresh', refresh)
  window.dispatchEvent(new StorageEvent('storage', { key: 'refresh', newValue: refresh }))
  expect((await asked).count).toBe(0)
  expect(readSession()).toMatchObject({ phase: 'signed-in', user: { username: 'ada' } })
})

test('another tab signing out signs this one out, another signing in signs it in', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const refresh = localStorage.getItem('refresh') ?? ''
  localStorage.clear()
  clearTurn()
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  expect(readSession()).toEqual({ phase: 'signed-out' })
  localStorage.setItem('refresh', refresh)
  window.dispatchEvent(new StorageEvent('storage', { key: 'refresh', newValue: refresh }))
  await expect.poll(readSession).toMatchObject({ phase: 'signed-in', user: { username: 'ada' } })
})

/** What an earlier visit left in local storage. */
async function storeRefreshToken(server: TestServer): Promise<string> {
  await server.createUser({ username: 'ada' })
  const answer = await server.stranger.post('/auth/login/', { username: 'ada', password: 'Secret1!' })
  const { refresh } = answer.json() as { refresh: string }
  localStorage.setItem('refresh', refresh)
  return refresh
}
