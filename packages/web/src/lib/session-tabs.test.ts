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

/** The session's code once more, with a memory of its own; local storage and channel are shared, as between tabs. */
async function openTab() {
  vi.resetModules()
  const { readSession } = await import('./session.ts')
  const { restoreFromServer: restore, reloadUser } = await import('./session-calls.ts')
  return { readSession, restore, reloadUser }
}
