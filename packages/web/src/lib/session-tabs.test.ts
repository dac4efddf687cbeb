import { createCollection, listCollections } from '@proofdesk/contract/collections'
import { UserInfo } from '@proofdesk/contract/users'
import { TEST_PASSWORD, type TestServer } from '@proofdesk/server/testing'
import { beforeEach, expect, test, vi } from 'vitest'
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

async function openTabsOfAda(server: TestServer) {
  for (const username of ['ada', 'bob']) await server.createUser({ username })
  const tabs = [await openTab(), await openTab()] as const
  await tabs[0].signIn(server, 'ada')
  await tabs[1].restore()
  expect(tabs[1].readSession()).toMatchObject({ phase: 'signed-in', user: { username: 'ada' } })
  return tabs
}

async function openTabsOfEndedAda(server: TestServer) {
  const tabs = await openTabsOfAda(server)
  await server.deps.db.deleteFrom('sessions').execute()
  return tabs
}

/** @returns what asks for an address once the answer has come; it waits until it is let go */
async function beginAsking<T>(address: string, ask: () => Promise<T>) {
  const [arrived, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const realFetch = globalThis.fetch
  vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
    const { url } = new Request(...call)
    const answer = await realFetch(...call)
    if (url.includes(address)) {
      arrived.resolve()
      await held.promise
    }
    return answer
  })
  const asking = ask()
  await arrived.promise
  vi.unstubAllGlobals()
  return { asking, letGo: held.resolve }
}

const beginRenewal = async ({ renewAccess, readAccess }: Awaited<ReturnType<typeof openTab>>) => {
  const { asking: renewal, letGo } = await beginAsking('/token/refresh/', () => renewAccess(readAccess()))
  return { renewal, letGo }
}

test('what is refused while somebody logs out does not ask them to sign in again', async () => {
  const server = await useRealServer()
  const [first, second] = await openTabsOfAda(server)
  const { asking, letGo } = await beginAsking('/logout', first.signOutOnServer)
  await expect(first.call(listCollections, { query: {} })).rejects.toThrow()
  expect(first.readSession()).not.toHaveProperty('hasEnded')
  letGo()
  await asking
  first.endSession()

  // Of the session that follows the end is told again.
  await second.signIn(server, 'ada')
  await first.restore()
  await server.deps.db.deleteFrom('sessions').execute()
  const waiting = first.call(listCollections, { query: {} })
  await expect.poll(first.readSession).toMatchObject({ hasEnded: true })
  first.endSession()
  await expect(waiting).rejects.toThrow()
})

test('a renewal that is answered after somebody else has signed in takes nothing from them', async () => {
  const server = await useRealServer()
  const [first, second] = await openTabsOfAda(server)
  const { renewal, letGo } = await beginRenewal(second)
  await first.signIn(server, 'bob')
  letGo()
  await renewal
  await expect.poll(second.readSession).toMatchObject({ phase: 'signed-in', user: { username: 'bob' } })
  expect(first.isOthersTurn()).toBe(false)
  await first.reloadUser()
  expect(first.readSession()).toMatchObject({ phase: 'signed-in', user: { username: 'bob' } })
})

test('a renewal that is answered after the person has logged out keeps nobody signed in', async () => {
  const server = await useRealServer()
  const [first, second] = await openTabsOfAda(server)
  const { renewal, letGo } = await beginRenewal(second)
  await first.signOutOnServer()
  first.endSession()
  letGo()
  await expect(renewal).rejects.toThrow()
  expect(localStorage.getItem('refresh')).toBeNull()
})

const countCollections = async (server: TestServer) =>
  (await server.deps.db.selectFrom('collections').select('id').execute()).length

test('what one person began in a tab is not sent as another who has signed in in the next; the tab becomes theirs', async () => {
  const server = await useRealServer()
  const [first, second] = await openTabsOfEndedAda(server)
  await first.signIn(server, 'bob')
  // It has not heard of it yet.
  expect(second.readSession()).toMatchObject({ user: { username: 'ada' } })
  await expect(second.call(createCollection, { body: { title: 'Of Ada' } })).rejects.toMatchObject({ status: 401 })
  expect(await countCollections(server)).toBe(0)
  await expect.poll(second.readSession).toMatchObject({ phase: 'signed-in', user: { username: 'bob' } })
  expect((await second.call(listCollections, { query: {} })).count).toBe(0)
  expect(first.readSession()).toMatchObject({ phase: 'signed-in', user: { username: 'bob' } })
  await expect.poll(async () => (await first.call(listCollections, { query: {} })).count).toBe(0)
})

