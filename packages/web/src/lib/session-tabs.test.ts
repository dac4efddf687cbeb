import { TEST_PASSWORD } from '@proofdesk/server/testing'
import { expect, test, vi } from 'vitest'
import { useRealServer } from '../testing/real-server.ts'

test('tabs that open at the same moment all stay signed in, also without a secure context', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const answer = await server.stranger.post('/auth/login/', { username: 'ada', password: TEST_PASSWORD })
  localStorage.setItem('refresh', (answer.json() as { refresh: string }).refresh)
  expect(navigator.locks).toBeUndefined()
  const tabs = [await openTab(), await openTab(), await openTab()]
  await Promise.all(tabs.map((tab) => tab.restore()))
  // A refresh token used twice would have ended the session of all.
  await tabs[0]?.reloadUser()
  for (const tab of tabs) expect(tab.readSession()).toMatchObject({ phase: 'signed-in' })
  expect(await server.deps.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
  expect(Object.keys(localStorage).toSorted()).toEqual(['refresh', 'refresh_turn'])
})

test('one tab renews for all, also when its word reaches the others late', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  const answer = await server.stranger.post('/auth/login/', { username: 'ada', password: TEST_PASSWORD })
  localStorage.setItem('refresh', (answer.json() as { refresh: string }).refresh)
  const tabs = [await openTab(), await openTab()]
  for (const tab of tabs) await tab.restore()
  await vi.waitFor(() => expect(tabs[0]?.readAccess()).toBe(tabs[1]?.readAccess()))
  // oxlint-disable-next-line typescript/unbound-method -- called with its object below
  const post = BroadcastChannel.prototype.postMessage
  const slow = vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation(function (this: unknown, word) {
    setTimeout(() => post.call(this as BroadcastChannel, word), 300)
  })
  const renewals = vi.fn()
  const realFetch = globalThis.fetch
  vi.stubGlobal('fetch', (...call: Parameters<typeof fetch>) => {
    const { url } = new Request(...call)
    if (url.includes('/token/refresh/')) renewals()
    return realFetch(...call)
  })
  const renewed = await Promise.all(tabs.map((tab) => tab.renewAccess(tab.readAccess())))
  expect(new Set(renewed).size).toBe(1)
  expect(renewals).toHaveBeenCalledTimes(1)
  vi.unstubAllGlobals()
  slow.mockRestore()
})

/** The session's code once more, with a memory of its own; local storage and channel are shared, as between tabs. */
async function openTab() {
  vi.resetModules()
  const { readSession, readAccess } = await import('./session.ts')
  const { restoreFromServer: restore, reloadUser, renewAccess } = await import('./session-calls.ts')
  return { readSession, readAccess, restore, reloadUser, renewAccess }
}
