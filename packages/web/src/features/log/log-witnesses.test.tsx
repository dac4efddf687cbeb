import { screen } from '@testing-library/react'
import { startTestServer } from '@proofdesk/server/testing'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { movePage, useRealServer } from '../../testing/real-server.ts'

// Outside a browser fetch knows no page that a path belongs to.
beforeEach(() => {
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, location.href), init))
  return () => vi.unstubAllGlobals()
})

test('14.77 the page of the log names each witness with what it signed last, and the key for witnessing others', async () => {
  const server = await useRealServer()
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
