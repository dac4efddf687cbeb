import assert from 'node:assert/strict'
import { domainToASCII } from 'node:url'
import { findToken, type TestServer } from '../testing.ts'
import type { TestAnswer, TestClient, Headers } from './client.ts'

/** Whoever asks: somebody signed in, or a visitor's browser. */
type Caller = Pick<TestVisitor, 'get' | 'post'>

export async function openTicket(caller: Caller, title = 'Lost seal'): Promise<number> {
  const answer = await caller.post('/ticket/', { title })
  assert.equal(answer.status, 201, answer.body)
  return answer.json().id
}

/** @returns the answer's status. */
export async function writeMessage(caller: Caller, ticket: number, text = 'Hello'): Promise<number> {
  return (await caller.post('/conversation/', { text, ticket })).status
}

export async function readStatus(caller: Caller, id: number): Promise<string> {
  return (await caller.get(`/ticket/${id}/`)).json().status
}

/** @returns the token of the link that was mailed to this address: others may have got one in the same millisecond. */
export async function askForLink(server: TestServer, email: string): Promise<string> {
  assert.equal((await server.stranger.post('/ticket/link/', { email })).status, 200)
  // As a mail names it.
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const theirs = `${local}@${domainToASCII(domain)}`
  const mails = (await server.mails()).filter(({ to = [] }) =>
    to.some(({ address }) => address?.toLowerCase() === theirs),
  )
  return findToken(mails.at(-1), 'ticket/open')
}

/** Titles of the list's first page. */
export async function listTitles(caller: Caller, query = ''): Promise<string[]> {
  const answer = await caller.get(`/ticket/${query}`)
  assert.equal(answer.status, 200, answer.body)
  return answer.json().results.map((ticket: { title: string }) => ticket.title)
}

/** Two who ask, and one of each who answer. */
export async function signInRoles(server: TestServer) {
  return {
    ada: await server.signIn('ada'),
    eve: await server.signIn('eve'),
    staff: await server.signIn('sam', { is_staff: true }),
    other: await server.signIn('olga', { is_staff: true }),
    admin: await server.signIn('adam', { is_admin: true }),
    superuser: await server.signIn('sue', { is_superuser: true }),
  }
}

/** A visitor's browser: it keeps the cookie it is given, and names an address in the query as the web does. */
export interface TestVisitor {
  email: string
  /** `name=value` as the browser sends it; undefined before the first. */
  cookie: string | undefined
  /** The last `Set-Cookie` header in full. */
  setCookie: string | undefined
  get(path: string): Promise<TestAnswer>
  post(path: string, body: unknown, headers?: Headers): Promise<TestAnswer>
}

export function makeVisitor(stranger: TestClient, email: string): TestVisitor {
  const withEmail = (path: string) =>
    `${path}${path.includes('?') ? '&' : '?'}email=${encodeURIComponent(visitor.email)}`
  const cookies = (): Headers => (visitor.cookie === undefined ? {} : { cookie: visitor.cookie })
  const keep = (answer: TestAnswer) => {
    const header = answer.headers['set-cookie']
    if (typeof header === 'string') {
      visitor.setCookie = header
      visitor.cookie = header.split(';')[0]
    }
    return answer
  }
  const visitor: TestVisitor = {
    email,
    cookie: undefined,
    setCookie: undefined,
    get: async (path) => keep(await stranger.get(withEmail(path), cookies())),
    post: async (path, body, headers = {}) =>
      keep(await stranger.post(withEmail(path), body, { ...cookies(), ...headers })),
  }
  return visitor
}
