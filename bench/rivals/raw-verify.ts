// A stranger's verification by hand, over node:http and node:sqlite: `node raw-verify.ts PORT DATABASE STORED_FOLDER`. It looks the
// proof up, sees that it holds, and sends the certified PDF out of memory; it judges no seal, counts no misses, and knows no other call.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const [port, database = '', stored = ''] = process.argv.slice(2)
const db = new DatabaseSync(database, { readOnly: true })

interface ProofRow {
  username: string
  current_expire_time: number | null
  revoked_at: number | null
  sealed_key: string
  sealed_sha256: string
}

const findProof = db.prepare(`
  select username, current_expire_time, revoked_at, sealed_key, sealed_sha256
  from proofs where proofid = ? and state = 'published'`)
const files = new Map<string, Buffer>()

createServer((request, response) => {
  const query = new URLSearchParams(request.url?.split('?', 2)[1])
  const proof = findProof.get(query.get('proofid') ?? '') as unknown as ProofRow | undefined
  const isOver = (proof?.current_expire_time ?? Infinity) <= Date.now()
  if (proof?.username !== query.get('username') || isOver || proof.revoked_at !== null) {
    response.writeHead(404).end()
    return
  }
  const bytes = files.get(proof.sealed_key) ?? readFileSync(join(stored, proof.sealed_key))
  files.set(proof.sealed_key, bytes)
  response.writeHead(200, {
    'content-type': 'application/pdf',
    'content-length': bytes.length,
    etag: `"${proof.sealed_sha256}"`,
  })
  response.end(bytes)
}).listen(Number(port), '127.0.0.1')