test('a tab hears that somebody else has signed in in the next, and shows nothing of the one before from then on', async () => {
  const server = await useRealServer()
  const [first, second] = await openTabsOfEndedAda(server)
  const shown: unknown[] = []
  second.watchPerson((id) => shown.push(id))
  await first.signIn(server, 'bob')
  const { user } = first.readSession() as { user: UserInfo }
  second.hearOfStorage('refresh_turn')
  expect(second.readSession()).toEqual({ phase: 'checking' })
  expect(second.readAccess()).toBeNull()
  await expect.poll(second.readSession).toMatchObject({ phase: 'signed-in', user: { username: 'bob' } })
  expect(shown).toEqual([undefined, user.id])
})

test('a tab takes no token of another person whom the next one renews for', async () => {
  const server = await useRealServer()
  const [first, second] = await openTabsOfEndedAda(server)
  await first.signIn(server, 'bob')
  const taken: unknown[] = []
  second.watchSession(() => taken.push([second.readPersonId(), second.readAccess()]))
  await first.renewAccess(first.readAccess())
  await expect.poll(second.readSession).toMatchObject({ phase: 'signed-in', user: { username: 'bob' } })
  const ada = await server.deps.db.selectFrom('users').select('id').where('username', '=', 'ada').executeTakeFirst()
  expect(taken).not.toContainEqual([ada?.id, expect.any(String)])
})

test('nobody is logged out from a tab that still shows the person before them', async () => {
  const server = await useRealServer()
  const [first, second] = await openTabsOfEndedAda(server)
  await first.signIn(server, 'bob')
  await expect(second.signOutOnServer()).rejects.toThrow()
  expect(await server.deps.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
  await expect.poll(second.readSession).toMatchObject({ phase: 'signed-in', user: { username: 'bob' } })
})

test('a person who signs in anew in one tab goes on in the other without a change of screen', async () => {
  const server = await useRealServer()
  const [first, second] = await openTabsOfEndedAda(server)
  const phases: string[] = []
  second.watchSession(() => phases.push(second.readSession().phase))
  await first.signIn(server, 'ada')
  second.hearOfStorage('refresh_turn')
  await second.call(createCollection, { body: { title: 'Of Ada' } })
  expect(await countCollections(server)).toBe(1)
  expect(phases).toEqual([])
})

// A tab hears of the others until its test ends. The files that follow have one of their own: this one's would hear nothing.
beforeEach(() => {
  const hear = vi.spyOn(BroadcastChannel.prototype, 'addEventListener')
  return () => {
    for (const channel of hear.mock.contexts) (channel as BroadcastChannel).close()
    hear.mockRestore()
    vi.resetModules()
  }
})

test('what changes about the person in one tab is loaded in the others, and so it is with each renewal', async () => {
  const server = await useRealServer()
  const tabs = await openTabsOfAda(server)
  const setRights = (is_staff: 0 | 1) => server.deps.db.updateTable('users').set({ is_staff }).execute()
  await setRights(1)
  tabs[0].tellChange()
  await expect.poll(tabs[1].readSession).toMatchObject({ user: { is_staff: true } })
  expect(tabs[0].readSession()).toMatchObject({ user: { is_staff: false } })
  await setRights(0)
  await tabs[1].renewAccess(tabs[1].readAccess())
  await expect.poll(tabs[1].readSession).toMatchObject({ user: { is_staff: false } })
  await setRights(1)
  await tabs[1].renewAccess(tabs[1].readAccess())
  for (const tab of tabs) await expect.poll(tab.readSession).toMatchObject({ user: { is_staff: true } })
})

/**
 * The session's code once more, with a memory of its own; local storage and channel are shared, as between tabs. It hears of
 * what is stored when the test says so. One that follows another person is the last that was opened.
 */
async function openTab() {
  const listen = vi.spyOn(globalThis, 'addEventListener').mockReturnValue()
  vi.resetModules()
  const { startSession, ...session } = await import('./session.ts')
  const {
    restoreFromServer: restore,
    reloadUser,
    renewAccess,
    signOutOnServer,
    tellChange,
  } = await import('./session-calls.ts')
  const { call } = await import('./call.ts')
  const listeners = listen.mock.calls.flatMap(([name, hear]) => (name === 'storage' ? [hear as EventListener] : []))
  listen.mockRestore()
  const hearOfStorage = (key: string) => {
    for (const hear of listeners) hear(new StorageEvent('storage', { key }))
  }
  /** As by the form, which other tabs learn of by the storage alone. */
  async function signIn(server: TestServer, username: string): Promise<void> {
    const answer = await server.stranger.post('/auth/login/', { username, password: TEST_PASSWORD })
    const { access, refresh, ...user } = answer.json() as { access: string; refresh: string }
    startSession({ access, refresh }, UserInfo.parse(user))
  }
  return { ...session, restore, reloadUser, renewAccess, signOutOnServer, tellChange, call, signIn, hearOfStorage }
}
