// The list of one's own collections by hand, over node:http and node:sqlite: `node raw-own-list.ts PORT DATABASE`. It finds
// token, session and person as the product does and gives the same answer; it knows no other call.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
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

const [port, path = ''] = process.argv.slice(2)
const db = new DatabaseSync(path, { readOnly: true })
const findPerson = db.prepare(
  `${SELECT_PERSON} where t.hash = ? and t.kind = 'access' and t.expires_at > ? and s.created_at > ? and u.is_active = 1`,
)
const countOwn = db.prepare('select count(*) as count from collections where owner_id = ?')
const listOwn = db.prepare(
  `${SELECT_OWN} where c.owner_id = ? order by c.created_at desc, c.id desc limit ${PAGE_SIZE} offset ?`,
)

createServer((request, response) => {
  const now = Date.now()
  const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const hash = createHash('sha256').update(token).digest('hex')
  const person = findPerson.get(hash, now, now - LONGEST_SESSION_MS) as unknown as PersonRow | undefined
  if (!person) {
    response.writeHead(401).end()
    return
  }
  const asked = readPage(request.url ?? '')
  const { count } = countOwn.get(person.id) as { count: number }
  const rows = listOwn.all(person.id, (asked.page - 1) * PAGE_SIZE) as unknown as CollectionRow[]
  const body = writeOwnList(person, { count, rows }, asked, now)
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}).listen(Number(port), '127.0.0.1')
