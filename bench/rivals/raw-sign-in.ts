// Signing in by hand, over node:http and node:sqlite: `node raw-sign-in.ts PORT DATABASE`. It keeps what the product keeps of a
// sign-in, on the disk before it answers; it bounds no guesses and knows no other call.
import { createHash, randomBytes } from 'node:crypto'
import { fdatasync, openSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { verify } from '@node-rs/argon2'

const MINUTE_MS = 60 * 1000
const ACCESS_MS = 15 * MINUTE_MS
const REFRESH_MS = 30 * 24 * 60 * MINUTE_MS
const [port, path = ''] = process.argv.slice(2)
const db = new DatabaseSync(path)
db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on')
const sync = promisify(fdatasync)

interface PersonRow {
  id: number
  username: string
  email: string
  password_hash: string
}

const findPerson = db.prepare(
  'select id, username, email, password_hash from users where username_key = ? and is_active = 1',
)
const holdPerson = db.prepare(
  'update users set last_sign_in_at = ? where id = ? and is_active = 1 and password_hash = ?',
)
const insertSession = db.prepare(`
  insert into sessions (user_id, created_at, last_used_at, confirmed_at, browser, system, network)
  values (?, ?, ?, ?, '', '', '') returning id`)
const insertTokens = db.prepare(`
  insert into session_tokens (hash, session_id, kind, expires_at) values (?, ?, 'access', ?), (?, ?, 'refresh', ?)`)
const insertEntry = db.prepare(`
  insert into audit_entries (at, actor_id, action, object_kind, object_id, details) values (?, ?, 'signed_in', 'session', ?, '{}')`)

let wal: number | undefined
/** One after the other, as many as the product has at once on two cores. */
let turn: Promise<unknown> = Promise.resolve()

createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1')

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await signIn(request)
  response.writeHead(body === undefined ? 401 : 200, { 'content-type': 'application/json; charset=utf-8' })
  response.end(body)
}

async function signIn(request: IncomingMessage): Promise<string | undefined> {
  const { username, password } = (await json(request)) as { username: string; password: string }
  const person = findPerson.get(username) as unknown as PersonRow | undefined
  if (!person) return undefined
  const matching = turn.then(() => verify(person.password_hash, password))
  turn = matching.catch(() => {})
  if (!(await matching)) return undefined
  const now = Date.now()
  const [access, refresh] = [makeToken(), makeToken()]
  db.exec('begin immediate')
  if (holdPerson.run(now, person.id, person.password_hash).changes === 0) {
    db.exec('rollback')
    return undefined
  }
  const { id } = insertSession.get(person.id, now, now, now) as { id: number }
  insertTokens.run(hashToken(access), id, now + ACCESS_MS, hashToken(refresh), id, now + REFRESH_MS)
  insertEntry.run(now, person.id, id)
  db.exec('commit')
  await sync((wal ??= openSync(`${path}-wal`, 'r+')))
  const { password_hash: _, ...info } = person
  return JSON.stringify({ ...info, access, refresh, user_id: person.id })
}

const makeToken = (): string => randomBytes(32).toString('base64url')
const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
