/**
 * A process of its own whose database is on a small disk: what people can still do once it is full, and once the room held
 * back is used up, too. Arguments: folder on the small disk, folder with room. Prints what happened as JSON.
 */
import { rm } from 'node:fs/promises'
import { closeSync, openSync, writeSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openCertifyPool } from '@proofdesk/certify/pool'
import { incomingFolder } from '../blobs/incoming.ts'
import { BARE_ENVIRONMENT } from './bare-environment.ts'
import { makeClient } from './client.ts'
import { addFile, openCollection, sendCollection } from './collections.ts'
import { findProgram } from './find-program.ts'
import { findFreePort } from './free-ports.ts'
import { openOwnServer, OWN_PASSWORD } from './own-server.ts'

const MAIN = findProgram('start/main.ts')
const [databaseDir = '', dataDir = ''] = process.argv.slice(2)
const filler = join(databaseDir, 'filler')
// The first start makes the keys.
const told: Record<string, unknown> = { 'first start': await startProduct() }
const certify = openCertifyPool({ keysDir: join(databaseDir, 'keys'), threads: 1, workDir: incomingFolder(dataDir) })
const server = await openOwnServer({ dataDir, databaseDir, certify })
const ada = await server.signIn('ada')
const sam = await server.signIn('sam', true)

/** To the last byte. */
function fill(): void {
  const file = openSync(filler, 'a')
  try {
    for (let size = 1024 * 1024; size >= 1;) {
      try {
        writeSync(file, Buffer.alloc(size))
      } catch {
        size = Math.floor(size / 2)
      }
    }
  } finally {
    closeSync(file)
  }
}

const prepare = async () => {
  const open = await openCollection(ada)
  return { content: await addFile(ada, open), sent: await sendCollection(ada) }
}
const say = ({ status, body }: { status: number; body: string }) =>
  status < 400 ? status : `${status} ${(JSON.parse(body) as { code: string }).code}`

async function tryAll({ content, sent }: Awaited<ReturnType<typeof prepare>>) {
  const stranger = makeClient(() => server.app)
  return {
    'sign in': say(await stranger.post('/auth/login/', { username: 'ada', password: OWN_PASSWORD })),
    'delete a content': say(await ada.delete(`/contents/${content}`)),
    create: say(await ada.post('/collections/', { title: 'On a full disk' })),
    reject: say(await sam.post(`/admin/${sent}/reject/`, { admin_desc: 'Not yet' })),
    list: say(await ada.get('/collections/')),
  }
}

const [first, second, third] = [await prepare(), await prepare(), await prepare()]
fill()
told['full'] = await tryAll(first)

// Nothing is held back any more; the log of SQLite takes a little yet.
fill()
let created = 0
let answer = await ada.post('/collections/', { title: 'One more' })
while (answer.status === 201 && created < 5000) {
  created += 1
  answer = await ada.post('/collections/', { title: `One more ${created} ${'x'.repeat(150)}` })
  if (created % 50 === 0) fill()
}
told['used up'] = [say(answer), answer.headers['retry-after'] !== undefined]
told['used up, all'] = await tryAll(second)
const log = server.logLines.join('')
told['log'] = {
  cause: /disk is full/.test(log),
  hidden: /cannot rollback/.test(log),
  unexpected: /unexpected failure/.test(log),
}

await server.close()
fill()
told['restart'] = await startProduct()

await rm(filler)
const again = await openOwnServer({ dataDir, databaseDir, certify })
const client = makeClient(() => again.app)
const signedIn = await client.post('/auth/login/', { username: 'ada', password: OWN_PASSWORD })
const adaAgain = makeClient(() => again.app, signedIn.json())
told['room again'] = [say(signedIn), say(await adaAgain.delete(`/contents/${third.content}`))]
await again.close()
await certify.close()
process.stdout.write(JSON.stringify(told))

/** Starts the product itself, and ends it. @returns whether it was there, or what it said instead. */
async function startProduct(): Promise<string> {
  const env = { ...BARE_ENVIRONMENT, DATA_DIR: databaseDir, PORT: String(await findFreePort()), LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [MAIN], { env, cwd: dataDir })
  let out = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    if (out.includes('is ready')) child.kill('SIGTERM')
  })
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  await once(child, 'close')
  return out.includes('is ready') ? 'is ready' : errors
}
