import { setTimeout as pause } from 'node:timers/promises'
import type { HammerNode } from '../instance/node.ts'
import type { Installation } from '../instance/installation.ts'
import type { Random } from '../seeded-random.ts'
import { ask } from './ask.ts'

const PASSWORD = 'Secret1!'
/** Well below what an access token is good for, so that clocks may differ by some minutes. */
const SIGN_IN_EVERY_MS = 4 * 60_000

export interface Person {
  username: string
  role: 'user' | 'staff' | 'superuser'
  token: string | undefined
  signedInAt: number
}

const PEOPLE: Pick<Person, 'username' | 'role'>[] = [
  { username: 'ada', role: 'user' },
  { username: 'ben', role: 'user' },
  { username: 'cleo', role: 'user' },
  { username: 'sam', role: 'staff' },
  { username: 'kim', role: 'staff' },
  { username: 'sofia', role: 'superuser' },
]

export async function makePeople({ runAdmin }: Pick<Installation, 'runAdmin'>): Promise<Person[]> {
  return Promise.all(
    PEOPLE.map(async ({ username, role }) => {
      const names = ['--username', username, '--email', `${username}@example.org`, '--role', role]
      const { code, out } = await runAdmin('create-user', ...names, '--password', PASSWORD, '--verified')
      if (code !== 0) throw new Error(`no account for ${username}: ${out}`)
      return { username, role, token: undefined, signedInAt: 0 }
    }),
  )
}

/** Of a session that is young enough. Signing in is asked until a node grants it. */
export async function findToken(
  person: Person,
  nodes: readonly HammerNode[],
  random: Random,
  isOver: () => boolean,
): Promise<string | undefined> {
  for (; !isOver(); await pause(200)) {
    if (person.token !== undefined && performance.now() - person.signedInAt < SIGN_IN_EVERY_MS) return person.token
    const { username } = person
    const body = { username, password: PASSWORD }
    const reply = await ask(random.pick(nodes).url, { method: 'POST', path: '/auth/login/', body })
    if (reply?.status !== 200) continue
    person.token = (reply.json as { access: string }).access
    person.signedInAt = performance.now()
  }
  return person.token
}
