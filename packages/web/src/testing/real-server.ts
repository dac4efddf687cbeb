import { startTestServer, type TestServer, type TestServerOptions } from '@proofdesk/server/testing'
import { onTestFinished } from 'vitest'

/** Set by the test environment. */
declare const jsdom: { reconfigure(settings: { url: string }): void; window: object }

/** Starts a real server for one test and moves the page to its address, so that calls reach it. */
export async function useRealServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer({ after: (end) => onTestFinished(end) }, 'sqlite', options)
  movePage(await server.listen())
  return server
}

/** Moves the page to another address, where its calls go from then on. */
export function movePage(url: string): void {
  jsdom.reconfigure({ url })
  // It keeps the origin it was made with, and uploads would count as meant for somebody else's.
  Object.assign(jsdom.window, { _origin: location.origin })
}

/** Moves the page to an address where nothing listens. */
export function leaveServer(): void {
  jsdom.reconfigure({ url: 'http://127.0.0.1:59999' })
}
