import { screen } from '@testing-library/react'
import { startTestServer, type TestServer } from '@proofdesk/server/testing'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeSentCollection } from '../../testing/made-collections.ts'
import { openApp } from '../../testing/open-app.tsx'
import { movePage, useRealServer } from '../../testing/real-server.ts'

// Outside a browser fetch knows no page that a path belongs to.
beforeEach(() => {
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, location.href), init))
  return () => vi.unstubAllGlobals()
})

/** Has another server witness the log of this one. @returns the key that signs there */
async function nameWitness(server: TestServer) {
  const witness = await startTestServer({ after: (end) => onTestFinished(end) }, 'sqlite', {
    config: { witnessedLogs: [server.deps.log.verifierKey] },
  })
  const url = await witness.listen()
  const theirs = witness.deps.witness!.verifierKey
  server.config.witnessPolicy = `witness them ${theirs} ${url}/log/witness\nquorum them\n`
  server.config.witnessedLogs = [witness.deps.log.verifierKey]
  await server.restart()
  await server.deps.log.sign()
  await server.deps.log.gather()
  movePage(await server.listen())
  return theirs
}

test('14.77 the page of the log names each witness with what it signed last, and the key for witnessing others', async () => {
  const server = await useRealServer()
  const theirs = await nameWitness(server)
  openApp('/transparency')
  await screen.findByRole('heading', { name: 'Witnesses' })
  const name = theirs.split('+')[0]!
  expect(screen.getAllByText(name).length).toBe(2)
  expect(screen.getByText(/^Signed the head of 2 entries on /)).toBeTruthy()
  expect(screen.getByText(server.deps.witness!.verifierKey)).toBeTruthy()
  expect(screen.queryByText(/^No independent witness/)).toBeNull()
})

test('14.77 … and says that there is no independent witness for as long as none has signed', async () => {
  const server = await useRealServer()
  const away = 'http://127.0.0.1:1/log/witness'
  const witness = await startTestServer({ after: (end) => onTestFinished(end) }, 'sqlite', {
    config: { witnessedLogs: [server.deps.log.verifierKey] },
  })
  server.config.witnessPolicy = `witness them ${witness.deps.witness!.verifierKey} ${away}\nquorum them\n`
  await server.restart()
  await server.deps.log.sign()
  movePage(await server.listen())
  openApp('/transparency')
  await screen.findByText(/^No independent witness/)
  expect(screen.getByText('Has not signed yet')).toBeTruthy()
})

test('an approval that is witnessed while the page reads the log does not put a sound log under suspicion', async () => {
  const server = await useRealServer()
  await nameWitness(server)
  const approve = await prepareApproval(server)
  const { fetch } = globalThis
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const answer = await fetch(path, init)
    if (path !== '/log/checkpoint' && path !== '/log/witnesses') return answer
    asked.push(`${path} ${init.cache ?? 'default'}`)
    if (asked.length > 1) return answer
    await approve(fetch)
    return answer
  })
  openApp('/transparency')
  await screen.findByText('Checked in this browser')
  expect(screen.queryByRole('alert')).toBeNull()
  // What a browser kept from before would be older than what it has checked.
  expect(asked.toSorted()).toEqual(['/log/checkpoint no-store', '/log/witnesses no-store'])
})

test('a head that is merely older than a witnessed one is told as that, with both, and the page looks again', async () => {
  const server = await useRealServer()
  await nameWitness(server)
  const approve = await prepareApproval(server)
  const { fetch } = globalThis
  const older = await (await fetch('/log/checkpoint')).text()
  const newer = await approve(fetch)
  let isStale = true
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    isStale && path === '/log/checkpoint' ? Promise.resolve(new Response(older)) : fetch(path, init),
  )
  const person = openApp('/transparency')
  const notice = await screen.findByRole('alert')
  expect(notice.textContent).toContain('The server shows an older head than one it has signed')
  expect(screen.queryByText('Checked in this browser')).toBeNull()
  expect(screen.queryByText(/Do not rely on it/)).toBeNull()
  for (const size of [readSize(older), newer]) expect(notice.querySelector('pre')?.textContent).toContain(`\n${size}\n`)
  isStale = false
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Checked in this browser')
  expect(screen.queryByRole('alert')).toBeNull()
})

/** @returns what approves a collection, and waits until the witness has signed a larger head; the size of that one */
async function prepareApproval(server: TestServer) {
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  const { id } = await makeSentCollection(ada, 'Degree')
  return async (fetch: typeof globalThis.fetch): Promise<number> => {
    const before = readSize(await (await fetch('/log/checkpoint')).text())
    await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', expire_time: null })
    const hasSigned = async () => {
      await server.deps.log.gather()
      const { witnesses } = (await (await fetch('/log/witnesses')).json()) as { witnesses: { note: string }[] }
      const size = readSize(witnesses[0]!.note)
      return size > before && size
    }
    return vi.waitUntil(hasSigned, { timeout: 60_000 })
  }
}

/** Entries that a head stands for. */
function readSize(head: string): number {
  return Number(head.split('\n')[1])
}
