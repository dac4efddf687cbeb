import { join } from 'node:path'
import { API_BASE } from '@proofdesk/contract/route'
import { z } from 'zod'
import { PASSWORD } from '../fill/real-ones.ts'
import type { Part } from './pinned.ts'
import { startServer, type Running } from './running.ts'

const MAIN = join(import.meta.dirname, '../../packages/server/src/start/main.ts')

/** The product as `npm start` runs it, on an instance that was filled. */
export function startProduct(
  folder: string,
  { env = {}, nodeArgs = [], part = 'server' }: { env?: NodeJS.ProcessEnv; nodeArgs?: string[]; part?: Part } = {},
): Promise<Running> {
  return startServer(
    'Proofdesk',
    (port) => ({
      command: process.execPath,
      args: [...nodeArgs, MAIN],
      env: { DATA_DIR: folder, PORT: String(port), MIN_FREE_MB: '0', ...env },
    }),
    part,
  )
}

/** For suites in which one person makes what a thousand would. */
export const UNLIMITED = { MAX_USER_COLLECTIONS: '9999999', MAX_USER_MB: '9999999' }

/** The release bundle, unpacked, on an instance that was filled. */
export function startBundle(bundle: string, folder: string): Promise<Running> {
  return startServer('the release bundle', (port) => ({
    command: join(bundle, 'proofdesk'),
    args: [],
    env: { DATA_DIR: folder, PORT: String(port), MIN_FREE_MB: '0' },
  }))
}

const Tokens = z.object({ access: z.string(), refresh: z.string() })

/** @returns the headers of a call by this person. */
export async function signIn(server: Running, username: string): Promise<Record<string, string>> {
  return { authorization: `Bearer ${(await takeTokens(server, username)).access}` }
}

export async function findOwnId(server: Running, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${API_BASE}/user/info`, { headers })
  return z.object({ id: z.number() }).parse(await answer.json()).id
}

/** @returns what a browser keeps of somebody who has signed in. */
export async function takeRefreshToken(server: Running, username: string): Promise<string> {
  return (await takeTokens(server, username)).refresh
}

async function takeTokens(server: Running, username: string): Promise<z.infer<typeof Tokens>> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${API_BASE}/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`signing ${username} in was answered with ${answer.status}`)
  return Tokens.parse(await answer.json())
}
