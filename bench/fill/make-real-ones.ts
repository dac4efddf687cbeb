// A process of its own that makes one of everything in an empty instance: `node make-real-ones.ts OPTIONS`.
import { mkdirSync } from 'node:fs'
import { API_BASE } from '@proofdesk/contract/route'
import { readConfig, type Config } from '@proofdesk/server/config'
import { openEmptyInstance, type EmptyInstance } from '@proofdesk/server/empty-instance'
import { explainFailure } from '@proofdesk/server/start-failure'
import { z } from 'zod'
import { PASSWORD, STAFF, writeRealOnes, type RealOnes, type RealOptions } from './real-ones.ts'
import { makePdf } from '@proofdesk/server/testing/small-files'

/** Owns what is multiplied. */
const PERSON = 'bench.person'
const SUPERUSER = 'bench.superuser'
const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const SMALL_SCAN_BYTES = 10_000

/** Through the API, but for the accounts. @throws StartFailure where the instance is in use. */
async function makeOnes(config: Config, certified: RealOptions['certified']): Promise<RealOnes> {
  const instance = await openEmptyInstance(config, PASSWORD, Date.now)
  await instance.start()
  try {
    const person = await makeAccount(instance, PERSON, 'user')
    const staff = await makeAccount(instance, STAFF, 'staff')
    const superuser = await makeAccount(instance, SUPERUSER, 'superuser')
    return { person: person.id, staff: staff.id, superuser: superuser.id, ...(await play(person, staff, certified)) }
  } finally {
    await instance.settle()
    await instance.close()
  }

  async function play(person: Caller, staff: Caller, { count, bytes }: typeof certified) {
    const open = (title: string) => person.make('/collections/', { title })
    const send = async (title: string, sizeBytes: number) => {
      const id = await open(title)
      await person.upload({ collection: String(id) }, makePdf(1, 'Scan', sizeBytes))
      await person.post(`/collections/${id}/save/`)
      await instance.settle()
      return id
    }
    const approve = async (id: number, expireAt?: number) => {
      const expire_time = expireAt === undefined ? null : new Date(expireAt).toISOString()
      await staff.post(`/admin/${id}/approve/`, { admin_desc: 'Compared with the register.', expire_time })
      // A busy machine answers before it is sealed.
      await instance.settle()
      return Approved.parse(await staff.get(`/collections/${id}`)).proofid
    }

    const opened = await open('Opened')
    await person.upload({ collection: String(opened) }, makePdf(1, 'Scan', SMALL_SCAN_BYTES))
    const in_progress = await send('In progress', SMALL_SCAN_BYTES)
    const answered = await send('Answered', SMALL_SCAN_BYTES)
    await staff.post(`/admin/${answered}/reject/`, { admin_desc: 'The second page is missing.' })
    await person.post('/comments/', { collection: answered, text: 'Which page do you mean?' })
    const approved = await send('Approved', SMALL_SCAN_BYTES)
    await approve(approved)
    const approved_until = await send('Approved until', SMALL_SCAN_BYTES)
    await approve(approved_until, Date.now() + YEAR_MS)

    const waiting = await person.make('/ticket/', { title: 'Waiting' })
    await person.post('/conversation/', { ticket: waiting, text: 'The seal is not shown.' })
    const answeredTicket = await person.make('/ticket/', { title: 'Answered' })
    await person.post('/conversation/', { ticket: answeredTicket, text: 'How long does it take?' })
    await staff.post('/conversation/', { ticket: answeredTicket, text: 'Two days.' })

    const proofs: RealOnes['certified'] = []
    for (let number = 1; number <= count; number += 1)
      proofs.push({ proofid: await approve(await send(`Certified ${number}`, bytes)), username: PERSON })
    return {
      collections: { opened, in_progress, answered, approved, approved_until },
      tickets: { waiting, answered: answeredTicket },
      certified: proofs,
    }
  }
}

const WithId = z.object({ id: z.number() })
const Approved = z.object({ proofid: z.string() })
const Tokens = z.object({ access: z.string() })

type Role = 'user' | 'staff' | 'superuser'

interface Caller {
  id: number
  get(path: string): Promise<unknown>
  post(path: string, body?: object): Promise<unknown>
  /** @returns the id of what was made. */
  make(path: string, body: object): Promise<number>
  upload(fields: Record<string, string>, bytes: Uint8Array): Promise<void>
}

interface Sent {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  payload?: Buffer
}

async function makeAccount({ app, makeAccount: make }: EmptyInstance, username: string, role: Role): Promise<Caller> {
  const account = await make({
    username,
    email: `${username}@example.org`,
    password: PASSWORD,
    first_name: 'Bench',
    last_name: role,
    phone_number: '+44 20 7946 0000',
    birthdate: '1990-05-17',
    role,
    isEmailVerified: true,
    origin: 'shell',
  })
  async function ask(call: Sent, path: string, access?: string): Promise<unknown> {
    const headers = { ...call.headers, ...(access !== undefined && { authorization: `Bearer ${access}` }) }
    const answer = await app.inject({ ...call, url: `${API_BASE}${path}`, headers })
    if (answer.statusCode >= 300) throw new Error(`${path} was answered with ${answer.statusCode}: ${answer.body}`)
    return answer.body === '' ? undefined : answer.json()
  }
  const send = (path: string, type: string, payload: Buffer, access?: string) =>
    ask({ method: 'POST', headers: { 'content-type': type }, payload }, path, access)
  const sendJson = (path: string, body: object, access?: string) =>
    send(path, 'application/json', Buffer.from(JSON.stringify(body)), access)
  const { access } = Tokens.parse(await sendJson('/auth/login/', { username, password: PASSWORD }))
  return {
    id: WithId.parse(account).id,
    get: (path) => ask({ method: 'GET' }, path, access),
    post: (path, body = {}) => sendJson(path, body, access),
    make: async (path, body) => WithId.parse(await sendJson(path, body, access)).id,
    upload: async (fields, bytes) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append('file', new Blob([Uint8Array.from(bytes)]), 'scan.pdf')
      const encoded = new Response(form)
      const type = encoded.headers.get('content-type') ?? ''
      await send('/contents/', type, Buffer.from(await encoded.arrayBuffer()), access)
    },
  }
}

// As the server's own files.
process.umask(0o077)

try {
  const { folder, postgresUrl, certified } = JSON.parse(process.argv[2] ?? '') as RealOptions
  mkdirSync(folder, { recursive: true })
  const settings = { DATA_DIR: folder, MIN_FREE_MB: '0', DATABASE_URL: postgresUrl }
  writeRealOnes(folder, await makeOnes(readConfig(settings), certified))
  process.exit(0)
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exit(1)
}
