// The same as raw-own-list.ts on PostgreSQL: `node raw-own-list-postgres.ts PORT URL`, with prepared statements over as many
// connections as the product has.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import {
  LONGEST_SESSION_MS,
  PAGE_SIZE,
  readPage,
  SELECT_OWN,
  SELECT_PERSON,
  writeOwnList,
  type CollectionRow,
  type PersonRow,
} from './own-list-answer.ts'

const [port, connectionString] = process.argv.slice(2)
const CONNECTIONS = 10
/** https://www.postgresql.org/docs/current/catalog-pg-type.html: int8, whose values here are all safe integers. */
const INT8 = 20
const types = { getTypeParser: (oid: number) => (oid === INT8 ? Number : pg.types.getTypeParser(oid)) }
const pool = new pg.Pool({ connectionString, max: CONNECTIONS, types })
const FIND_PERSON = `${SELECT_PERSON} where t.hash = $1 and t.kind = 'access' and t.expires_at > $2 and s.created_at > $3 and u.is_active = 1`
const COUNT_OWN = 'select count(*) as count from collections where owner_id = $1'
const LIST_OWN = `${SELECT_OWN} where c.owner_id = $1 order by c.created_at desc, c.id desc limit ${PAGE_SIZE} offset $2`

createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1')

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const now = Date.now()
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const hash = createHash('sha256').update(token).digest('hex')
  const [person] = await query<PersonRow>('person', FIND_PERSON, [hash, now, now - LONGEST_SESSION_MS])
  if (!person) {
    response.writeHead(401).end()
    return
  }
  const asked = readPage(request.url ?? '')
  const [counted, rows] = await Promise.all([
    query<{ count: number }>('count', COUNT_OWN, [person.id]),
    query<CollectionRow>('list', LIST_OWN, [person.id, (asked.page - 1) * PAGE_SIZE]),
  ])
  const body = writeOwnList(person, { count: counted[0]?.count ?? 0, rows }, asked, now)
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

async function query<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>({ name, text, values })).rows
}
