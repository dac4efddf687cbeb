import { screen, waitFor } from '@testing-library/react'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { useRealServer } from '../../testing/real-server.ts'
import { LOG_PATIENCE_MS } from './read-log.ts'

/** Has the head of the log answered by something else until it is let go. @returns also how often it was asked for */
async function replaceHead(answer: RequestListener) {
  let asked = 0
  const server = createServer((incoming, response) => {
    asked++
    answer(incoming, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { fetch } = globalThis
  let isReplaced = true
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return fetch(new URL(path, isReplaced && path === '/log/checkpoint' ? elsewhere : location.href), init)
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    server.closeAllConnections()
    server.close()
  })
  return { countAsked: () => asked, letGo: () => void (isReplaced = false) }
}

/** @returns what has the time be over in which the log has to come */
function holdPatience(): () => void {
  const { timeout } = AbortSignal
  const waiting: AbortController[] = []
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    if (ms !== LOG_PATIENCE_MS) return timeout.call(AbortSignal, ms)
    const held = new AbortController()
    waiting.push(held)
    return held.signal
  })
  onTestFinished(() => spy.mockRestore())
  return () => {
    for (const held of waiting.splice(0)) held.abort(new DOMException('The time is over', 'TimeoutError'))
  }
}

test.each<[string, RequestListener]>([
  ['no answer', () => {}],
  ['an answer without an end', (_, response) => void response.writeHead(200).write('proofdesk')],
])(
  'a log that does not come in time is told as one that could not be loaded, and read again: %s',
  async (_, answer) => {
    const server = await useRealServer()
    await server.deps.log.sign()
    const endPatience = holdPatience()
    const { countAsked, letGo } = await replaceHead(answer)
    const person = openApp('/transparency')
    await waitFor(() => expect(countAsked()).toBe(1))
    endPatience()
    await screen.findByText('This could not be loaded')
    letGo()
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Checked in this browser')
  },
)
